/* The highest anonymous memory of this process (RssAnon of /proc/self/status, so mapped parameter files do not
 * count), sampled a hundred times a second by a thread of its own. */
#ifndef CUZK_CLI_PEAK_MEMORY_H
#define CUZK_CLI_PEAK_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct peak_memory {
    pthread_t thread;
    bool started;
    atomic_bool stop;
    uint64_t bytes;
};

void peak_memory_begin(struct peak_memory *p);
uint64_t peak_memory_end(struct peak_memory *p); /* bytes; 0 if it cannot be known */

#endif
