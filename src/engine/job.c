#include "engine/job.h"

#include <stdlib.h>
#include <string.h>

const char *job_state_name(enum job_state state)
{
    static const char *const names[] = { "queued",    "preparing", "proving",  "verifying",
                                         "completed", "failed",    "cancelled" };
    return names[state];
}

static bool copy_bytes(struct bytes *out, struct bytes in)
{
    uint8_t *copy = malloc(in.size + 1);
    if (!copy) return false;
    if (in.size) memcpy(copy, in.data, in.size);
    copy[in.size] = 0;
    *out = (struct bytes){ copy, in.size };
    return true;
}

struct job *job_create(struct bytes job_id, struct bytes request_id, const uint8_t hash[DIGEST_BYTES])
{
    struct job *job = calloc(1, sizeof *job);
    if (!job) return NULL;
    if (!copy_bytes(&job->job_id, job_id) || !copy_bytes(&job->request_id, request_id)) {
        job_free(job);
        return NULL;
    }
    memcpy(job->hash, hash, DIGEST_BYTES);
    job->holds = 1;
    job->list = LIST_NONE;
    job->srs_span = job->finish_span = SIZE_MAX;
    return job;
}

void job_free(struct job *job)
{
    if (!job) return;
    arena_release(&job->payload_memory);
    if (job->payload_here && job->owner.release) job->owner.release(job->owner.context);
    free((void *)(uintptr_t)job->job_id.data);
    free((void *)(uintptr_t)job->request_id.data);
    free(job->partitions);
    free(job->proofs);
    free(job->error);
    timeline_release(&job->timeline);
    free(job);
}

bool job_before(const struct job *a, const struct job *b)
{
    if (a->priority != b->priority) return a->priority > b->priority;
    uint64_t x = a->deadline ? a->deadline : UINT64_MAX, y = b->deadline ? b->deadline : UINT64_MAX;
    if (x != y) return x < y;
    return a->sequence < b->sequence;
}

void job_fail_text(struct job *job, const char *text)
{
    free(job->error);
    job->error = strdup(text);
}

static void queue_link(struct job_queue *q, struct job *job, struct job *before)
{
    struct job *previous = before ? before->order.previous : q->last;
    job->order = (struct job_link){ before, previous };
    *(previous ? &previous->order.next : &q->first) = job;
    *(before ? &before->order.previous : &q->last) = job;
    q->count++;
}

void queue_insert(struct job_queue *q, struct job *job)
{
    struct job *before = NULL; /* from the end: most jobs go last */
    for (struct job *at = q->last; at && job_before(job, at); at = at->order.previous) before = at;
    queue_link(q, job, before);
}

void queue_append(struct job_queue *q, struct job *job) { queue_link(q, job, NULL); }

void queue_remove(struct job_queue *q, struct job *job)
{
    struct job_link l = job->order;
    *(l.previous ? &l.previous->order.next : &q->first) = l.next;
    *(l.next ? &l.next->order.previous : &q->last) = l.previous;
    job->order = (struct job_link){ 0 };
    q->count--;
}

size_t queue_position(const struct job_queue *q, const struct job *job)
{
    size_t n = 0;
    for (const struct job *at = q->first; at && at != job; at = at->order.next) n++;
    return n;
}

uint64_t request_bytes(const struct request *r)
{
    uint64_t bytes = r->vanilla_proof.size + r->randomness.size + r->request_id.size;
    bytes += r->comm_r_old.size + r->comm_r_new.size + r->comm_d_new.size;
    for (size_t i = 0; i < r->vanilla_proof_count; i++) {
        bytes += r->vanilla_proofs[i].size + sizeof r->vanilla_proofs[i];
    }
    return bytes;
}
