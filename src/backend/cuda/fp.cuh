/* Fp and Fp2 on the device: the same bytes as math/fp.h and math/fp2.h, as 32-bit words. Values are fully
 * reduced. */
#ifndef CUZK_CUDA_FP_CUH
#define CUZK_CUDA_FP_CUH

#include "backend/cuda/montgomery.cuh"

struct alignas(16) fp {
    uint32_t l[12];
};

struct fp2 {
    fp c0, c1;
};

struct fp_modulus {
    static constexpr int N = 12;
    static constexpr uint32_t FACTOR = 0xfffcfffd;

    HD static constexpr uint32_t P(int i)
    {
        constexpr uint32_t p[12] = { 0xffffaaab, 0xb9feffff, 0xb153ffff, 0x1eabfffe, 0xf6b0f624, 0x6730d2a0,
                                     0xf38512bf, 0x64774b84, 0x434bacd7, 0x4b1ba7b6, 0x397fe69a, 0x1a0111ea };
        return p[i];
    }

    HD static void add_prime_if(uint32_t *t, uint32_t condition)
    {
#ifdef __CUDA_ARCH__
        asm volatile(
            "{\n\t.reg .pred q;\n\tsetp.ne.u32 q, %12, 0;\n\t"
            "@q add.cc.u32 %0, %0, %13;\n\t"
            "@q addc.cc.u32 %1, %1, %14;\n\t"
            "@q addc.cc.u32 %2, %2, %15;\n\t"
            "@q addc.cc.u32 %3, %3, %16;\n\t"
            "@q addc.cc.u32 %4, %4, %17;\n\t"
            "@q addc.cc.u32 %5, %5, %18;\n\t"
            "@q addc.cc.u32 %6, %6, %19;\n\t"
            "@q addc.cc.u32 %7, %7, %20;\n\t"
            "@q addc.cc.u32 %8, %8, %21;\n\t"
            "@q addc.cc.u32 %9, %9, %22;\n\t"
            "@q addc.cc.u32 %10, %10, %23;\n\t"
            "@q addc.u32 %11, %11, %24;\n\t"
            "}"
            : "+r"(t[0]), "+r"(t[1]), "+r"(t[2]), "+r"(t[3]), "+r"(t[4]), "+r"(t[5]), "+r"(t[6]),
              "+r"(t[7]), "+r"(t[8]), "+r"(t[9]), "+r"(t[10]), "+r"(t[11])
            : "r"(condition), "n"(P(0)), "n"(P(1)), "n"(P(2)), "n"(P(3)), "n"(P(4)), "n"(P(5)),
              "n"(P(6)), "n"(P(7)), "n"(P(8)), "n"(P(9)), "n"(P(10)), "n"(P(11)));
#else
        add_masked_prime<fp_modulus>(t, condition);
#endif
    }

    HD static void reduce_round(uint32_t *even, uint32_t *odd)
    {
        uint32_t m = mul_lo(even[0], FACTOR);
        odd[0] = mad_lo_cc(P(1), m, odd[0]);
        odd[1] = madc_hi_cc(P(1), m, odd[1]);
#pragma unroll
        for (int j = 2; j < 12; j += 2) {
            odd[j] = madc_lo_cc(P(j + 1), m, odd[j]);
            odd[j + 1] = j < 10 ? madc_hi_cc(P(j + 1), m, odd[j + 1]) : madc_hi(P(j + 1), m, odd[j + 1]);
        }
        even[0] = mad_lo_cc(P(0), m, even[0]);
        even[1] = madc_hi_cc(P(0), m, even[1]);
#pragma unroll
        for (int j = 2; j < 12; j += 2) {
            even[j] = madc_lo_cc(P(j), m, even[j]);
            even[j + 1] = madc_hi_cc(P(j), m, even[j + 1]);
        }
        odd[11] = addc(odd[11], 0);
    }

    /* The same after a move down by one word. */
    HD static void reduce_round_shifted(uint32_t *even, uint32_t *odd)
    {
        even[0] = add_cc(even[0], odd[1]);
        uint32_t m = mul_lo(even[0], FACTOR);
#pragma unroll
        for (int j = 0; j < 10; j += 2) {
            odd[j] = madc_lo_cc(P(j + 1), m, odd[j + 2]);
            odd[j + 1] = madc_hi_cc(P(j + 1), m, odd[j + 3]);
        }
        odd[10] = madc_lo_cc(P(11), m, 0);
        odd[11] = madc_hi(P(11), m, 0);
        even[0] = mad_lo_cc(P(0), m, even[0]);
        even[1] = madc_hi_cc(P(0), m, even[1]);
#pragma unroll
        for (int j = 2; j < 12; j += 2) {
            even[j] = madc_lo_cc(P(j), m, even[j]);
            even[j + 1] = madc_hi_cc(P(j), m, even[j + 1]);
        }
        odd[11] = addc(odd[11], 0);
    }
};

HD void set_zero(fp &a)
{
#pragma unroll
    for (int i = 0; i < 12; i++) a.l[i] = 0;
}

/* 2^384 mod p */
HD void set_one(fp &a)
{
    constexpr uint32_t one[12] = { 0x0002fffd, 0x76090000, 0xc40c0002, 0xebf4000b, 0x53c758ba, 0x5f489857,
                                   0x70525745, 0x77ce5853, 0xa256ec6d, 0x5c071a97, 0xfa80e493, 0x15f65ec3 };
#pragma unroll
    for (int i = 0; i < 12; i++) a.l[i] = one[i];
}

/* 2^768 mod p */
HD fp fp_montgomery_square()
{
    return fp{ { 0x1c341746, 0xf4df1f34, 0x09d104f1, 0x0a76e6a6, 0x4c95b6d5, 0x8de5476c, 0x939d83c0, 0x67eb88a9,
                 0xb519952d, 0x9a793e85, 0x92cae3aa, 0x11988fe5 } };
}

HD bool is_zero(const fp &a) { return any_word<12>(a.l) == 0; }

HD fp add(const fp &a, const fp &b)
{
    fp r;
    modular_add<fp_modulus>(r.l, a.l, b.l);
    return r;
}

HD fp sub(const fp &a, const fp &b)
{
    fp r;
    modular_sub<fp_modulus>(r.l, a.l, b.l);
    return r;
}

HD fp mul(const fp &a, const fp &b)
{
    fp r;
    montgomery_mul<fp_modulus>(r.l, a.l, b.l);
    return r;
}

/* As mul, but below 2p only, also for factors below 2p. */
HD fp mul_lazy(const fp &a, const fp &b)
{
    fp r;
    montgomery_mul_lazy<fp_modulus>(r.l, a.l, b.l);
    return r;
}

HD fp sqr(const fp &a) { return mul(a, a); }

HD void set_zero(fp2 &a)
{
    set_zero(a.c0);
    set_zero(a.c1);
}

HD void set_one(fp2 &a)
{
    set_one(a.c0);
    set_zero(a.c1);
}

HD bool is_zero(const fp2 &a) { return is_zero(a.c0) && is_zero(a.c1); }
HD fp2 add(const fp2 &a, const fp2 &b) { return fp2{ add(a.c0, b.c0), add(a.c1, b.c1) }; }
HD fp2 sub(const fp2 &a, const fp2 &b) { return fp2{ sub(a.c0, b.c0), sub(a.c1, b.c1) }; }

/* Products that are functions, not text repeated in place. In Fp2 always: a group operation has ten of them, and with
 * three Fp products each it would not fit the instruction cache. In Fp where few are needed (`call_mul`): the
 * compiler takes minutes over long texts. */
#ifdef __CUDACC__
#define FP_FUNCTION static __host__ __device__ __noinline__
#else
#define FP_FUNCTION static
#endif

FP_FUNCTION fp call_mul(const fp a, const fp b) { return mul(a, b); }
HD fp call_sqr(const fp &a) { return call_mul(a, a); }

FP_FUNCTION fp2 mul(const fp2 a, const fp2 b)
{
    fp low = mul(a.c0, b.c0), high = mul(a.c1, b.c1);
    fp cross = mul(add(a.c0, a.c1), add(b.c0, b.c1));
    return fp2{ sub(low, high), sub(sub(cross, low), high) };
}

FP_FUNCTION fp2 sqr(const fp2 a)
{
    fp cross = mul(a.c0, a.c1);
    return fp2{ mul(add(a.c0, a.c1), sub(a.c0, a.c1)), add(cross, cross) };
}

HD fp2 call_mul(const fp2 &a, const fp2 &b) { return mul(a, b); }
HD fp2 call_sqr(const fp2 &a) { return sqr(a); }

template <class F> HD F neg(const F &a)
{
    F zero;
    set_zero(zero);
    return sub(zero, a);
}

template <class F> HD F twice(const F &a) { return add(a, a); }

#endif
