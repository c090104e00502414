/* Counts what gives memory back to the system or to malloc: munmap, madvise with MADV_DONTNEED, MADV_FREE or
 * MADV_REMOVE, and free or realloc of a block of 64 KiB or more. Programs that use it are linked with
 * --wrap=free,realloc,munmap,madvise (CMakeLists.txt), so every call from the project's own code is seen, that of the
 * reaper's thread excepted.
 *
 * --wrap=proof_assemble makes a hook of the moment at which the five sums are there: frees_inject lets it free a block
 * there, so that tests show that they can fail.
 */
#ifndef CUZK_TESTS_PATH_FREES_H
#define CUZK_TESTS_PATH_FREES_H

#include <stdbool.h>
#include <stddef.h>

enum { LARGE_FREE = 64 << 10 };

struct frees {
    unsigned munmaps, madvises, large;
    size_t bytes; /* of all of them */
};

/* Since the last frees_begin, and since the last proof was assembled. */
struct frees_report {
    struct frees all, after_result;
    unsigned results; /* proofs assembled */
};

void frees_begin(void);
struct frees_report frees_end(void);

enum frees_fault { FAULT_NONE, FAULT_FREE, FAULT_MUNMAP, FAULT_MADVISE };
void frees_inject(enum frees_fault fault);

static inline unsigned frees_count(const struct frees *f) { return f->munmaps + f->madvises + f->large; }

#endif
