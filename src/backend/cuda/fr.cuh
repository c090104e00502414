/* Fr on the device: the same 32 bytes as math/fr.h's fr_t, as eight words. Values are fully reduced. */
#ifndef CUZK_CUDA_FR_CUH
#define CUZK_CUDA_FR_CUH

#include "backend/cuda/montgomery.cuh"

struct alignas(16) fr {
    uint32_t l[8];
};

struct fr_modulus {
    static constexpr int N = 8;

    HD static constexpr uint32_t P(int i)
    {
        constexpr uint32_t p[8] = { 0x00000001, 0xffffffff, 0xfffe5bfe, 0x53bda402,
                                    0x09a1d805, 0x3339d808, 0x299d7d48, 0x73eda753 };
        return p[i];
    }

    HD static void add_prime_if(uint32_t *t, uint32_t condition)
    {
#ifdef __CUDA_ARCH__
        asm volatile(
            "{\n\t.reg .pred q;\n\tsetp.ne.u32 q, %8, 0;\n\t"
            "@q add.cc.u32 %0, %0, %9;\n\t"
            "@q addc.cc.u32 %1, %1, %10;\n\t"
            "@q addc.cc.u32 %2, %2, %11;\n\t"
            "@q addc.cc.u32 %3, %3, %12;\n\t"
            "@q addc.cc.u32 %4, %4, %13;\n\t"
            "@q addc.cc.u32 %5, %5, %14;\n\t"
            "@q addc.cc.u32 %6, %6, %15;\n\t"
            "@q addc.u32 %7, %7, %16;\n\t"
            "}"
            : "+r"(t[0]), "+r"(t[1]), "+r"(t[2]), "+r"(t[3]), "+r"(t[4]), "+r"(t[5]), "+r"(t[6]),
              "+r"(t[7])
            : "r"(condition), "n"(P(0)), "n"(P(1)), "n"(P(2)), "n"(P(3)), "n"(P(4)), "n"(P(5)),
              "n"(P(6)), "n"(P(7)));
#else
        add_masked_prime<fr_modulus>(t, condition);
#endif
    }

    /* m = −even[0], as −1/r is −1 modulo 2^32. The two lowest words of r, 1 and 2^32 − 1, need no multiplication:
     * m·1 and m·2^32 − m. */
    HD static void reduce_round(uint32_t *even, uint32_t *odd)
    {
        uint32_t low = even[0], m = negative(low), high = m - (low != 0);
        odd[0] = add_cc(odd[0], low);
        odd[1] = addc_cc(odd[1], high);
#pragma unroll
        for (int j = 2; j < 8; j += 2) {
            odd[j] = madc_lo_cc(P(j + 1), m, odd[j]);
            odd[j + 1] = j < 6 ? madc_hi_cc(P(j + 1), m, odd[j + 1]) : madc_hi(P(j + 1), m, odd[j + 1]);
        }
        even[0] = add_cc(even[0], m);
        even[1] = addc_cc(even[1], 0);
#pragma unroll
        for (int j = 2; j < 8; j += 2) {
            even[j] = madc_lo_cc(P(j), m, even[j]);
            even[j + 1] = madc_hi_cc(P(j), m, even[j + 1]);
        }
        odd[7] = addc(odd[7], 0);
    }
};

HD fr fr_zero() { return fr{ { 0, 0, 0, 0, 0, 0, 0, 0 } }; }

/* 2^256 mod r */
HD fr fr_one()
{
    return fr{ { 0xfffffffe, 0x00000001, 0x00034802, 0x5884b7fa, 0xecbc4ff5, 0x998c4fef, 0xacc5056f, 0x1824b159 } };
}

/* 2^512 mod r */
HD fr fr_montgomery_square()
{
    return fr{ { 0xf3f29c6d, 0xc999e990, 0x87925c23, 0x2b6cedcb, 0x7254398f, 0x05d31496, 0x9f59ff11, 0x0748d9d9 } };
}

HD bool is_zero(const fr &a) { return any_word<8>(a.l) == 0; }

HD fr add(const fr &a, const fr &b)
{
    fr r;
    modular_add<fr_modulus>(r.l, a.l, b.l);
    return r;
}

HD fr sub(const fr &a, const fr &b)
{
    fr r;
    modular_sub<fr_modulus>(r.l, a.l, b.l);
    return r;
}

HD fr mul(const fr &a, const fr &b)
{
    fr r;
    montgomery_mul<fr_modulus>(r.l, a.l, b.l);
    return r;
}

/* The canonical integer. */
HD fr leave(const fr &a)
{
    fr r;
    montgomery_leave<fr_modulus>(r.l, a.l);
    return r;
}

HD fr fr_from_u64(uint64_t v)
{
    fr t = fr_zero();
    t.l[0] = (uint32_t)v;
    t.l[1] = (uint32_t)(v >> 32);
    return mul(t, fr_montgomery_square());
}

HD fr fr_from_i64(int64_t v)
{
    return v < 0 ? sub(fr_zero(), fr_from_u64(0 - (uint64_t)v)) : fr_from_u64((uint64_t)v);
}

#endif
