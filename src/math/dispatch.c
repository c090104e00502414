/* The choice between versions of an operation (kernels.h), made at its first call. A call then costs one indirect
 * jump. */
#include "math/cpu.h"
#include "math/kernels.h"

#include <stdatomic.h>

#if defined(__x86_64__)
#define BEST(name) (cpu_level() >= CPU_ADX ? name##_adx : name##_portable)
#elif defined(__aarch64__)
#define BEST(name) (cpu_level() >= CPU_AARCH64 ? name##_aarch64 : name##_portable)
#else
#define BEST(name) name##_portable
#endif

/* `name` jumps through a pointer. It starts at a function that settles it, to the same value in every thread. */
#define DISPATCH(name, parameters, arguments)                                                                        \
    typedef void name##_function parameters;                                                                         \
    static name##_function name##_choose;                                                                            \
    static _Atomic(name##_function *) name##_chosen = name##_choose;                                                 \
    static void name##_choose parameters                                                                             \
    {                                                                                                                \
        name##_function *best = BEST(name);                                                                          \
        atomic_store_explicit(&name##_chosen, best, memory_order_relaxed);                                           \
        best arguments;                                                                                              \
    }                                                                                                                \
    void name parameters { atomic_load_explicit(&name##_chosen, memory_order_relaxed) arguments; }

DISPATCH(fr_mul, (fr_t * out, const fr_t *a, const fr_t *b), (out, a, b))
DISPATCH(fr_sqr, (fr_t * out, const fr_t *a), (out, a))
DISPATCH(fr_dot_unreduced, (uint64_t out[5], const fr_t *a, const fr_t *b, size_t n), (out, a, b, n))
DISPATCH(fp_mul, (fp_t * out, const fp_t *a, const fp_t *b), (out, a, b))
DISPATCH(fp_sqr, (fp_t * out, const fp_t *a), (out, a))
DISPATCH(fp2_mul, (fp2_t * out, const fp2_t *a, const fp2_t *b), (out, a, b))
DISPATCH(fp2_sqr, (fp2_t * out, const fp2_t *a), (out, a))
