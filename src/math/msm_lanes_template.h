/* Filling buckets and adding them up with running sums in lanes (lane_sums.h), part of msm_template.h.
 *
 * The runs of a segment, one for each bucket, become slots, which are sorted by their lengths: so the slots that have
 * a term left are always the first ones, and each step adds a term to all of these. What few long runs have left in
 * the end goes the way of msm_template.h. */

/* As many sums as fit the same memory in both groups. */
enum { POINT(MOST_SLOTS) = MOST_SLOTS * sizeof(fp_t) / sizeof(FIELD(t)) };

/* A sum and where it goes; entries [next, end) are still to be added. */
struct POINT(slot) {
    POINT(affine_t) *destination;
    uint32_t next, end;
    bool onto; /* it starts with what is at its destination, and else with entry next − 1 */
};

/* A line of buckets, a row or a column of a window's matrix; its sum begins somewhere, and goes around. */
struct POINT(line) {
    const POINT(affine_t) *first;
    size_t step, begin;
};

/* What one thread works with. */
struct POINT(walk) {
    struct POINT(lane_sums) sums[POINT(MOST_SLOTS) / LANE_SUMS_BLOCK];
    struct POINT(terms) terms[2][POINT(MOST_SLOTS) / LANE_SUMS_BLOCK];
    struct POINT(slot) found[POINT(MOST_SLOTS)], slots[POINT(MOST_SLOTS)];
    size_t count; /* found */
    struct POINT(line) lines[POINT(MOST_SLOTS)];
    POINT(affine_t) *out[POINT(MOST_SLOTS)];
};

static void POINT(set_walk)(struct POINT(scratch) *s, struct POINT(walk) *w)
{
    s->fetch = (struct fetch_ahead){ NULL, NULL };
    s->walk = w;
    if (w) w->count = 0;
}

/* ---- Terms ---- */

static inline void POINT(set_term)(struct POINT(terms) *terms, size_t slot, const FIELD(t) *x, const FIELD(t) *y,
                                   bool negative)
{
    struct POINT(terms) *block = &terms[slot / LANE_SUMS_BLOCK];
    size_t i = slot % LANE_SUMS_BLOCK;
    block->x[i] = x;
    block->y[i] = y;
    if (i == 0) block->negative = 0;
    block->negative |= (uint8_t)(negative << i);
}

/* Makes good the pointers behind the last slot. */
static void POINT(pad_terms)(struct POINT(terms) *terms, size_t n)
{
    const struct POINT(terms) *last = &terms[(n - 1) / LANE_SUMS_BLOCK];
    const FIELD(t) *x = last->x[(n - 1) % LANE_SUMS_BLOCK], *y = last->y[(n - 1) % LANE_SUMS_BLOCK];
    for (; n % LANE_SUMS_STRIDE != 0; n++) POINT(set_term)(terms, n, x, y, false);
}

/* The entries that n slots add in this step; behind the last slot its own again. */
static void POINT(set_terms)(struct POINT(terms) *terms, const struct POINT(slot) *slots, size_t n, size_t step,
                             const struct POINT(msm) *m)
{
    for (size_t slot = 0; slot < n || slot % LANE_SUMS_STRIDE != 0; terms++) {
        unsigned negative = 0;
        for (size_t i = 0; i < LANE_SUMS_BLOCK; i++, slot++) {
            uint32_t entry = m->sort.entries[slots[slot < n ? slot : n - 1].next + step];
            terms->x[i] = POINT(entry_x)(m, entry);
            terms->y[i] = POINT(entry_y)(m, entry);
            negative = negative >> 1 | (unsigned)bucket_entry_negative(entry) << (LANE_SUMS_BLOCK - 1);
        }
        terms->negative = (uint8_t)negative;
    }
}

static void POINT(start_slots)(struct POINT(walk) *w, const struct POINT(msm) *m)
{
    for (size_t i = 0; i < w->count; i++) {
        const POINT(affine_t) *old = w->slots[i].onto ? w->slots[i].destination : NULL;
        uint32_t entry = old ? 0 : m->sort.entries[w->slots[i].next - 1];
        POINT(set_term)(w->terms[0], i, old ? &old->x : POINT(entry_x)(m, entry),
                        old ? &old->y : POINT(entry_y)(m, entry), bucket_entry_negative(entry));
    }
    POINT(pad_terms)(w->terms[0], w->count);
    POINT(lane_sums_start)(w->sums, w->terms[0], w->count);
}

/* ---- Slots ---- */

static inline size_t POINT(slot_length)(const struct POINT(slot) *slot)
{
    size_t length = slot->end - slot->next;
    return length < MOST_STEPS ? length : MOST_STEPS;
}

/* The longest first. longer[k]: how many have more than k entries. */
static void POINT(sort_slots)(struct POINT(walk) *w, size_t longer[MOST_STEPS + 1])
{
    size_t place[MOST_STEPS + 1] = { 0 };
    for (size_t i = 0; i < w->count; i++) place[POINT(slot_length)(&w->found[i])]++;
    for (size_t k = MOST_STEPS + 1, sum = 0; k-- > 0;) {
        size_t count = place[k];
        longer[k] = place[k] = sum;
        sum += count;
    }
    for (size_t i = 0; i < w->count; i++) w->slots[place[POINT(slot_length)(&w->found[i])]++] = w->found[i];
}

/* Entries from `at` on by trees, as many at once as there is room for. */
static void POINT(fold_rest)(struct POINT(scratch) *s, const struct POINT(msm) *m, const struct POINT(slot) *slot,
                             size_t at, bool onto)
{
    while (at < slot->end) {
        size_t room = 2 * SEGMENT - s->filled, stop = slot->end;
        if (room > 1) {
            if (stop - at >= room) stop = at + room - 1;
            POINT(load_run)(s, m, at, stop, slot->destination, onto);
            at = stop;
            onto = true;
        }
        if (at == slot->end) return;
        POINT(fold_runs)(s);
        s->filled = 0;
    }
}

/* Adds a term to all slots that have one, while these are many; says how many each may have got. */
static size_t POINT(walk_steps)(struct POINT(walk) *w, const struct POINT(msm) *m, const size_t *longer)
{
    struct POINT(terms) *now = w->terms[0], *next = w->terms[1];
    size_t step = 0;
    POINT(start_slots)(w, m);
    POINT(set_terms)(now, w->slots, longer[0], 0, m);
    for (; longer[step] >= FEWEST_SLOTS; step++) {
        size_t more = longer[step + 1] >= FEWEST_SLOTS ? longer[step + 1] : 0;
        if (more > 0) POINT(set_terms)(next, w->slots, more, step + 1, m);
        POINT(lane_sums_add)(w->sums, now, longer[step], next, more);
        struct POINT(terms) *other = now;
        now = next;
        next = other;
    }
    for (size_t i = 0; i < w->count; i++) w->out[i] = w->slots[i].destination;
    POINT(lane_sums_get)(w->out, w->sums, w->count);
    return step;
}

/* Adds up all that was found. */
static void POINT(walk_slots)(struct POINT(scratch) *s, const struct POINT(msm) *m)
{
    struct POINT(walk) *w = s->walk;
    size_t longer[MOST_STEPS + 1];
    POINT(sort_slots)(w, longer);
    s->filled = s->run_count = 0;
    if (longer[0] < FEWEST_SLOTS) {
        for (size_t i = 0; i < w->count; i++) {
            const struct POINT(slot) *slot = &w->slots[i];
            POINT(fold_rest)(s, m, slot, slot->onto ? slot->next : slot->next - 1, slot->onto);
        }
    } else {
        size_t steps = POINT(walk_steps)(w, m, longer), left = longer[steps < MOST_STEPS ? steps : MOST_STEPS - 1];
        for (size_t i = 0; i < left; i++) {
            POINT(fold_rest)(s, m, &w->slots[i], w->slots[i].next + steps, true);
        }
    }
    POINT(fold_runs)(s);
    w->count = 0;
}

/* As load_run: entries [begin, end) into a slot. */
static void POINT(find_slot)(struct POINT(scratch) *s, const struct POINT(msm) *m, size_t begin, size_t end,
                             POINT(affine_t) *destination, bool onto)
{
    struct POINT(walk) *w = s->walk;
    if (onto && POINT(affine_is_infinity)(destination)) onto = false;
    POINT(prefetch)(m, m->sort.entries[begin]);
    if (!onto) begin++;
    if (begin == end) {
        POINT(fetch)(destination, m, m->sort.entries[begin - 1]);
        return;
    }
    if (!onto) POINT(prefetch)(m, m->sort.entries[begin]);
    if (w->count == POINT(MOST_SLOTS)) POINT(walk_slots)(s, m);
    w->found[w->count++] = (struct POINT(slot)){ destination, (uint32_t)begin, (uint32_t)end, onto };
}

/* ---- Rows and columns of buckets ---- */

/* Rows do not begin all alike, as buckets that are a row apart compete for the same places of the cache. */
static void POINT(set_rows)(struct POINT(line) *lines, const struct POINT(msm) *m, size_t begin, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        lines[i] = (struct POINT(line)){ m->buckets + ((begin + i) << m->column_log), 1, begin + i };
    }
}

static void POINT(set_columns)(struct POINT(line) *lines, const struct POINT(msm) *m, size_t begin, size_t n)
{
    for (size_t i = begin; i < begin + n; i++) {
        size_t window = i >> m->column_log, column = i & (((size_t)1 << m->column_log) - 1);
        const POINT(affine_t) *first = m->buckets + window * m->sort.buckets + column;
        lines[i - begin] = (struct POINT(line)){ first, (size_t)1 << m->column_log, 0 };
    }
}

static void POINT(set_buckets)(struct POINT(terms) *terms, const struct POINT(line) *lines, size_t n, size_t k,
                               size_t length)
{
    for (size_t i = 0; i < n; i++) {
        const POINT(affine_t) *bucket = lines[i].first + ((lines[i].begin + k) & (length - 1)) * lines[i].step;
        POINT(set_term)(terms, i, &bucket->x, &bucket->y, false);
    }
    POINT(pad_terms)(terms, n);
}

/* The sums of n ≤ slots lines of 2^log buckets. */
static void POINT(walk_lines)(POINT(affine_t) *sums, struct POINT(walk) *w, size_t n, unsigned log)
{
    size_t length = (size_t)1 << log;
    struct POINT(terms) *now = w->terms[0], *next = w->terms[1];
    POINT(set_buckets)(now, w->lines, n, 0, length);
    POINT(lane_sums_start)(w->sums, now, n);
    POINT(set_buckets)(now, w->lines, n, 1, length);
    for (size_t k = 1; k < length; k++) {
        POINT(set_buckets)(next, w->lines, n, k + 1, length);
        POINT(lane_sums_add)(w->sums, now, n, next, k + 1 < length ? n : 0);
        struct POINT(terms) *other = now;
        now = next;
        next = other;
    }
    for (size_t i = 0; i < n; i++) w->out[i] = &sums[i];
    POINT(lane_sums_get)(w->out, w->sums, n);
}

/* As sum_rows and sum_columns: of windows [begin, end). */
static void POINT(walk_windows)(struct POINT(walk) *w, struct POINT(msm) *m, size_t begin, size_t end)
{
    size_t n;
    for (size_t i = begin << m->row_log; i < end << m->row_log; i += n) {
        n = (end << m->row_log) - i < POINT(MOST_SLOTS) ? (end << m->row_log) - i : POINT(MOST_SLOTS);
        POINT(set_rows)(w->lines, m, i, n);
        POINT(walk_lines)(m->rows + i, w, n, m->column_log);
    }
    for (size_t i = begin << m->column_log; i < end << m->column_log; i += n) {
        n = (end << m->column_log) - i < POINT(MOST_SLOTS) ? (end << m->column_log) - i : POINT(MOST_SLOTS);
        POINT(set_columns)(w->lines, m, i, n);
        POINT(walk_lines)(m->columns + i, w, n, m->row_log);
    }
}
