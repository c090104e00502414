/* The really sealed 2 KiB sectors as requests, for tests that need no command line. */
#ifndef CUZK_TESTS_PATH_SEALED_REQUEST_H
#define CUZK_TESTS_PATH_SEALED_REQUEST_H

#include "vanilla/request.h"

struct sealed_request {
    struct request request;
    uint8_t fields[4][32];
    uint8_t *file;
    struct bytes payload;
};

/* "porep-2k", "winning-2k", "wpost-2k" or "snap-2k"; fails the test if it cannot be read. The struct must not move. */
void sealed_request_open(struct sealed_request *out, const char *circuit);
void sealed_request_close(struct sealed_request *r);

#endif
