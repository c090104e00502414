#include "hash/poseidon_constants.h"

#include <assert.h>
#include <string.h>

/* Grain LFSR: 80 bits, oldest at bit 0. The six taps reach no further than bit 62, so sixteen steps
 * can be taken at once. */
struct grain {
    __extension__ unsigned __int128 state;
    uint32_t pairs; /* produced and not yet used, oldest at bit 0 */
    unsigned pairs_left;
};

static uint32_t grain_step16(struct grain *g)
{
    __extension__ unsigned __int128 s = g->state;
    uint32_t fresh = (uint32_t)(s >> 62 ^ s >> 51 ^ s >> 38 ^ s >> 23 ^ s >> 13 ^ s) & 0xffff;
    __extension__ unsigned __int128 top = fresh;
    g->state = s >> 16 | top << 64;
    return fresh;
}

/* Appends the low `width` bits of v, most significant first, behind the `used` bits there are. */
static unsigned grain_seed(struct grain *g, unsigned used, uint32_t v, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        __extension__ unsigned __int128 bit = v >> (width - 1 - i) & 1;
        g->state |= bit << (used + i);
    }
    return used + width;
}

static void grain_init(struct grain *g, unsigned t, unsigned rp)
{
    enum { PRIME_FIELD = 1, POWER_SBOX = 1, FIELD_BITS = 255, ONES = (1 << 30) - 1 };
    memset(g, 0, sizeof *g);
    unsigned used = grain_seed(g, 0, PRIME_FIELD, 2);
    used = grain_seed(g, used, POWER_SBOX, 4);
    used = grain_seed(g, used, FIELD_BITS, 12);
    used = grain_seed(g, used, t, 12);
    used = grain_seed(g, used, POSEIDON_FULL_ROUNDS, 10);
    used = grain_seed(g, used, rp, 10);
    used = grain_seed(g, used, ONES, 30);
    assert(used == 80);
    for (int i = 0; i < 160 / 16; i++) (void)grain_step16(g);
}

/* Self-shrinking: of each pair of bits, the second counts if the first is 1. */
static uint64_t grain_bit(struct grain *g)
{
    for (;;) {
        if (g->pairs_left == 0) {
            g->pairs = grain_step16(g);
            g->pairs_left = 8;
        }
        uint32_t pair = g->pairs & 3;
        g->pairs >>= 2;
        g->pairs_left--;
        if (pair & 1) return pair >> 1;
    }
}

static void grain_element(fr_t *out, struct grain *g)
{
    uint64_t limbs[4];
    do {
        memset(limbs, 0, sizeof limbs);
        for (unsigned i = 255; i-- > 0;) limbs[i / 64] |= grain_bit(g) << i % 64;
    } while (!fr_from_limbs(out, limbs));
}

void poseidon_round_constants(fr_t *out, unsigned t, unsigned rp)
{
    struct grain g;
    grain_init(&g, t, rp);
    for (unsigned i = 0; i < (POSEIDON_FULL_ROUNDS + rp) * t; i++) grain_element(&out[i], &g);
}

/* The matrix is M[i][j] = 1/(i + j + t); without its first row and column it is M̂[i][j] =
 * 1/(i + j + t + 2). Both are symmetric Cauchy matrices 1/(x_i + y_j) with x_i = i + const and
 * y_j = j + const, and have the inverse
 *
 *   D[i][j] = p_i·p_j / (x_i + y_j),   p_i = Π_k (x_i + y_k) · Π_{k≠i} 1/(i − k)
 *
 * (Cauchy's determinant applied to the cofactors), so no elimination is needed. */
enum { RECIPROCALS = 3 * POSEIDON_MAX_WIDTH, MAX_CELLS = POSEIDON_MAX_WIDTH * POSEIDON_MAX_WIDTH };

static void reciprocals_make(fr_t recip[RECIPROCALS])
{
    fr_t scratch[RECIPROCALS];
    for (int i = 0; i < RECIPROCALS; i++) fr_from_u64(&recip[i], (uint64_t)i);
    fr_batch_inv_var(recip, RECIPROCALS, scratch);
}

/* out[i][j] = 1/(i + j + offset), n × n */
static void cauchy_make(fr_t *out, unsigned n, unsigned offset, const fr_t *recip)
{
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++) out[i * n + j] = recip[i + j + offset];
    }
}

static void cauchy_invert(fr_t *out, unsigned n, unsigned offset, const fr_t *recip)
{
    fr_t p[POSEIDON_MAX_WIDTH];
    for (unsigned i = 0; i < n; i++) {
        p[i] = FR_ONE;
        for (unsigned k = 0; k < n; k++) {
            fr_t sum;
            fr_from_u64(&sum, i + k + offset);
            fr_mul(&p[i], &p[i], &sum);
            if (k == i) continue;
            fr_mul(&p[i], &p[i], &recip[k < i ? i - k : k - i]);
            if (k > i) fr_neg(&p[i], &p[i]);
        }
    }
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++) {
            fr_t product;
            fr_mul(&product, &p[i], &p[j]);
            fr_mul(&out[i * n + j], &product, &recip[i + j + offset]);
        }
    }
}

/* out = m·v for a row-major n × n matrix; out must not overlap v. */
static void matrix_apply(fr_t *out, const fr_t *m, const fr_t *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) poseidon_dot(&out[i], m + i * n, v, n);
}

/* out = a·b for symmetric matrices that commute (powers of one matrix), so that b's rows serve as
 * columns. */
static void matrix_mul_symmetric(fr_t *out, const fr_t *a, const fr_t *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++) matrix_apply(out + i * n, b, a + i * n, n);
}

static void matrix_power_symmetric(fr_t *out, const fr_t *m, unsigned exponent, unsigned n)
{
    fr_t next[MAX_CELLS];
    size_t size = n * n * sizeof *m;
    unsigned bit = 1;
    while (exponent >> 1 >= bit) bit <<= 1;
    memcpy(out, m, size);
    while (bit >>= 1) {
        matrix_mul_symmetric(next, out, out, n);
        memcpy(out, next, size);
        if (!(exponent & bit)) continue;
        matrix_mul_symmetric(next, out, m, n);
        memcpy(out, next, size);
    }
}

/* Moves every constant that can be moved past a linear layer to where one S-box output remains per
 * partial round (spec §7, "Optimised constants"). `inverse` = M⁻¹, `rk` the plain constants. */
static void compress_constants(fr_t *out, const fr_t *rk, const fr_t *inverse, unsigned t,
                               unsigned rp)
{
    enum { HALF = POSEIDON_FULL_ROUNDS / 2 };
    fr_t *partial = out + (HALF + 1) * t;
    memcpy(out, rk, t * sizeof *rk);
    for (unsigned i = 1; i < HALF; i++) matrix_apply(out + i * t, inverse, rk + i * t, t);

    fr_t acc[POSEIDON_MAX_WIDTH], v[POSEIDON_MAX_WIDTH];
    memcpy(acc, rk + (HALF + rp) * t, t * sizeof *rk);
    for (unsigned i = 0; i < rp; i++) {
        matrix_apply(v, inverse, acc, t);
        partial[rp - 1 - i] = v[0];
        const fr_t *key = rk + (HALF + rp - 1 - i) * t;
        acc[0] = key[0];
        for (unsigned j = 1; j < t; j++) fr_add(&acc[j], &key[j], &v[j]);
    }
    matrix_apply(out + HALF * t, inverse, acc, t);
    for (unsigned i = 1; i < HALF; i++) {
        matrix_apply(partial + rp + (i - 1) * t, inverse, rk + (HALF + rp + i) * t, t);
    }
}

/* With M = [[m, uᵀ], [u, M̂]], each step of the factorisation multiplies what is left, M at first,
 * by [[1, 0], [0, M̂]] from the right; that leaves the first column alone. Step k, counted from the
 * last partial round backwards, therefore has w_hat = (m, M̂^−(k+1)·u) and v_rest = M̂^k·u, and what
 * is left for the layer before the partial rounds is [[m, (M̂^R_P·u)ᵀ], [u, M̂^(R_P+1)]]. */
static void factorise(fr_t *pre_sparse, fr_t *sparse, const fr_t *mds, const fr_t *recip,
                      unsigned t, unsigned rp)
{
    unsigned n = t - 1;
    fr_t minor[MAX_CELLS], inverse[MAX_CELLS], power[MAX_CELLS];
    cauchy_make(minor, n, t + 2, recip);
    cauchy_invert(inverse, n, t + 2, recip);

    fr_t v[POSEIDON_MAX_WIDTH], w[POSEIDON_MAX_WIDTH], next[POSEIDON_MAX_WIDTH];
    memcpy(v, mds + 1, n * sizeof *v);
    memcpy(w, mds + 1, n * sizeof *w);
    for (unsigned k = 0; k < rp; k++) {
        fr_t *block = sparse + (rp - 1 - k) * (2 * t - 1);
        matrix_apply(next, inverse, w, n);
        memcpy(w, next, n * sizeof *w);
        block[0] = mds[0];
        memcpy(block + 1, w, n * sizeof *w);
        memcpy(block + t, v, n * sizeof *v);
        matrix_apply(next, minor, v, n);
        memcpy(v, next, n * sizeof *v);
    }

    matrix_power_symmetric(power, minor, rp + 1, n);
    pre_sparse[0] = mds[0];
    memcpy(pre_sparse + 1, v, n * sizeof *v);
    for (unsigned i = 1; i < t; i++) {
        pre_sparse[i * t] = mds[i];
        memcpy(pre_sparse + i * t + 1, power + (i - 1) * n, n * sizeof *power);
    }
}

/* Let x be elements 1 … t−1 before a group of partial rounds and s[i] the S-box output of its round
 * i. Since x changes by v_rest·s[i] only, element 0 after round i is
 *
 *   w_hat[1…]·x + Σ_{l<i} (w_hat[1…]·v_rest(l))·s[l] + w_hat[0]·s[i]   (w_hat of round i)
 *
 * and x after the group is x + Σ_i v_rest(i)·s[i]: dot products with one reduction each instead of
 * a product with a reduction for every element and round. First the rows of coefficients of (x, s),
 * then for each element of x the v_rest of all rounds. */
static void group_make(fr_t *out, const struct poseidon_params *p, unsigned first)
{
    unsigned n = p->t - 1;
    for (unsigned i = 0; i < POSEIDON_GROUP; i++) {
        const fr_t *w_hat = poseidon_w_hat(p, first + i);
        memcpy(out, w_hat + 1, n * sizeof *out);
        out += n;
        for (unsigned l = 0; l < i; l++) {
            poseidon_dot(out++, w_hat + 1, poseidon_v_rest(p, first + l), n);
        }
        *out++ = w_hat[0];
    }
    for (unsigned j = 0; j < n; j++) {
        for (unsigned i = 0; i < POSEIDON_GROUP; i++) {
            *out++ = poseidon_v_rest(p, first + i)[j];
        }
    }
}

void poseidon_params_make(struct poseidon_params *p, fr_t *space, unsigned arity, unsigned rp)
{
    unsigned t = arity + 1;
    assert(t <= POSEIDON_MAX_WIDTH && rp <= 60);
    fr_t *constants = space;
    fr_t *mds = constants + POSEIDON_COMPRESSED(t, rp);
    fr_t *pre_sparse = mds + t * t;
    fr_t *columns = pre_sparse + t * t;
    fr_t *sparse = columns + t * t;
    fr_t *groups = sparse + POSEIDON_SPARSE(t, rp);

    fr_t recip[RECIPROCALS], inverse[MAX_CELLS];
    fr_t plain[(POSEIDON_FULL_ROUNDS + 60) * POSEIDON_MAX_WIDTH];
    reciprocals_make(recip);
    cauchy_make(mds, t, t, recip);
    cauchy_invert(inverse, t, t, recip);
    poseidon_round_constants(plain, t, rp);
    compress_constants(constants, plain, inverse, t, rp);
    factorise(pre_sparse, sparse, mds, recip, t, rp);
    for (unsigned i = 0; i < t; i++) {
        for (unsigned j = 0; j < t; j++) columns[j * t + i] = pre_sparse[i * t + j];
    }
    *p = (struct poseidon_params){ .arity = arity,
                                   .t = t,
                                   .partial_rounds = rp,
                                   .constants = constants,
                                   .mds = mds,
                                   .pre_sparse = pre_sparse,
                                   .pre_sparse_columns = columns,
                                   .sparse = sparse,
                                   .groups = groups };
    for (unsigned k = 0; k + POSEIDON_GROUP <= rp; k += POSEIDON_GROUP) {
        group_make(groups, p, k);
        groups += POSEIDON_GROUP_SIZE(t);
    }
}
