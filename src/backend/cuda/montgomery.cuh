/* Montgomery arithmetic modulo a prime of N 32-bit words (N even, at least one bit free), for both fields.
 * M names the modulus: M::N, M::P(i) (words of the prime), M::add_prime_if, which adds the prime if a condition is
 * not zero, and M::reduce_round, which clears even[0] by adding a multiple of the prime to a pair of accumulators:
 * m = even[0]·(−1/prime) modulo 2^32.
 *
 * Products are kept in two accumulators: `even` collects the products of a's even words, `odd` those of its odd
 * words and stands one word higher. So each row is two unbroken chains of wide multiply-adds. After a round
 * even[0] is zero, and moving down by one word makes `odd` the new even accumulator and the rest of `even`,
 * two words down, the new odd one; even[1] goes where the new even[0] is. Values are fully reduced. */
#ifndef CUZK_CUDA_MONTGOMERY_CUH
#define CUZK_CUDA_MONTGOMERY_CUH

#include "backend/cuda/limbs.cuh"

/* t += the prime, if `condition` is not 0. On the device instructions under a predicate, which the compiler does not
 * make of masked words. */
template <class M> HD void add_masked_prime(uint32_t *t, uint32_t condition)
{
    uint32_t mask = condition ? 0xffffffff : 0;
    t[0] = add_cc(t[0], mask & M::P(0));
#pragma unroll
    for (int i = 1; i < M::N - 1; i++) t[i] = addc_cc(t[i], mask & M::P(i));
    t[M::N - 1] = addc(t[M::N - 1], mask & M::P(M::N - 1));
}

/* acc[j], acc[j + 1] = a[j]·b for even j */
template <int N> HD void row_set(uint32_t *acc, const uint32_t *a, uint32_t b)
{
#pragma unroll
    for (int j = 0; j < N; j += 2) {
        acc[j] = mul_lo(a[j], b);
        acc[j + 1] = mul_hi(a[j], b);
    }
}

/* acc += Σ a[j]·b·2^32j over even j; the carry out is left in the flag */
template <int N> HD void row_add(uint32_t *acc, const uint32_t *a, uint32_t b)
{
    acc[0] = mad_lo_cc(a[0], b, acc[0]);
    acc[1] = madc_hi_cc(a[0], b, acc[1]);
#pragma unroll
    for (int j = 2; j < N; j += 2) {
        acc[j] = madc_lo_cc(a[j], b, acc[j]);
        acc[j + 1] = madc_hi_cc(a[j], b, acc[j + 1]);
    }
}

/* The same on the accumulator moved down by two words, with a carry in and none out. */
template <int N> HD void row_add_shifted(uint32_t *acc, const uint32_t *a, uint32_t b)
{
#pragma unroll
    for (int j = 0; j < N - 2; j += 2) {
        acc[j] = madc_lo_cc(a[j], b, acc[j + 2]);
        acc[j + 1] = madc_hi_cc(a[j], b, acc[j + 3]);
    }
    acc[N - 2] = madc_lo_cc(a[N - 2], b, 0);
    acc[N - 1] = madc_hi(a[N - 2], b, 0);
}

/* One word of b: the move down, the row of products, a reduction. Roles of the accumulators as after the move. */
template <class M> HD void product_round(uint32_t *even, uint32_t *odd, const uint32_t *a, uint32_t b)
{
    even[0] = add_cc(even[0], odd[1]);
    row_add_shifted<M::N>(odd, a + 1, b);
    row_add<M::N>(even, a, b);
    odd[M::N - 1] = addc(odd[M::N - 1], 0);
    M::reduce_round(even, odd);
}

/* out = t mod prime for t < 2·prime */
template <class M> HD void reduce_once(uint32_t *out, const uint32_t *t)
{
    uint32_t d[M::N];
    d[0] = sub_cc(t[0], M::P(0));
#pragma unroll
    for (int i = 1; i < M::N; i++) d[i] = subc_cc(t[i], M::P(i));
    uint32_t keep = subc(0, 0);
#pragma unroll
    for (int i = 0; i < M::N; i++) out[i] = keep ? t[i] : d[i];
}

/* t = even + odd moved down by one word, which closes the last round */
template <class M> HD void close_rounds(uint32_t *t, const uint32_t *even, const uint32_t *odd)
{
    t[0] = add_cc(even[0], odd[1]);
#pragma unroll
    for (int i = 1; i < M::N - 1; i++) t[i] = addc_cc(even[i], odd[i + 1]);
    t[M::N - 1] = addc(even[M::N - 1], 0);
}

/* a·b/2^(32·N) mod prime, below 2·prime for factors below 2·prime (if two bits are free) */
template <class M> HD void montgomery_mul_lazy(uint32_t *t, const uint32_t *a, const uint32_t *b)
{
    uint32_t x[M::N], y[M::N];
    row_set<M::N>(y, a + 1, b[0]);
    row_set<M::N>(x, a, b[0]);
    M::reduce_round(x, y);
    product_round<M>(y, x, a, b[1]);
#pragma unroll
    for (int i = 2; i < M::N; i += 2) {
        product_round<M>(x, y, a, b[i]);
        product_round<M>(y, x, a, b[i + 1]);
    }
    close_rounds<M>(t, x, y);
}

/* a·b/2^(32·N) */
template <class M> HD void montgomery_mul(uint32_t *out, const uint32_t *a, const uint32_t *b)
{
    uint32_t t[M::N];
    montgomery_mul_lazy<M>(t, a, b);
    reduce_once<M>(out, t);
}

/* t = a/2^(32·N) mod prime, at most the prime */
template <class M> HD void montgomery_rounds(uint32_t *t, const uint32_t *a)
{
    uint32_t x[M::N], y[M::N];
#pragma unroll
    for (int i = 0; i < M::N; i++) {
        x[i] = a[i];
        y[i] = 0;
    }
#pragma unroll
    for (int i = 0; i < M::N; i++) {
        uint32_t *even = i % 2 ? y : x, *odd = i % 2 ? x : y;
        if (i > 0) {
            even[0] = add_cc(even[0], odd[1]);
#pragma unroll
            for (int j = 0; j < M::N - 2; j++) odd[j] = addc_cc(odd[j + 2], 0);
            odd[M::N - 2] = addc(0, 0);
            odd[M::N - 1] = 0;
        }
        M::reduce_round(even, odd);
    }
    close_rounds<M>(t, x, y);
}

/* a/2^(32·N): the canonical integer of a Montgomery form */
template <class M> HD void montgomery_leave(uint32_t *out, const uint32_t *a)
{
    uint32_t t[M::N];
    montgomery_rounds<M>(t, a);
    reduce_once<M>(out, t);
}

template <class M> HD void modular_add(uint32_t *out, const uint32_t *a, const uint32_t *b)
{
    uint32_t t[M::N];
    t[0] = add_cc(a[0], b[0]);
#pragma unroll
    for (int i = 1; i < M::N - 1; i++) t[i] = addc_cc(a[i], b[i]);
    t[M::N - 1] = addc(a[M::N - 1], b[M::N - 1]);
    reduce_once<M>(out, t);
}

template <class M> HD void modular_sub(uint32_t *out, const uint32_t *a, const uint32_t *b)
{
    uint32_t t[M::N];
    t[0] = sub_cc(a[0], b[0]);
#pragma unroll
    for (int i = 1; i < M::N; i++) t[i] = subc_cc(a[i], b[i]);
    M::add_prime_if(t, subc(0, 0));
#pragma unroll
    for (int i = 0; i < M::N; i++) out[i] = t[i];
}

template <int N> HD uint32_t any_word(const uint32_t *a)
{
    uint32_t any = a[0];
#pragma unroll
    for (int i = 1; i < N; i++) any |= a[i];
    return any;
}

/* Is the integer below the prime? */
template <class M> HD bool is_canonical(const uint32_t *a)
{
    (void)sub_cc(a[0], M::P(0));
#pragma unroll
    for (int i = 1; i < M::N; i++) (void)subc_cc(a[i], M::P(i));
    return subc(0, 0) != 0;
}

#endif
