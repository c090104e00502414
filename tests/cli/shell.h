/* Runs the `cuzk` program as a person would type it, through sh, and looks at what it answers.
 *
 * In every command line: $CUZK is the program, $SEALED the folder of the sealed sectors, $KEYS a folder with
 * bellperson's four verifying keys under their real names, $PARAMS the parameters that the fixtures cli_params_…
 * have generated, and the current folder is a fresh one that shell_end removes. */
#ifndef CUZK_TESTS_CLI_SHELL_H
#define CUZK_TESTS_CLI_SHELL_H

#include "base/bytes.h"
#include "test.h"

struct answer {
    int code; /* exit code; 128 + N after signal N, as in a shell */
    char *out, *err;
    size_t out_size;
};

/* Group setup and teardown of a test program. */
int shell_begin(void **state);
int shell_end(void **state);

__attribute__((format(printf, 1, 2))) struct answer shell(const char *format, ...);
void answer_free(struct answer *a);

/* The command succeeds without a word on stderr; its stdout without the last newline, for the caller to free. */
__attribute__((format(printf, 1, 2))) char *succeeds(const char *format, ...);

/* The command ends with this exit code, nothing on stdout, and one line on stderr, "cuzk: …", that contains
 * `part`. */
__attribute__((format(printf, 3, 4))) void fails(int code, const char *part, const char *format, ...);

/* The command does not understand its options: 64 and a line that contains `part` (argp adds "Try …"). */
__attribute__((format(printf, 2, 3))) void misused(const char *part, const char *format, ...);

/* Files of the current folder (or any other). */
void put_file(const char *name, const void *data, size_t size);
struct bytes get_file(const char *path); /* the caller frees .data */
bool is_there(const char *path);

/* Copies the text file `from` of $SEALED to `to`, with the first `old` replaced by `new`. */
void edit_file(const char *to, const char *from, const char *old, const char *new);

/* How many names a folder has. */
size_t folder_count(const char *path);

#define run_shell_tests(array) cmocka_run_group_tests(array, shell_begin, shell_end)

#endif
