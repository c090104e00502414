/* CUZK_TIMING=1: every interval of a proof as a line on stderr, so that the outer timer less the inner ones is visible
 * at all times, freeing included:
 *
 *     CUZK_TIMING: msm_h_ms=812.345 job=7f3a partition=3
 *
 * Of one proof, in order (docs/benchmarks.md has an example):
 *     entry_prep_ms                           from the call to typed and checked inputs
 *     open_ms, srs_ms, queue_ms               parameters, waiting
 *     alloc_ms, workspace_ms                  getting the working sets
 *     witness_ms, evaluate_ms, quotient_ms, msm_h_ms, msm_l_ms, msm_a_ms, msm_b_g1_ms, msm_b_g2_ms, epilogue_ms
 *                                             the inner stages of a partition
 *     verify_ms
 *     reply_ms                                the answer on its way
 *     pre_destructor_ms                       from the call until nothing but freeing is left
 *     deallocation_ms                         freeing; `deferred` where the reaper does it, beside later work
 *     outer_ms                                from the call until the caller has control again
 */
#ifndef CUZK_BASE_TIMING_H
#define CUZK_BASE_TIMING_H

#include "base/bytes.h"

#include <stdbool.h>

/* Does the environment ask for it? 0, false, no, off and empty are no. */
bool timing_wanted(void);

/* What a line is about: a job (any bytes, printed escaped and shortened) and a partition. */
enum { TIMING_TAG_BYTES = 96 };
struct timing_tag {
    char text[TIMING_TAG_BYTES]; /* "" or " job=… partition=…" */
};

#define TIMING_WHOLE SIZE_MAX /* no partition */

struct timing_tag timing_tag(struct bytes job, size_t partition);

/* Writes one line with one write(2), or nothing unless `on`. `name` without "_ms". `note` may be NULL: more words for
 * the end of the line. Async-signal-unsafe. */
void timing_mark(bool on, const char *name, uint64_t nanoseconds, const struct timing_tag *tag, const char *note);

#endif
