/* Reads the lines of CUZK_TIMING (base/timing.h) out of a program's stderr. */
#ifndef CUZK_TESTS_PATH_MARKS_H
#define CUZK_TESTS_PATH_MARKS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sum over all lines with this name that contain `about`, in ms, and how many there were. */
static inline double marks_sum(const char *text, const char *name, const char *about, unsigned *count)
{
    char wanted[64];
    double sum = 0;
    unsigned n = 0;
    size_t size = (size_t)snprintf(wanted, sizeof wanted, "CUZK_TIMING: %s_ms=", name);
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char whole[256];
        snprintf(whole, sizeof whole, "%.*s", (int)strcspn(line, "\n"), line);
        if (strncmp(whole, wanted, size) != 0 || !strstr(whole, about)) continue;
        sum += atof(whole + size);
        n++;
    }
    if (count) *count = n;
    return sum;
}

/* A hundredth of the whole, and at least 2 ms: what may be unaccounted for. */
static inline double marks_slack(double whole) { return whole / 100 > 2 ? whole / 100 : 2; }

#endif
