#include "cli/progress_bar.h"

#include "base/clock.h"

#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 40 };

static void draw(void *context, uint64_t done, uint64_t total)
{
    struct progress_bar *b = context;
    double now = 1e-9 * (double)clock_now();
    if (!b->terminal || total == 0 || now - b->started < 1 || now - b->shown < 0.1) return;
    double part = (double)done / (double)total, left = (now - b->started) * (1 - part) / (part > 0 ? part : 1);
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) bar[i] = i < part * WIDTH ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r%s [%s] %3.0f %%, %.0f s left   ", b->what, bar, 100 * part, left);
    b->shown = now;
    b->drawn = true;
}

void progress_bar_begin(struct progress_bar *b, const char *what)
{
    *b = (struct progress_bar){ .what = what, .started = 1e-9 * (double)clock_now(), .terminal = isatty(STDERR_FILENO) };
    b->progress = (struct progress){ draw, b };
}

void progress_bar_end(struct progress_bar *b)
{
    if (b->drawn) fprintf(stderr, "\r%*s\r", WIDTH + 60, "");
}
