/* The levels of a pass eight elements at a time, part of ntt.c: butterflies between vectors while blocks have at
 * least eight neighbours in each half, and for the last three levels of the tree between the columns of 8 × 8
 * elements, where every lane is a block of its own. Values stay below 6·r on the way down and below 11·r on the way
 * up. */

/* −1, whose factor joins the halves of block 0 as −1/c does elsewhere */
static const fr_t MINUS_ONE = { { 0xfffffffd00000003, 0xfb38ec08fffb13fc, 0x99ad88181ce5880f, 0x5bc8f5f97cd877d8 } };

/* (x, y) ← (x + c·y, x − c·y); x, y < 5.65·r, then again: c·y < 3.6·r and the folded x < 1.65·r. */
LANES_INLINE void lanes_split_pair(fr_lanes_t *x, fr_lanes_t *y, const fr_lanes_t *c)
{
    fr_lanes_t t;
    fr_lanes_mul(&t, y, c);
    fr_lanes_fold(x);
    fr_lanes_sub(y, x, &t, 4);
    fr_lanes_add(x, x, &t);
}

/* (x, y) ← (x + y, (y − x)·c); x, y < 11·r, then again. */
LANES_INLINE void lanes_join_pair(fr_lanes_t *x, fr_lanes_t *y, const fr_lanes_t *c)
{
    fr_lanes_t t;
    fr_lanes_sub(&t, y, x, 11);
    fr_lanes_add(x, x, y);
    fr_lanes_fold(x);
    lanes_carry(x->l, FR_LANE_LIMBS);
    fr_lanes_mul(y, &t, c);
    lanes_carry(y->l, FR_LANE_LIMBS);
}

/* (x, y) ← (x + y, x − y), on the way down or up. */
LANES_INLINE void lanes_plain_pair(fr_lanes_t *x, fr_lanes_t *y)
{
    fr_lanes_t t = *x;
    fr_lanes_add(x, x, y);
    fr_lanes_sub(y, &t, y, 11);
    fr_lanes_fold(x);
    fr_lanes_fold(y);
    lanes_carry(x->l, FR_LANE_LIMBS);
    lanes_carry(y->l, FR_LANE_LIMBS);
}

/* Level t below block `index`: blocks of 2n vectors. */
LANES static void lanes_level(fr_lanes_t *x, bool join, unsigned t, size_t n, size_t index,
                              const struct ntt_domain *d)
{
    for (size_t j = 0; j < (size_t)1 << t; j++, x += 2 * n) {
        size_t b = (index << t) + j;
        fr_t space;
        fr_lanes_t c;
        if (b == 0) {
            for (size_t i = 0; i < n; i++) lanes_plain_pair(&x[i], &x[n + i]);
            continue;
        }
        fr_lanes_factor_all(&c, block_constant(d, join ? mirror_block(b) : b, &space));
        if (join) {
            for (size_t i = 0; i < n; i++) lanes_join_pair(&x[i], &x[n + i], &c);
        } else {
            for (size_t i = 0; i < n; i++) lanes_split_pair(&x[i], &x[n + i], &c);
        }
    }
}

/* The factors of blocks b, b + step, …, b + 7·step. */
LANES_INLINE void lanes_constants(fr_lanes_t *out, size_t b, size_t step, bool join, const struct ntt_domain *d)
{
    const fr_t *c[8];
    size_t high = 0;
    for (size_t i = 0; i < 8; i++) {
        size_t at = b + i * step;
        if (at == 0) {
            c[i] = join ? &MINUS_ONE : &FR_ONE;
            continue;
        }
        if (join) at = mirror_block(at);
        c[i] = &d->low[at & (((size_t)1 << d->low_log) - 1)];
        high = at >> d->low_log;
    }
    fr_lanes_factor_each(out, c);
    if (high > 0) {
        /* All eight have the same high part: they are neighbours, and 2^low_log is a multiple of 32. */
        fr_lanes_t factor;
        fr_lanes_factor_all(&factor, &d->high[high]);
        fr_lanes_mul(out, out, &factor);
        lanes_carry(out->l, FR_LANE_LIMBS);
    }
}

LANES_INLINE void lanes_columns_level(fr_lanes_t x[8], bool join, unsigned level, size_t b,
                                      const struct ntt_domain *d)
{
    const size_t n = (size_t)4 >> level;
    for (size_t j = 0; j < (size_t)1 << level; j++) {
        fr_lanes_t c;
        lanes_constants(&c, (b << level) + j, (size_t)1 << level, join, d);
        for (size_t i = 2 * n * j; i < 2 * n * j + n; i++) {
            if (join) {
                lanes_join_pair(&x[i], &x[i + n], &c);
            } else {
                lanes_split_pair(&x[i], &x[i + n], &c);
            }
        }
    }
}

LANES_INLINE void lanes_turn(fr_lanes_t x[8])
{
    for (int limb = 0; limb < FR_LANE_LIMBS; limb++) {
        lanes_t row[8];
        for (int i = 0; i < 8; i++) row[i] = x[i].l[limb];
        lanes_transpose(row);
        for (int i = 0; i < 8; i++) x[i].l[limb] = row[i];
    }
}

/* The last three levels below the eight blocks of eight elements from `b` on. */
LANES static void lanes_last_levels(fr_lanes_t x[8], bool join, size_t b, const struct ntt_domain *d)
{
    lanes_turn(x);
    for (unsigned i = 0; i < 3; i++) lanes_columns_level(x, join, join ? 2 - i : i, b, d);
    lanes_turn(x);
}

/* run_levels for rows·width elements in vectors; width is 1, or a multiple of 8. */
LANES static void lanes_run_levels(const struct pass *p, fr_lanes_t *x, size_t width, size_t index)
{
    unsigned levels = p->last - p->first, apart = width == 1 ? levels - 3 : levels;
    size_t vectors = (width << levels) / 8;
    if (p->join && width == 1) {
        for (size_t i = 0; i < vectors; i += 8) lanes_last_levels(x + i, true, (index << apart) + i, p->domain);
    }
    for (unsigned i = 0; i < apart; i++) {
        unsigned t = p->join ? apart - 1 - i : i;
        lanes_level(x, p->join, t, (width << (levels - 1 - t)) / 8, index, p->domain);
    }
    if (!p->join && width == 1) {
        for (size_t i = 0; i < vectors; i += 8) lanes_last_levels(x + i, false, (index << apart) + i, p->domain);
    }
}

/* One tile: `rows` rows of `width` elements, `stride` apart, or if width is 1 one after another. */
LANES static void lanes_run_tile(const struct pass *p, fr_t *x, size_t rows, size_t width, size_t stride,
                                 size_t index)
{
    fr_lanes_t tile[1 << BLOCK_LOG >> 3] __attribute__((aligned(64)));
    size_t row_vectors = width == 1 ? rows / 8 : width / 8;
    if (width == 1) rows = 1;
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; i < row_vectors; i++) fr_lanes_load(&tile[r * row_vectors + i], x + r * stride + 8 * i);
    }
    lanes_run_levels(p, tile, width, index);
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; i < row_vectors; i++) {
            fr_lanes_t *v = &tile[r * row_vectors + i];
            fr_lanes_canonical(v);
            fr_lanes_store(x + r * stride + 8 * i, v);
        }
    }
}
