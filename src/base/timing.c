#include "base/timing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool timing_wanted(void)
{
    static const char *const no[] = { "", "0", "false", "no", "off" };
    const char *value = getenv("CUZK_TIMING");
    if (!value) return false;
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        if (strcasecmp(value, no[i]) == 0) return false;
    }
    return true;
}

struct timing_tag timing_tag(struct bytes job, size_t partition)
{
    enum { ID_BYTES = 40 };
    struct timing_tag out = { "" };
    char id[ID_BYTES + 1];
    size_t n = job.size < ID_BYTES ? job.size : ID_BYTES, at = 0;
    for (size_t i = 0; i < n; i++) id[i] = isgraph(job.data[i]) ? (char)job.data[i] : '?';
    id[n] = '\0';
    if (n) at = (size_t)snprintf(out.text, sizeof out.text, " job=%s", id);
    if (partition != TIMING_WHOLE) snprintf(out.text + at, sizeof out.text - at, " partition=%zu", partition);
    return out;
}

void timing_mark(bool on, const char *name, uint64_t nanoseconds, const struct timing_tag *tag, const char *note)
{
    char line[256];
    if (!on) return;
    int size = snprintf(line, sizeof line, "CUZK_TIMING: %s_ms=%.3f%s%s%s\n", name, 1e-6 * (double)nanoseconds,
                        tag ? tag->text : "", note ? " " : "", note ? note : "");
    if (size > (int)sizeof line - 1) size = sizeof line - 1;
    ssize_t written = write(STDERR_FILENO, line, (size_t)size);
    (void)written; /* nobody to tell */
}
