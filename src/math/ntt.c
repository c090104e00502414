/* Constants. The block b of level t (0 ≤ b < 2^t) holds a remainder modulo x^2n − c(b)^2, 2n = m/2^t, where
 * c(b) stands at the angle
 *
 *   turn(b) = Σ (bit j of b)·2^−(j + 2)
 *
 * of the circle of roots of unity, whatever t and m: c(2b)^2 = c(b) and c(2b + 1) = √−1·c(2b) are what the
 * splits into x^n − c and x^n + c ask for. The twisted coset is the right half of the tree of the domain twice
 * as large, blocks 2^t + b. turn is additive over the bits of b, so c(h·2^q + l) = c(h·2^q)·c(l), and a table
 * of 2^TABLE_LOG constants with one of their high parts serves all sizes. turn(b) + turn(b') = 1/2 if b' is b
 * with all bits below its highest one flipped, so 1/c(b) = −c(b'), and the inverse transform reads the same
 * table. */
#include "math/ntt.h"

#include "base/huge.h"
#include "math/cpu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include "math/fr_lanes.h"
#endif

enum {
    TABLE_LOG = 20, /* 32 MiB */
    BLOCK_LOG = 12, /* elements that the last levels work on at once: 128 KiB */
    TILE_LOG = 11,  /* elements that the levels above them gather: 64 KiB */
    PASS_LOG = 8,   /* at most so many levels in one such pass */
    GRAIN = 4096,
    COSET_SHIFT = 7,
};

struct ntt_domain {
    unsigned k;
    unsigned low_log;
    fr_t *low;  /* low[b] = c(b), b < 2^low_log */
    fr_t *high; /* high[h] = c(h·2^low_log) */
    fr_t size_inverse;
    bool lanes;
};

void ntt_root(fr_t *out, unsigned k)
{
    /* 7^((r − 1)/2^32), of order 2^32, in Montgomery form */
    static const fr_t root = { { 0xb9b58d8c5f0e466a, 0x5b1b4c801819d7ec, 0x0af53ae352a31e64, 0x5bf3adda19e9b27b } };
    assert(k <= NTT_MAX_LOG);
    *out = root;
    for (unsigned i = k; i < NTT_MAX_LOG; i++) fr_sqr(out, out);
}

void ntt_domain_use_lanes(struct ntt_domain *domain, bool lanes) { domain->lanes = lanes && cpu_level() == CPU_IFMA; }

unsigned ntt_domain_log(const struct ntt_domain *domain) { return domain->k; }

size_t ntt_domain_size(const struct ntt_domain *domain) { return (size_t)1 << domain->k; }

struct doubling {
    fr_t *table;
    size_t half;
    fr_t factor;
};

static void extend_table(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct doubling *s = context;
    for (size_t i = begin; i < end; i++) fr_mul(&s->table[s->half + i], &s->table[i], &s->factor);
}

/* table[b] = c(b·2^shift), b < 2^log. */
static void fill_table(fr_t *table, unsigned log, unsigned shift, struct pool *pool)
{
    table[0] = FR_ONE;
    for (unsigned s = 0; s < log; s++) {
        struct doubling step = { .table = table, .half = (size_t)1 << s };
        ntt_root(&step.factor, s + shift + 2);
        pool_for(pool, step.half, GRAIN, extend_table, &step);
    }
}

cuzk_status ntt_domain_create(struct ntt_domain **out, unsigned k, struct pool *pool, cuzk_error *err)
{
    *out = NULL;
    if (k > NTT_MAX_LOG) return cuzk_fail(err, CUZK_ERR_USAGE, "domain of 2^%u: at most 2^32", k);
    struct ntt_domain *d = calloc(1, sizeof *d);
    if (!d) goto no_memory;
    /* Blocks of the twisted coset go up to m; a domain of 2^32 has none. */
    unsigned log = k < NTT_MAX_LOG ? k : k - 1;
    d->k = k;
    ntt_domain_use_lanes(d, true);
    d->low_log = log < TABLE_LOG ? log : TABLE_LOG;
    d->low = malloc(sizeof(fr_t) << d->low_log);
    d->high = malloc(sizeof(fr_t) << (log - d->low_log));
    if (!d->low || !d->high) goto no_memory;
    huge_advise(d->low, sizeof(fr_t) << d->low_log);
    fill_table(d->low, d->low_log, 0, pool);
    fill_table(d->high, log - d->low_log, d->low_log, pool);
    fr_from_u64(&d->size_inverse, (uint64_t)1 << k);
    fr_inv_var(&d->size_inverse, &d->size_inverse);
    *out = d;
    return CUZK_OK;
no_memory:
    ntt_domain_destroy(d);
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the tables of a domain of 2^%u", k);
}

void ntt_domain_destroy(struct ntt_domain *domain)
{
    if (!domain) return;
    free(domain->low);
    free(domain->high);
    free(domain);
}

/* c(b), from the table or computed into *space. */
static inline const fr_t *block_constant(const struct ntt_domain *d, size_t b, fr_t *space)
{
    size_t high = b >> d->low_log;
    if (high == 0) return &d->low[b];
    fr_mul(space, &d->low[b & (((size_t)1 << d->low_log) - 1)], &d->high[high]);
    return space;
}

/* b with all bits below its highest one flipped; b > 0. */
static inline size_t mirror_block(size_t b) { return b ^ (((size_t)1 << (63 - __builtin_clzll(b))) - 1); }

/* (x, y) ← (x + y, x − y) */
static void butterflies_plain(fr_t *x, fr_t *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fr_t t = y[i];
        fr_sub(&y[i], &x[i], &t);
        fr_add(&x[i], &x[i], &t);
    }
}

/* (x, y) ← (x + c·y, x − c·y) */
static void butterflies_split(fr_t *x, fr_t *y, const fr_t *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fr_t t;
        fr_mul(&t, &y[i], c);
        fr_sub(&y[i], &x[i], &t);
        fr_add(&x[i], &x[i], &t);
    }
}

/* (x, y) ← (x + y, (y − x)·c) */
static void butterflies_join(fr_t *x, fr_t *y, const fr_t *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fr_t t;
        fr_sub(&t, &y[i], &x[i]);
        fr_add(&x[i], &x[i], &y[i]);
        fr_mul(&y[i], &t, c);
    }
}

/* One level of the tree below block `index`: 2^t blocks of 2n elements. */
static void split_level(fr_t *x, unsigned t, size_t n, size_t index, const struct ntt_domain *d)
{
    for (size_t j = 0; j < (size_t)1 << t; j++, x += 2 * n) {
        size_t b = (index << t) + j;
        fr_t space;
        if (b == 0) {
            butterflies_plain(x, x + n, n);
        } else {
            butterflies_split(x, x + n, block_constant(d, b, &space), n);
        }
    }
}

static void join_level(fr_t *x, unsigned t, size_t n, size_t index, const struct ntt_domain *d)
{
    for (size_t j = 0; j < (size_t)1 << t; j++, x += 2 * n) {
        size_t b = (index << t) + j;
        fr_t space;
        if (b == 0) {
            butterflies_plain(x, x + n, n);
        } else {
            butterflies_join(x, x + n, block_constant(d, mirror_block(b), &space), n);
        }
    }
}

/* Levels [first, last) of the whole tree. A block of level `first` is 2^(last − first) rows of m/2^last
 * elements; the columns are independent, and a tile is `width` of them. */
struct pass {
    fr_t *x;
    const struct ntt_domain *domain;
    enum ntt_set set;
    bool join;
    unsigned first, last;
    size_t width;
};

#if defined(__x86_64__)
#include "math/ntt_lanes.h"

static bool use_lanes(const struct ntt_domain *d, size_t elements) { return d->lanes && elements >= 64; }
#else
static bool use_lanes(const struct ntt_domain *d, size_t elements) { return d->lanes && elements == 0; }
static void lanes_run_tile(const struct pass *p, fr_t *x, size_t rows, size_t width, size_t stride, size_t index)
{
    (void)p, (void)x, (void)rows, (void)width, (void)stride, (void)index;
}
#endif

/* A block of level p->first, counted through the tree of twice the size if the set is the twisted coset. */
static size_t tree_index(const struct pass *p, size_t block)
{
    return block + (p->set == NTT_TWISTED ? (size_t)1 << p->first : 0);
}

static void run_levels(const struct pass *p, fr_t *x, size_t width, size_t index)
{
    unsigned levels = p->last - p->first;
    for (unsigned i = 0; i < levels; i++) {
        unsigned t = p->join ? levels - 1 - i : i;
        size_t n = width << (levels - 1 - t);
        if (p->join) {
            join_level(x, t, n, index, p->domain);
        } else {
            split_level(x, t, n, index, p->domain);
        }
    }
}

static void run_blocks(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct pass *p = context;
    size_t size = ntt_domain_size(p->domain) >> p->first;
    for (size_t block = begin; block < end; block++) {
        fr_t *x = p->x + block * size;
        size_t index = tree_index(p, block);
        if (use_lanes(p->domain, size)) {
            lanes_run_tile(p, x, size, 1, 0, index);
        } else {
            run_levels(p, x, 1, index);
        }
    }
}

static void run_tiles(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct pass *p = context;
    fr_t tile[1 << TILE_LOG];
    size_t stride = ntt_domain_size(p->domain) >> p->last, rows = (size_t)1 << (p->last - p->first);
    size_t tiles = stride / p->width, bytes = p->width * sizeof(fr_t);
    for (size_t i = begin; i < end; i++) {
        size_t index = tree_index(p, i / tiles);
        fr_t *x = p->x + i / tiles * rows * stride + i % tiles * p->width;
        if (use_lanes(p->domain, rows * p->width)) {
            lanes_run_tile(p, x, rows, p->width, stride, index);
            continue;
        }
        for (size_t r = 0; r < rows; r++) memcpy(tile + r * p->width, x + r * stride, bytes);
        run_levels(p, tile, p->width, index);
        for (size_t r = 0; r < rows; r++) memcpy(x + r * stride, tile + r * p->width, bytes);
    }
}

static void run_pass(struct pass *p, struct pool *pool)
{
    if (p->last == p->domain->k) {
        pool_for(pool, (size_t)1 << p->first, 1, run_blocks, p);
    } else {
        p->width = (size_t)1 << (TILE_LOG - (p->last - p->first));
        pool_for(pool, (size_t)1 << (p->domain->k - TILE_LOG), 1, run_tiles, p);
    }
}

/* Pass i of the tree: the last one has BLOCK_LOG levels, those above share the rest evenly. */
static void transform(fr_t *x, enum ntt_set set, bool join, const struct ntt_domain *d, struct pool *pool)
{
    unsigned top = d->k > BLOCK_LOG ? d->k - BLOCK_LOG : 0;
    unsigned above = (top + PASS_LOG - 1) / PASS_LOG;
    assert(d->k < NTT_MAX_LOG || set == NTT_PLAIN);
    for (unsigned i = 0; i <= above; i++) {
        unsigned j = join ? above - i : i;
        struct pass p = { .x = x, .domain = d, .set = set, .join = join };
        p.first = j < above ? top * j / above : top;
        p.last = j < above ? top * (j + 1) / above : d->k;
        run_pass(&p, pool);
    }
}

void ntt_evaluate(fr_t *x, enum ntt_set set, const struct ntt_domain *domain, struct pool *pool)
{
    transform(x, set, false, domain, pool);
}

void ntt_interpolate(fr_t *x, enum ntt_set set, const struct ntt_domain *domain, struct pool *pool)
{
    transform(x, set, true, domain, pool);
}

struct reversal {
    fr_t *x;
    unsigned k, edge; /* the highest and lowest `edge` bits of an index make a square of rows and columns */
};

static void swap_squares(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct reversal *s = context;
    unsigned middle_log = s->k - 2 * s->edge;
    size_t side = (size_t)1 << s->edge;
    for (size_t middle = begin; middle < end; middle++) {
        size_t mirrored = ntt_position(middle, middle_log);
        if (mirrored < middle) continue;
        for (size_t i = 0; i < side * side; i++) {
            size_t high = i >> s->edge, low = i & (side - 1);
            size_t from = high << (s->k - s->edge) | middle << s->edge | low;
            size_t to =
                ntt_position(low, s->edge) << (s->k - s->edge) | mirrored << s->edge | ntt_position(high, s->edge);
            if (mirrored == middle && to <= from) continue;
            fr_t t = s->x[from];
            s->x[from] = s->x[to];
            s->x[to] = t;
        }
    }
}

void ntt_bit_reverse(fr_t *x, const struct ntt_domain *domain, struct pool *pool)
{
    struct reversal s = { .x = x, .k = domain->k };
    s.edge = s.k >= 12 ? 4 : s.k / 2;
    pool_for(pool, (size_t)1 << (s.k - 2 * s.edge), 16, swap_squares, &s);
}

struct powers {
    fr_t *x;
    fr_t first, ratio;
};

static void fill_powers(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct powers *s = context;
    fr_t power;
    fr_pow_u64_var(&power, &s->ratio, begin);
    fr_mul(&power, &power, &s->first);
    for (size_t i = begin; i < end; i++) {
        s->x[i] = power;
        fr_mul(&power, &power, &s->ratio);
    }
}

static void scale_powers(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct powers *s = context;
    fr_t power;
    fr_pow_u64_var(&power, &s->ratio, begin);
    fr_mul(&power, &power, &s->first);
    for (size_t i = begin; i < end; i++) {
        fr_mul(&s->x[i], &s->x[i], &power);
        fr_mul(&power, &power, &s->ratio);
    }
}

static void scale(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct powers *s = context;
    for (size_t i = begin; i < end; i++) fr_mul(&s->x[i], &s->x[i], &s->first);
}

void ntt_powers(fr_t *x, const fr_t *first, const fr_t *ratio, const struct ntt_domain *domain, struct pool *pool)
{
    struct powers s = { x, *first, *ratio };
    pool_for(pool, ntt_domain_size(domain), GRAIN, fill_powers, &s);
}

void ntt_forward(fr_t *x, const struct ntt_domain *domain, struct pool *pool)
{
    ntt_evaluate(x, NTT_PLAIN, domain, pool);
    ntt_bit_reverse(x, domain, pool);
}

void ntt_inverse(fr_t *x, const struct ntt_domain *domain, struct pool *pool)
{
    struct powers s = { .x = x, .first = domain->size_inverse };
    ntt_bit_reverse(x, domain, pool);
    ntt_interpolate(x, NTT_PLAIN, domain, pool);
    pool_for(pool, ntt_domain_size(domain), GRAIN, scale, &s);
}

void ntt_coset_forward(fr_t *x, const struct ntt_domain *domain, struct pool *pool)
{
    struct powers s = { .x = x, .first = FR_ONE };
    fr_from_u64(&s.ratio, COSET_SHIFT);
    pool_for(pool, ntt_domain_size(domain), GRAIN, scale_powers, &s);
    ntt_forward(x, domain, pool);
}

void ntt_coset_inverse(fr_t *x, const struct ntt_domain *domain, struct pool *pool)
{
    struct powers s = { .x = x, .first = domain->size_inverse };
    fr_from_u64(&s.ratio, COSET_SHIFT);
    fr_inv_var(&s.ratio, &s.ratio);
    ntt_bit_reverse(x, domain, pool);
    ntt_interpolate(x, NTT_PLAIN, domain, pool);
    pool_for(pool, ntt_domain_size(domain), GRAIN, scale_powers, &s);
}

void ntt_lagrange(fr_t *x, const fr_t *tau, const struct ntt_domain *domain, struct pool *pool)
{
    /* L_i(tau) = 1/m·Σ_j tau^j·ω^−ij, the inverse transform of the powers of tau. */
    ntt_powers(x, &domain->size_inverse, tau, domain, pool);
    ntt_bit_reverse(x, domain, pool);
    ntt_interpolate(x, NTT_PLAIN, domain, pool);
}
