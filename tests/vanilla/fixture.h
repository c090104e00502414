/* The sealed 2 KiB sectors of tests/data as requests, and ways to damage them. */
#ifndef CUZK_TESTS_VANILLA_FIXTURE_H
#define CUZK_TESTS_VANILLA_FIXTURE_H

#include "base/file.h"
#include "test.h"
#include "vanilla/job.h"

#include <stdlib.h>

enum { FIXTURE_FILES = 4 };

/* A request and all that it points to. */
struct fixture {
    struct request request;
    struct bytes files[FIXTURE_FILES]; /* owned, writable */
    struct node nodes[3];              /* randomness, or the commitments of an update */
};

/* A file of tests/data in fresh memory, one NUL behind it. */
struct bytes data_file(const char *name);

void fixture_porep(struct fixture *f, const char *file); /* "porep-s42.c1.json", with sector and miner */
void fixture_window(struct fixture *f);                  /* sectors 42 and 43 */
void fixture_winning(struct fixture *f);
void fixture_update(struct fixture *f, const char *file);
void fixture_real_window(struct fixture *f); /* one real 32 GiB sector */
void fixture_free(struct fixture *f);

/* The payload that is a single file, to be damaged in place. */
static inline uint8_t *fixture_bytes(struct fixture *f, size_t file)
{
    return (uint8_t *)(uintptr_t)f->files[file].data;
}

/* vanilla_parse and vanilla_check, and nothing kept. */
cuzk_status parse_and_check(const struct request *request, cuzk_error *err);
cuzk_status parse_only(const struct request *request, cuzk_error *err);

/* The request is refused as bad data with a detail that contains `part`, in one line. */
void assert_refused(const struct request *request, const char *part);

/* The C1 JSON as bincode (spec §5.1, §5.3), in fresh memory. */
struct bytes bincode_of_c1(struct bytes json);

#endif
