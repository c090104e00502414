/* Where a job's wall time went (design §3).
 *
 * A timeline is a list of spans. Any number of spans may overlap; timings_of attributes every instant between begin
 * and end to exactly one phase: gpu where any partition is on a device, else synth (reading, checking, filling), else
 * srs (waiting for parameters), else finish (assembling, verifying, publishing), else queue. So
 * queue + srs + synth + gpu + finish = total to the nanosecond. The busy sums beside them add the spans up without
 * regard to overlap and may exceed the total.
 *
 * All times are clock_now() nanoseconds. Not thread-safe: the engine's lock guards it.
 */
#ifndef CUZK_ENGINE_TIMELINE_H
#define CUZK_ENGINE_TIMELINE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In order of precedence. */
enum phase { PHASE_GPU, PHASE_SYNTH, PHASE_SRS, PHASE_FINISH, PHASE_QUEUE, PHASES };

struct timings {
    uint64_t phase[PHASES]; /* exclusive; their sum is total */
    uint64_t total;
    uint64_t busy[PHASES]; /* sums of spans; queue has none */
};

struct span {
    enum phase phase;
    uint32_t partition; /* SPAN_JOB: of the job as a whole */
    uint32_t device;
    uint64_t begin, end; /* end 0: still open */
};

#define SPAN_JOB UINT32_MAX

struct timeline {
    uint64_t begin, end; /* end 0: still running */
    struct span *spans;
    size_t count, capacity;
};

void timeline_begin(struct timeline *t, uint64_t now);

/* Opens a span and returns its number, SIZE_MAX without memory (the time then counts as queue). */
size_t timeline_open(struct timeline *t, enum phase phase, uint32_t partition, uint32_t device, uint64_t now);
void timeline_close(struct timeline *t, size_t span, uint64_t now);

void timeline_end(struct timeline *t, uint64_t now); /* closes what is open */
void timeline_release(struct timeline *t);

/* Up to `now` if the timeline has not ended. */
void timings_of(struct timings *out, const struct timeline *t, uint64_t now);

/* The log line of design §3 without a newline: "timings: total=812 ms (queue=… ms, …) busy: synth=… ms gpu=… ms".
 * Whole milliseconds, rounded so that the five still add up to the total. */
void timings_text(char *out, size_t size, const struct timings *t);

/* Whole milliseconds of the phases (rounded as in the text) and of the total. */
void timings_ms(uint64_t phase_ms[PHASES], uint64_t *total_ms, const struct timings *t);

#endif
