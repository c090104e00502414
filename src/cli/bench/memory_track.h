/* This process's anonymous resident memory over time, sampled by a thread of its own, with named moments. */
#ifndef CUZK_CLI_MEMORY_TRACK_H
#define CUZK_CLI_MEMORY_TRACK_H

#include "base/status.h"

#include <jansson.h>

struct memory_track;

cuzk_status memory_track_begin(struct memory_track **out, cuzk_error *err);

/* Something begins now. From the thread that began the track. */
void memory_track_event(struct memory_track *t, const char *name);

/* Stops and adds "samples": [[t_ms, bytes], …] and "events": [{"t_ms", "name"}, …] to an object. NULL is allowed as a
 * track, and as an object: nothing is added then. */
void memory_track_end(struct memory_track *t, json_t *into);

#endif
