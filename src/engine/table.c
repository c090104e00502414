/* Jobs by job id and by identity: two chained hash tables over the same records. */
#include "engine/engine_private.h"

#include <string.h>

/* FNV-1a; the ids come from clients, but a table of at most a few thousand records cannot be made slow by much. */
static size_t bucket_of(struct bytes b)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < b.size; i++) h = (h ^ b.data[i]) * UINT64_C(0x100000001b3);
    return (size_t)(h ^ h >> 32) & (BUCKETS - 1);
}

static size_t identity_bucket(const uint8_t hash[DIGEST_BYTES])
{
    return (size_t)load_le32(hash) & (BUCKETS - 1); /* uniform already */
}

static bool same(struct bytes a, struct bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

void job_hold(struct job *job) { job->holds++; }

void job_release(struct engine *e, struct job *job)
{
    (void)e;
    if (--job->holds == 0) job_free(job);
}

void table_add(struct engine *e, struct job *job)
{
    size_t id = bucket_of(job->job_id), identity = identity_bucket(job->hash);
    job->by_id_next = e->by_id[id];
    e->by_id[id] = job;
    job->by_identity_next = e->by_identity[identity];
    e->by_identity[identity] = job;
    job->all = (struct job_link){ e->jobs, NULL };
    if (e->jobs) e->jobs->all.previous = job;
    e->jobs = job;
    e->job_count++;
    job_hold(job);
}

void table_remove(struct engine *e, struct job *job)
{
    struct job **at = &e->by_id[bucket_of(job->job_id)];
    while (*at != job) at = &(*at)->by_id_next;
    *at = job->by_id_next;
    at = &e->by_identity[identity_bucket(job->hash)];
    while (*at != job) at = &(*at)->by_identity_next;
    *at = job->by_identity_next;
    struct job_link l = job->all;
    *(l.previous ? &l.previous->all.next : &e->jobs) = l.next;
    if (l.next) l.next->all.previous = l.previous;
    e->job_count--;
    if (job->list == LIST_RECENT) {
        queue_remove(&e->recent, job);
        job->list = LIST_NONE;
    }
    job_release(e, job);
}

struct job *table_find(struct engine *e, struct bytes job_id)
{
    struct job *job = e->by_id[bucket_of(job_id)];
    while (job && !same(job->job_id, job_id)) job = job->by_id_next;
    return job;
}

struct job *table_find_identity(struct engine *e, struct bytes request_id, const uint8_t hash[DIGEST_BYTES])
{
    for (struct job *job = e->by_identity[identity_bucket(hash)]; job; job = job->by_identity_next) {
        bool ended_badly = job->state == JOB_FAILED || job->state == JOB_CANCELLED;
        if (ended_badly || memcmp(job->hash, hash, DIGEST_BYTES) != 0) continue;
        if (same(job->request_id, request_id)) return job;
    }
    return NULL;
}

void table_supersede(struct engine *e, struct job *job)
{
    job->superseded = true;
    table_remove(e, job);
}
