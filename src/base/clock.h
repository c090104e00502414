/* Time: monotonic for intervals, the calendar for what people and journals read. */
#ifndef CUZK_BASE_CLOCK_H
#define CUZK_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_MS UINT64_C(1000000) /* nanoseconds */
#define CLOCK_SECOND UINT64_C(1000000000)

/* CLOCK_MONOTONIC in nanoseconds; never 0, so that 0 can stand for "not yet". */
static inline uint64_t clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * CLOCK_SECOND + (uint64_t)t.tv_nsec + 1;
}

/* Milliseconds since 1970. */
static inline int64_t clock_calendar_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

#endif
