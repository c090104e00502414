#include "cli/peak_memory.h"

#include <stdio.h>
#include <time.h>

static uint64_t anonymous_bytes(void)
{
    FILE *f = fopen("/proc/self/status", "re");
    char line[128];
    unsigned long long kilobytes = 0;
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "RssAnon: %llu kB", &kilobytes) == 1) break;
    }
    if (f) fclose(f);
    return kilobytes * 1024;
}

static void *sample(void *context)
{
    struct peak_memory *p = context;
    while (!atomic_load(&p->stop)) {
        uint64_t now = anonymous_bytes();
        if (now > p->bytes) p->bytes = now;
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    }
    return NULL;
}

void peak_memory_begin(struct peak_memory *p)
{
    *p = (struct peak_memory){ .bytes = anonymous_bytes() };
    p->started = pthread_create(&p->thread, NULL, sample, p) == 0;
}

uint64_t peak_memory_end(struct peak_memory *p)
{
    atomic_store(&p->stop, true);
    if (p->started) pthread_join(p->thread, NULL);
    uint64_t now = anonymous_bytes();
    return now > p->bytes ? now : p->bytes;
}
