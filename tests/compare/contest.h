/* A contest: the same work done by us and by blst, turn by turn in one process, so that whatever else the machine
 * does meets both alike. Medians are reported, and their ratio, which is above 1 where we are faster.
 */
#ifndef CUZK_TESTS_COMPARE_CONTEST_H
#define CUZK_TESTS_COMPARE_CONTEST_H

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>

struct settings {
    unsigned repeat;      /* rounds of a contest, at most; each side is warmed up once before */
    double seconds;       /* a contest begins no further round after so many */
    unsigned log_max;     /* the largest G1 MSM is 2^log_max, the largest G2 MSM a quarter of it */
    unsigned threads;     /* the most threads that are tried */
    bool json;
    bool any_reported;    /* a line of the JSON array has been printed */
};

/* Both leave their results in the context; `agree` says whether they are the same. */
struct contest {
    const char *name;
    size_t size;
    unsigned threads;
    void (*ours)(void *context);
    void (*theirs)(void *context);
    bool (*agree)(const void *context);
    void *context;
};

/* Runs and reports; ends the program if the results differ. */
void contest_run(struct settings *s, const struct contest *c);

/* Memory, or the end of the program. */
void *take_memory(size_t bytes);
struct pool *start_pool(unsigned threads);

void compare_fields(struct settings *s);
void compare_sums(struct settings *s);
void compare_pairings(struct settings *s);

#endif
