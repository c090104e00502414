#include "cli/bench/memory_track.h"

#include "base/clock.h"
#include "base/vec.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { INTERVAL_MS = 5 };

struct sample {
    double ms, bytes;
};

struct memory_track {
    uint64_t begin;
    pthread_t thread;
    atomic_bool stop;
    struct vec samples; /* struct sample; the thread's until it has ended */
    json_t *events;
};

static double anonymous_bytes(void)
{
    FILE *f = fopen("/proc/self/status", "re");
    char line[128];
    unsigned long long kilobytes = 0;
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "RssAnon: %llu kB", &kilobytes) == 1) break;
    }
    if (f) fclose(f);
    return 1024.0 * (double)kilobytes;
}

static double elapsed_ms(const struct memory_track *t) { return 1e-6 * (double)(clock_now() - t->begin); }

static void *sample_main(void *context)
{
    struct memory_track *t = context;
    while (!atomic_load(&t->stop)) {
        struct sample s = { elapsed_ms(t), anonymous_bytes() };
        vec_push(&t->samples, &s, sizeof s);
        nanosleep(&(struct timespec){ .tv_nsec = INTERVAL_MS * 1000000L }, NULL);
    }
    return NULL;
}

cuzk_status memory_track_begin(struct memory_track **out, cuzk_error *err)
{
    struct memory_track *t = *out = calloc(1, sizeof *t);
    if (!t) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to watch memory");
    t->begin = clock_now();
    t->events = json_array();
    if (pthread_create(&t->thread, NULL, sample_main, t) == 0) return CUZK_OK;
    json_decref(t->events);
    free(t);
    *out = NULL;
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no thread to watch memory");
}

void memory_track_event(struct memory_track *t, const char *name)
{
    json_array_append_new(t->events, json_pack("{s:f, s:s}", "t_ms", elapsed_ms(t), "name", name));
}

/* The ends of the record, and every sample that differs from the one before. */
static json_t *samples_json(const struct memory_track *t)
{
    const struct sample *s = t->samples.data;
    json_t *list = json_array();
    for (size_t i = 0; i < t->samples.count; i++) {
        bool inside = i > 0 && i + 1 < t->samples.count;
        if (inside && s[i].bytes == s[i - 1].bytes && s[i].bytes == s[i + 1].bytes) continue;
        json_array_append_new(list, json_pack("[f, f]", s[i].ms, s[i].bytes));
    }
    return list;
}

void memory_track_end(struct memory_track *t, json_t *into)
{
    if (!t) return;
    atomic_store(&t->stop, true);
    pthread_join(t->thread, NULL);
    if (into) {
        json_object_set_new(into, "samples", samples_json(t));
        json_object_set(into, "events", t->events);
    }
    json_decref(t->events);
    vec_free(&t->samples);
    free(t);
}
