/* Many multiples of one point, once for G1 and once for G2: fixed_base.c defines the macros. The contract is in
 * fixed_base.h. */

/* What one thread works with. */
struct POINT(block) {
    struct shifted_scalar scalars[BLOCK];
    POINT(affine_t) terms[BLOCK];
    struct POINT(addition) list[BLOCK];
};

struct POINT(fixed_base) {
    struct pool *pool;
    struct fixed_windows windows;
    POINT(affine_t) *multiples; /* [windows][2^(bits − 1)]: entry d − 1 is d·2^(bits·w)·base */
    struct POINT(block) *blocks; /* [threads] */
    /* The call under way. */
    POINT(affine_t) *out;
    const fr_t *scalars;
};

/* ---- The table ---- */

/* The first entry of each window: 2^(bits·w)·base. */
static void POINT(fill_bases)(struct POINT(fixed_base) *t, const POINT(affine_t) *base)
{
    POINT(t) powers[FIXED_MAX_WINDOWS];
    POINT(affine_t) affine[FIXED_MAX_WINDOWS];
    FIELD(t) scratch[FIXED_MAX_WINDOWS];
    POINT(from_affine)(&powers[0], base);
    for (unsigned w = 1; w < t->windows.count; w++) {
        powers[w] = powers[w - 1];
        for (unsigned i = 0; i < t->windows.bits; i++) POINT(double)(&powers[w], &powers[w]);
    }
    POINT(batch_to_affine_var)(affine, powers, t->windows.count, scratch);
    for (unsigned w = 0; w < t->windows.count; w++) t->multiples[w * t->windows.entries] = affine[w];
}

/* Doubles the known part of window w again and again: (known + j)·P = known·P + j·P. */
static void POINT(fill_window)(void *context, size_t begin, size_t end, unsigned worker)
{
    const struct POINT(fixed_base) *t = context;
    struct POINT(addition) *list = t->blocks[worker].list;
    for (size_t w = begin; w < end; w++) {
        POINT(affine_t) *entry = t->multiples + w * t->windows.entries;
        for (size_t known = 1; known < t->windows.entries; known *= 2) {
            for (size_t at = 0; at < known; at += BLOCK) {
                size_t n = known - at < BLOCK ? known - at : BLOCK;
                for (size_t i = 0; i < n; i++) {
                    list[i].out = &entry[known + at + i];
                    list[i].a = &entry[known - 1];
                    list[i].b = &entry[at + i];
                }
                POINT(batch_add)(list, n);
            }
        }
    }
}

cuzk_status POINT(fixed_base_create)(struct POINT(fixed_base) **out, const POINT(affine_t) *base,
                                     size_t expected, struct pool *pool, cuzk_error *err)
{
    *out = NULL;
    struct POINT(fixed_base) *t = calloc(1, sizeof *t);
    if (!t) goto no_memory;
    t->pool = pool;
    t->windows = choose_windows(expected);
    t->multiples = malloc(t->windows.count * t->windows.entries * sizeof *t->multiples);
    t->blocks = malloc(pool_threads(pool) * sizeof *t->blocks);
    if (!t->multiples || !t->blocks) goto no_memory;
    POINT(fill_bases)(t, base);
    pool_for(pool, t->windows.count, 1, POINT(fill_window), t);
    *out = t;
    return CUZK_OK;
no_memory:
    POINT(fixed_base_destroy)(t);
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a table of multiples");
}

void POINT(fixed_base_destroy)(struct POINT(fixed_base) *table)
{
    if (!table) return;
    free(table->multiples);
    free(table->blocks);
    free(table);
}

/* ---- Products ---- */

static inline const POINT(affine_t) *POINT(entry)(const struct POINT(fixed_base) *t,
                                                  const struct shifted_scalar *scalar, unsigned w, int32_t *digit)
{
    *digit = window_digit(&t->windows, scalar, w);
    size_t magnitude = (size_t)(*digit < 0 ? -*digit : *digit);
    return t->multiples + w * t->windows.entries + (magnitude > 0 ? magnitude - 1 : 0);
}

/* The terms that window w contributes. */
static void POINT(collect_terms)(struct POINT(block) *block, const struct POINT(fixed_base) *t, unsigned w,
                                 size_t n)
{
    int32_t digit;
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
            const POINT(affine_t) *next = POINT(entry)(t, &block->scalars[i + AHEAD], w, &digit);
            __builtin_prefetch(next);
            __builtin_prefetch((const char *)(next + 1) - 1);
        }
        const POINT(affine_t) *entry = POINT(entry)(t, &block->scalars[i], w, &digit);
        if (digit == 0) {
            block->terms[i] = AFFINE_INFINITY;
        } else if (digit > 0) {
            block->terms[i] = *entry;
        } else {
            POINT(affine_neg)(&block->terms[i], entry);
        }
    }
}

static void POINT(multiply_blocks)(void *context, size_t begin, size_t end, unsigned worker)
{
    const struct POINT(fixed_base) *t = context;
    struct POINT(block) *block = &t->blocks[worker];
    for (size_t at = begin; at < end; at += BLOCK) {
        size_t n = end - at < BLOCK ? end - at : BLOCK;
        for (size_t i = 0; i < n; i++) shift_scalar(&block->scalars[i], &t->windows, &t->scalars[at + i]);
        for (unsigned w = 0; w < t->windows.count; w++) {
            POINT(collect_terms)(block, t, w, n);
            if (w == 0) {
                memcpy(t->out + at, block->terms, n * sizeof *t->out);
            } else {
                POINT(batch_accumulate)(t->out + at, block->terms, n, block->list);
            }
        }
    }
}

void POINT(fixed_base_mul)(POINT(affine_t) *out, struct POINT(fixed_base) *table, const fr_t *scalars, size_t n)
{
    table->out = out;
    table->scalars = scalars;
    pool_for(table->pool, n, BLOCK, POINT(multiply_blocks), table);
}
