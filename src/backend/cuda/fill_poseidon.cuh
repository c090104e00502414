/* Poseidon with every value that the circuit allocates: poseidon_trace of hash/poseidon.h. One loop over all rounds,
 * so that there is one text of each product; the state is indexed at run time and lies in the thread's local memory,
 * which costs little beside the arithmetic (1,930 products for arity 8). */
#ifndef CUZK_CUDA_FILL_POSEIDON_CUH
#define CUZK_CUDA_FILL_POSEIDON_CUH

#include "backend/cuda/fill_plan.h"
#include "backend/cuda/fr.cuh"
#ifdef __CUDACC__
#include "backend/cuda/memory.cuh"
#endif

enum { FILL_MAX_WIDTH = 12, FILL_FULL_ROUNDS = 8 };

/* Between registers and memory: whole, as products would otherwise read their operands a word at a time, several
 * times over. */
HD fr fetch(const fr *p)
{
#ifdef __CUDA_ARCH__
    return load(p);
#else
    return *p;
#endif
}

HD void put(fr *p, const fr &v)
{
#ifdef __CUDA_ARCH__
    store(p, v);
#else
    *p = v;
#endif
}

/* x = x^5 + *post (unless NULL), and what is allocated of it: x if `first`, x², x⁴, the result. */
HD fr fill_sbox(const fr &x, const fr *post, fr *&trace, bool first, bool silent)
{
    fr square = mul(x, x), fourth = mul(square, square), out = mul(x, fourth);
    if (post) out = add(out, fetch(post));
    if (silent) return out;
    if (first) put(trace++, x);
    put(&trace[0], square);
    put(&trace[1], fourth);
    put(&trace[2], out);
    trace += 3;
    return out;
}

HD fr fill_dot(const fr *a, const fr *b, uint32_t n)
{
    fr sum = mul(fetch(a), fetch(b));
    for (uint32_t i = 1; i < n; i++) sum = add(sum, mul(fetch(a + i), fetch(b + i)));
    return sum;
}

/* state = rows·state */
HD void fill_mix(fr *state, const fr *rows, uint32_t t)
{
    fr mixed[FILL_MAX_WIDTH];
    for (uint32_t i = 0; i < t; i++) put(&mixed[i], fill_dot(rows + i * t, state, t));
    for (uint32_t i = 0; i < t; i++) put(&state[i], fetch(&mixed[i]));
}

/* block: w_hat (t), v_rest (t − 1) */
HD void fill_mix_sparse(fr *state, const fr *block, uint32_t t)
{
    fr first = fill_dot(block, state, t), x = fetch(state);
    for (uint32_t j = 1; j < t; j++) put(&state[j], add(fetch(&state[j]), mul(fetch(block + t + j - 1), x)));
    put(state, first);
}

/* state[0] is the tag and state[1 … t−1] the inputs; both are lost. Writes the trace, the last element of which is
 * the hash, and moves `trace` behind it. */
HD void fill_poseidon_trace(fr *&trace, fr *state, const fill_poseidon &p, const fr *elements)
{
    uint32_t t = p.t, rounds = FILL_FULL_ROUNDS + p.partial_rounds;
    const fr *post = elements + p.constants + t, *mds = elements + p.mds, *sparse = elements + p.sparse;
    for (uint32_t j = 0; j < t; j++) put(&state[j], add(fetch(&state[j]), fetch(&elements[p.constants + j])));
    for (uint32_t round = 0;; round++) {
        bool partial = round >= 4 && round < 4 + p.partial_rounds, last = round == rounds - 1;
        for (uint32_t j = 0; j < (partial ? 1 : t); j++) {
            fr x = fetch(&state[j]);
            put(&state[j], fill_sbox(x, last ? nullptr : post, trace, round > 0, round == 0 && j == 0));
            post++;
        }
        if (last) break;
        if (partial) {
            fill_mix_sparse(state, sparse, t);
            sparse += 2 * t - 1;
        } else {
            fill_mix(state, round == 3 ? elements + p.pre_sparse_columns : mds, t);
        }
    }
    put(trace++, fill_dot(mds + t, state, t)); /* only element 1 of the last layer is used */
}

#endif
