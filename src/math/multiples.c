#include "math/multiples.h"

#include "math/glv.h"

#include <assert.h>
#include <stdlib.h>

enum { AHEAD = 4 }; /* how many points early a multiple is fetched into the cache */

void halves_of(struct halves *out, const fr_t *k)
{
    uint64_t limbs[4];
    fr_to_limbs(limbs, k);
    glv_split(&out->first, &out->second, limbs);
}

static void signed_to_fr(fr_t *out, limb_wide_signed v)
{
    limb_wide size = v < 0 ? 0 - (limb_wide)v : (limb_wide)v;
    const uint64_t limbs[4] = { (uint64_t)size, (uint64_t)(size >> 64) };
    (void)fr_from_limbs(out, limbs);
    if (v < 0) fr_neg(out, out);
}

void halves_join(fr_t *out, const struct halves *k)
{
    fr_t second, u;
    fr_from_u64(&u, 0xd201000000010000); /* |u| */
    signed_to_fr(out, k->first);
    signed_to_fr(&second, k->second);
    fr_mul(&second, &second, &u);
    fr_mul(&second, &second, &u);
    fr_sub(out, out, &second);
}

void g1_multiples_fill(struct g1_multiples *out, const g1_affine_t *points, size_t n, unsigned bits, g1_affine_t *at,
                       struct g1_addition *list)
{
    assert(bits >= 3 && bits <= 10);
    *out = (struct g1_multiples){ .bits = bits, .points = n, .at = at };
    for (size_t i = 0; i < n; i++) at[i] = points[i];
    /* m·P = ⌊m/2⌋·P + ⌈m/2⌉·P, from known to 2·known at once. */
    for (size_t known = 1; known < (size_t)1 << (bits - 1); known *= 2) {
        for (size_t j = 0; j < known * n; j++) {
            size_t m = known + 1 + j / n, i = j % n;
            list[j].out = &at[(m - 1) * n + i];
            list[j].a = &at[(m / 2 - 1) * n + i];
            list[j].b = &at[((m + 1) / 2 - 1) * n + i];
        }
        g1_batch_add(list, known * n);
    }
}

cuzk_status g1_multiples_create(struct g1_multiples *out, const g1_affine_t *points, size_t n, unsigned bits,
                                cuzk_error *err)
{
    size_t count = n << (bits - 1);
    g1_affine_t *at = malloc((count + 1) * sizeof *at);
    struct g1_addition *list = malloc((count / 2 + 1) * sizeof *list);
    cuzk_status status = CUZK_OK;
    *out = (struct g1_multiples){ 0 };
    if (at && list) {
        g1_multiples_fill(out, points, n, bits, at, list);
    } else {
        free(at);
        status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for multiples of %zu points", n);
    }
    free(list);
    return status;
}

void g1_multiples_release(struct g1_multiples *table)
{
    free(table->at);
    *table = (struct g1_multiples){ 0 };
}

/* Windows that hold every digit of a half of this length: they reach at least one bit further. */
static unsigned count_windows(unsigned bits, unsigned length) { return (length + bits) / bits; }

/* v = Σ digit_w·2^(bits·w), −2^(bits − 1) ≤ digit_w < 2^(bits − 1): with 2^(bits − 1) added in every window but the
 * highest, digits are the plain ones less as much. The highest keeps the sign. */
static limb_wide offset_of(const struct g1_multiples *t, unsigned windows)
{
    limb_wide offset = 0;
    for (unsigned w = 0; w + 1 < windows; w++) offset |= (limb_wide)1 << (t->bits * w + t->bits - 1);
    return offset;
}

static int digit_of(limb_wide_signed v, limb_wide offset, const struct g1_multiples *t, unsigned w)
{
    limb_wide shifted = (limb_wide)(((limb_wide_signed)((limb_wide)v + offset)) >> (t->bits * w));
    if (offset >> (t->bits * w) == 0) return (int)(limb_wide_signed)shifted; /* the highest */
    return (int)((unsigned)shifted & ((1u << t->bits) - 1)) - (1 << (t->bits - 1));
}

static const g1_affine_t *place_of(const struct g1_multiples *t, size_t i, int digit)
{
    return &t->at[(size_t)(abs(digit) - 1) * t->points + i];
}

/* digit·P_i, or digit·(−u^2)·P_i. */
static void take_multiple(g1_affine_t *out, const struct g1_multiples *t, size_t i, int digit, bool second)
{
    if (digit == 0) {
        *out = G1_AFFINE_INFINITY;
        return;
    }
    *out = *place_of(t, i, digit);
    if (second) fp_mul(&out->x, &out->x, &GLV_BETA_G1);
    if (digit < 0) fp_neg(&out->y, &out->y);
}

static void double_times(g1_t *p, unsigned times)
{
    for (unsigned i = 0; i < times; i++) g1_double(p, p);
}

void g1_multiples_mul_var(g1_t *out, const struct g1_multiples *t, size_t i, const struct halves *k, unsigned length)
{
    unsigned windows = count_windows(t->bits, length);
    limb_wide offset = offset_of(t, windows);
    g1_t sum = G1_INFINITY;
    g1_affine_t p;
    for (unsigned w = windows; w-- > 0;) {
        double_times(&sum, t->bits);
        take_multiple(&p, t, i, digit_of(k->first, offset, t, w), false);
        g1_add_mixed(&sum, &sum, &p);
        take_multiple(&p, t, i, digit_of(k->second, offset, t, w), true);
        g1_add_mixed(&sum, &sum, &p);
    }
    *out = sum;
}

/* Adds up `count` points in each of `windows` rows, which are `count` apart; the sums end in their first places. */
static void fold_rows(g1_affine_t *rows, struct g1_addition *list, size_t windows, size_t count)
{
    for (size_t left = count; left > 1; left = (left + 1) / 2) {
        size_t n = 0;
        for (size_t w = 0; w < windows; w++) {
            g1_affine_t *row = rows + w * count;
            for (size_t i = 0; i < left / 2; i++, n++) {
                list[n].out = &row[i];
                list[n].a = &row[2 * i];
                list[n].b = &row[2 * i + 1];
            }
        }
        g1_batch_add(list, n);
        for (size_t w = 0; left % 2 && w < windows; w++) rows[w * count + left / 2] = rows[w * count + left - 1];
    }
}

static void prefetch_multiple(const struct g1_multiples *t, size_t i, int digit)
{
    if (digit == 0) return;
    const char *p = (const char *)place_of(t, i, digit);
    __builtin_prefetch(p);
    __builtin_prefetch(p + sizeof(g1_affine_t) - 1);
}

/* What window w adds up. */
static void fill_row(g1_affine_t *row, const struct g1_multiples *t, size_t begin, const struct halves *k, size_t n,
                     limb_wide offset, unsigned w)
{
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
            prefetch_multiple(t, begin + i + AHEAD, digit_of(k[i + AHEAD].first, offset, t, w));
            prefetch_multiple(t, begin + i + AHEAD, digit_of(k[i + AHEAD].second, offset, t, w));
        }
        take_multiple(&row[2 * i], t, begin + i, digit_of(k[i].first, offset, t, w), false);
        take_multiple(&row[2 * i + 1], t, begin + i, digit_of(k[i].second, offset, t, w), true);
    }
}

size_t multiples_rows(unsigned bits, size_t n, unsigned length) { return count_windows(bits, length) * 2 * n; }

void g1_multiples_sum_var(g1_t *out, const struct g1_multiples *t, size_t begin, const struct halves *k, size_t n,
                          unsigned length, g1_affine_t *rows, struct g1_addition *list)
{
    unsigned windows = count_windows(t->bits, length);
    limb_wide offset = offset_of(t, windows);
    *out = G1_INFINITY;
    if (n == 0) return;
    for (unsigned w = 0; w < windows; w++) fill_row(rows + w * 2 * n, t, begin, k, n, offset, w);
    fold_rows(rows, list, windows, 2 * n);
    for (unsigned w = windows; w-- > 0;) {
        double_times(out, t->bits);
        g1_add_mixed(out, out, &rows[w * 2 * n]);
    }
}
