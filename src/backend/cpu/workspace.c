#define _GNU_SOURCE
#include "backend/cpu/workspace.h"

#include "backend/cpu/section_sum.h"
#include "base/huge.h"

#include <stdlib.h>
#include <sys/mman.h>

/* ---- sizes ---- */

static uint64_t max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t shared_bytes(const struct workspace_shape *s)
{
    uint64_t quotient = (s->domain + ROW_CHUNK) * sizeof(fr_t);
    uint64_t h = (s->domain < H_CHUNK ? s->domain : H_CHUNK) * sizeof(g1_affine_t);
    return max_u64(quotient, max_u64(h, section_sum_bytes(SECTION_CHUNK, s->inputs, s->wides, s->threads)));
}

/* Terms of the longest sum over private variables. */
static uint64_t wide_terms(const struct workspace_shape *s) { return s->inputs + s->wides; }

/* Do these sums use the workspace of h? Its window suits them only if they are about as long. */
static bool share_msm(const struct workspace_shape *s) { return 4 * wide_terms(s) >= s->domain; }

/* The bounds of msm.h, in MB: by the number of points, and for each thread. */
static uint64_t msm_bytes(uint64_t points, const unsigned mb[4], double mb_thread, unsigned threads)
{
    unsigned of = mb[3];
    if (points <= UINT64_C(1) << 21) of = mb[2];
    if (points <= UINT64_C(1) << 17) of = mb[1];
    if (points <= UINT64_C(1) << 14) of = mb[0];
    unsigned beyond = threads > 16 ? threads - 16 : 0;
    return (uint64_t)(1e6 * (of + mb_thread * threads + 0.3 * beyond));
}

struct workspace_shape workspace_shape(const struct circuit *c, const struct pool *pool)
{
    return (struct workspace_shape){ UINT64_C(1) << c->log2_domain, c->inputs, c->wides, pool_threads(pool) };
}

static const unsigned g1_mb[4] = { 7, 8, 51, 270 }, g2_mb[4] = { 10, 13, 83, 475 };

static uint64_t own_msm_bytes(const struct workspace_shape *s)
{
    return msm_bytes(wide_terms(s), g1_mb, 1.6, s->threads);
}

uint64_t workspace_bound(const struct workspace_shape *s)
{
    return s->domain * sizeof(fr_t) + shared_bytes(s) + msm_bytes(s->domain, g1_mb, 1.6, s->threads) +
           own_msm_bytes(s) + msm_bytes(wide_terms(s), g2_mb, 2.9, s->threads);
}

uint64_t workspace_bytes(const struct workspace_shape *s)
{
    return workspace_bound(s) - (share_msm(s) ? own_msm_bytes(s) : 0);
}

/* ---- one ---- */

static void workspace_free(struct workspace *w)
{
    if (w->msm_g1 != w->msm_h) g1_msm_destroy(w->msm_g1);
    g1_msm_destroy(w->msm_h);
    g2_msm_destroy(w->msm_g2);
    if (w->memory) munmap(w->memory, w->size);
    free(w);
}

void workspaces_free(struct workspace *list)
{
    while (list) {
        struct workspace *next = list->next;
        workspace_free(list);
        list = next;
    }
}

static cuzk_status map_memory(struct workspace *w, const struct workspace_shape *shape, cuzk_error *err)
{
    size_t size = shape->domain * sizeof(fr_t) + shared_bytes(shape);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a prover's workspace of %zu bytes", size);
    }
    huge_advise(memory, size);
    w->memory = memory;
    w->size = size;
    w->a = memory;
    w->shared = w->a + shape->domain;
    return CUZK_OK;
}

static cuzk_status workspace_create(struct workspace **out, const struct circuit *c, struct pool *pool,
                                    cuzk_error *err)
{
    struct workspace *w = *out = calloc(1, sizeof *w);
    if (!w) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a prover's workspace");
    struct workspace_shape shape = workspace_shape(c, pool);
    cuzk_status status = map_memory(w, &shape, err);
    if (status == CUZK_OK) status = g1_msm_create(&w->msm_h, shape.domain - 1, pool, err);
    if (status == CUZK_OK && share_msm(&shape))
        w->msm_g1 = w->msm_h;
    else if (status == CUZK_OK)
        status = g1_msm_create(&w->msm_g1, wide_terms(&shape), pool, err);
    if (status == CUZK_OK) status = g2_msm_create(&w->msm_g2, wide_terms(&shape), pool, err);
    if (status != CUZK_OK) {
        workspace_free(w);
        *out = NULL;
    }
    return status;
}

/* ---- the shelf ---- */

void shelf_create(struct shelf *s)
{
    pthread_mutex_init(&s->lock, NULL);
    s->idle = NULL;
}

void shelf_destroy(struct shelf *s)
{
    workspaces_free(shelf_clear(s));
    pthread_mutex_destroy(&s->lock);
}

cuzk_status shelf_take(struct workspace **out, struct shelf *s, const struct backend_circuit *c, struct pool *pool,
                       cuzk_error *err)
{
    pthread_mutex_lock(&s->lock);
    struct workspace *w = *out = s->idle;
    if (w) s->idle = w->next;
    pthread_mutex_unlock(&s->lock);
    if (!w) return workspace_create(out, c->circuit, pool, err);
    w->next = NULL;
    return CUZK_OK;
}

void shelf_put(struct shelf *s, struct workspace *w)
{
    pthread_mutex_lock(&s->lock);
    w->next = s->idle;
    s->idle = w;
    pthread_mutex_unlock(&s->lock);
}

struct workspace *shelf_clear(struct shelf *s)
{
    pthread_mutex_lock(&s->lock);
    struct workspace *list = s->idle;
    s->idle = NULL;
    pthread_mutex_unlock(&s->lock);
    return list;
}
