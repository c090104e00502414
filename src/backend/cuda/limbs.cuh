/* 32-bit words with an explicit carry flag: on the device one PTX instruction each, on the host the same in
 * plain C++ with the flag in a variable, so that the field code can be tested without a card.
 *
 * A name says what it does to the flag: add_cc sets it, addc reads it, addc_cc does both. ptxas joins a
 * mad_lo and the mad_hi that follows it into one wide multiply-add, which is why rows of products are
 * written in pairs. */
#ifndef CUZK_CUDA_LIMBS_CUH
#define CUZK_CUDA_LIMBS_CUH

#include <stdint.h>

#ifdef __CUDACC__
#define HD __host__ __device__ __forceinline__
#else
#define HD inline
#endif

#ifdef __CUDA_ARCH__

#define CARRY_OP2(name, instruction)                                                                                 \
    HD uint32_t name(uint32_t a, uint32_t b)                                                                         \
    {                                                                                                                \
        uint32_t r;                                                                                                  \
        asm volatile(instruction " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                                         \
        return r;                                                                                                    \
    }
#define CARRY_OP3(name, instruction)                                                                                 \
    HD uint32_t name(uint32_t a, uint32_t b, uint32_t c)                                                             \
    {                                                                                                                \
        uint32_t r;                                                                                                  \
        asm volatile(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                             \
        return r;                                                                                                    \
    }

CARRY_OP2(add_cc, "add.cc.u32")
CARRY_OP2(addc_cc, "addc.cc.u32")
CARRY_OP2(addc, "addc.u32")
CARRY_OP2(sub_cc, "sub.cc.u32")
CARRY_OP2(subc_cc, "subc.cc.u32")
CARRY_OP2(subc, "subc.u32")
CARRY_OP2(mul_lo, "mul.lo.u32")
CARRY_OP2(mul_hi, "mul.hi.u32")
CARRY_OP3(mad_lo_cc, "mad.lo.cc.u32")
CARRY_OP3(madc_lo_cc, "madc.lo.cc.u32")
CARRY_OP3(madc_hi_cc, "madc.hi.cc.u32")
CARRY_OP3(madc_hi, "madc.hi.u32")

/* −a that ptxas does not recognise as one: it would draw the sign into the products that follow, and then no longer
 * join their halves. */
HD uint32_t negative(uint32_t a)
{
    uint32_t r;
    asm volatile("xor.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(a));
    return r + 1;
}

#else

HD uint32_t negative(uint32_t a) { return 0 - a; }

static thread_local uint32_t carry_flag;

HD uint32_t set_carry(uint64_t t)
{
    carry_flag = (uint32_t)(t >> 32) & 1;
    return (uint32_t)t;
}
HD uint32_t add_cc(uint32_t a, uint32_t b) { return set_carry((uint64_t)a + b); }
HD uint32_t addc_cc(uint32_t a, uint32_t b) { return set_carry((uint64_t)a + b + carry_flag); }
HD uint32_t addc(uint32_t a, uint32_t b) { return a + b + carry_flag; }
HD uint32_t sub_cc(uint32_t a, uint32_t b) { return set_carry((uint64_t)a - b); }
HD uint32_t subc_cc(uint32_t a, uint32_t b) { return set_carry((uint64_t)a - b - carry_flag); }
HD uint32_t subc(uint32_t a, uint32_t b) { return a - b - carry_flag; }
HD uint32_t mul_lo(uint32_t a, uint32_t b) { return a * b; }
HD uint32_t mul_hi(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }
HD uint32_t mad_lo_cc(uint32_t a, uint32_t b, uint32_t c) { return add_cc(a * b, c); }
HD uint32_t madc_lo_cc(uint32_t a, uint32_t b, uint32_t c) { return addc_cc(a * b, c); }
HD uint32_t madc_hi_cc(uint32_t a, uint32_t b, uint32_t c) { return addc_cc(mul_hi(a, b), c); }
HD uint32_t madc_hi(uint32_t a, uint32_t b, uint32_t c) { return addc(mul_hi(a, b), c); }

#endif
#endif
