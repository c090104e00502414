/* The sum over a section, once for G1 and once for G2: section_sum.c defines POINT and
 * INFINITY_POINT. The contract is in section_sum.h. */

/* One thread's share: points that wait to be added, and their sum so far. */
struct POINT(worker) {
    POINT(affine_t) waiting[BATCH];
    struct POINT(addition) additions[BATCH / 2];
    size_t count;
    POINT(t) sum;
};

struct POINT(section) {
    const struct section_terms *terms;
    const struct params_file *file;
    const struct witness *w;
    struct POINT(worker) * workers;

    /* The wide values of the present chunk and their points, in no particular order. */
    POINT(affine_t) * wide_points;
    fr_t *wide_values;
    atomic_size_t wide_count;

    uint32_t first_word;      /* of the present chunk */
    atomic_uint_fast64_t bad; /* the first point that cannot be decoded, UINT64_MAX = none */
};

static bool POINT(take)(POINT(affine_t) * out, struct POINT(section) * s, uint64_t point)
{
    const uint8_t *bytes = params_point(s->file, s->terms->section, point);
    cuzk_status status = POINT(decode)(out, bytes, POINT_CHECK_ENCODING, POINT_INFINITY_REFUSED, NULL);
    if (status == CUZK_OK) return true;
    uint_fast64_t seen = atomic_load(&s->bad);
    while (point < seen && !atomic_compare_exchange_weak(&s->bad, &seen, point)) continue;
    return false;
}

static void POINT(settle)(struct POINT(worker) * k)
{
    POINT(affine_t) sum;
    POINT(batch_sum)(&sum, k->waiting, k->count, k->additions);
    POINT(add_mixed)(&k->sum, &k->sum, &sum);
    k->count = 0;
}

static void POINT(take_ones)(struct POINT(section) * s, struct POINT(worker) * k, const struct selection *sel)
{
    for (uint64_t ones = sel->ones; ones; ones &= ones - 1) {
        uint32_t point = selection_point(sel, (unsigned)__builtin_ctzll(ones));
        if (!POINT(take)(&k->waiting[k->count], s, s->terms->input_count + point)) continue;
        if (++k->count == BATCH) POINT(settle)(k);
    }
}

static void POINT(take_wides)(struct POINT(section) * s, const struct selection *sel)
{
    if (!sel->wide) return;
    size_t at = atomic_fetch_add(&s->wide_count, (size_t)__builtin_popcountll(sel->wide));
    for (uint64_t wide = sel->wide; wide; wide &= wide - 1, at++) {
        unsigned i = (unsigned)__builtin_ctzll(wide);
        s->wide_values[at] = s->w->wides[selection_value(sel, i)];
        POINT(take)(&s->wide_points[at], s, s->terms->input_count + selection_point(sel, i));
    }
}

static void POINT(take_words)(void *context, size_t begin, size_t end, unsigned worker)
{
    struct POINT(section) *s = context;
    for (size_t word = begin; word < end; word++) {
        struct selection sel = selection_at(s->w, s->terms->dense, s->first_word + (uint32_t)word);
        POINT(take_ones)(s, &s->workers[worker], &sel);
        POINT(take_wides)(s, &sel);
    }
}

static void POINT(take_inputs)(struct POINT(section) * s)
{
    for (size_t i = 0; i < s->terms->input_count; i++) {
        s->wide_values[i] = s->w->inputs[s->terms->inputs ? s->terms->inputs[i] : i];
        POINT(take)(&s->wide_points[i], s, i);
    }
    atomic_store(&s->wide_count, s->terms->input_count);
}

static void POINT(sum_section)(POINT(t) * out, struct POINT(section) * s, struct POINT(msm) * msm, size_t capacity,
                               struct pool *pool)
{
    uint32_t words = selection_words(s->w->circuit);
    POINT(take_inputs)(s);
    s->first_word = 0;
    do {
        size_t room = capacity - atomic_load(&s->wide_count);
        uint32_t end = chunk_end(s->w->circuit, s->terms->dense, s->first_word, room);
        pool_for(pool, end - s->first_word, WORDS_PER_PIECE, POINT(take_words), s);
        POINT(msm_add)(msm, s->wide_points, s->wide_values, atomic_load(&s->wide_count), false);
        atomic_store(&s->wide_count, 0);
        s->first_word = end;
    } while (s->first_word < words);
    POINT(msm_finish)(out, msm);
    for (unsigned i = 0; i < pool_threads(pool); i++) {
        POINT(settle)(&s->workers[i]);
        POINT(add)(out, out, &s->workers[i].sum);
    }
}

/* The scratch: each thread's batches, then the chunk's points and values. */
static void POINT(lay_out)(struct POINT(section) * s, void *memory, size_t capacity, unsigned threads)
{
    s->workers = memory;
    s->wide_points = (POINT(affine_t) *)(s->workers + threads);
    s->wide_values = (fr_t *)(s->wide_points + capacity);
    for (unsigned i = 0; i < threads; i++) {
        s->workers[i].count = 0;
        s->workers[i].sum = INFINITY_POINT;
    }
}

cuzk_status POINT(section_sum)(POINT(t) * out, const struct section_terms *terms, const struct params_file *file,
                               const struct witness *w, void *memory, struct POINT(msm) * msm, struct pool *pool,
                               cuzk_error *err)
{
    struct POINT(section) s = { .terms = terms, .file = file, .w = w };
    size_t capacity = chunk_capacity(terms, wide_total(terms, w->circuit));
    atomic_init(&s.wide_count, 0);
    atomic_init(&s.bad, UINT64_MAX);
    POINT(lay_out)(&s, memory, capacity, pool_threads(pool));
    POINT(sum_section)(out, &s, msm, capacity, pool);
    uint64_t bad = atomic_load(&s.bad);
    if (bad == UINT64_MAX) return CUZK_OK;
    return params_point_error(file, terms->section, bad, POINT_CHECK_ENCODING, err);
}

#undef POINT
#undef INFINITY_POINT
