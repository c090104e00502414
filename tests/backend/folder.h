/* Parameters made with the insecure test seed, in a folder of their own. */
#ifndef CUZK_TESTS_BACKEND_FOLDER_H
#define CUZK_TESTS_BACKEND_FOLDER_H

#include "backend/cpu/cpu.h"

/* Generates parameters for the circuit under /tmp and opens them; the path of the folder, which
 * test_params_remove takes, comes back in fresh memory. Fails the test on any error. */
char *test_params_make(struct params_file *out, const struct backend_circuit *c, const char *stem);
void test_params_remove(char *folder, struct params_file *file, const char *stem);

/* SHA-256 of a file as hexadecimal text. */
void file_sha256(char out[65], const char *path);

#endif
