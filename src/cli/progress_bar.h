/* A progress bar on stderr, shown when that is a terminal and the work lasts over a second. */
#ifndef CUZK_CLI_PROGRESS_BAR_H
#define CUZK_CLI_PROGRESS_BAR_H

#include "backend/backend.h"

#include <stdbool.h>

struct progress_bar {
    const char *what;
    double started, shown; /* seconds */
    bool terminal, drawn;
    struct progress progress; /* hand this on */
};

void progress_bar_begin(struct progress_bar *b, const char *what);
void progress_bar_end(struct progress_bar *b); /* wipes the line */

#endif
