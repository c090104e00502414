/* Fp for aarch64: contracts in fp.h, fp_wide.h and kernels.h. The algorithms are those of fp_portable.c. */
#if defined(__aarch64__)

#include "math/asm_aarch64.h"

    .section .rodata
    .p2align 6
modulus:
    .quad 0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624
    .quad 0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a
montgomery_factor:
    .quad 0x89f3fffcfffcfffd

    .text

/* Everywhere below: x0 the result, x4 … x9 the first factor, x10 … x15 p, x24 −1/p mod 2^64, x25 … x28 temporaries. */

.macro LOAD6 base, offset, t0, t1, t2, t3, t4, t5
    ldp \t0, \t1, [\base, #\offset]
    ldp \t2, \t3, [\base, #\offset + 16]
    ldp \t4, \t5, [\base, #\offset + 32]
.endm

.macro STORE6 base, offset, t0, t1, t2, t3, t4, t5
    stp \t0, \t1, [\base, #\offset]
    stp \t2, \t3, [\base, #\offset + 16]
    stp \t4, \t5, [\base, #\offset + 32]
.endm

.macro LOAD_MODULUS scratch
    adrp \scratch, modulus
    add \scratch, \scratch, :lo12:modulus
    LOAD6 \scratch, 0, x10, x11, x12, x13, x14, x15
.endm

/* t, below 2p, becomes t mod p; x4 … x9 are clobbered. */
.macro REDUCE_ONCE t0, t1, t2, t3, t4, t5
    subs x4, \t0, x10
    sbcs x5, \t1, x11
    sbcs x6, \t2, x12
    sbcs x7, \t3, x13
    sbcs x8, \t4, x14
    sbcs x9, \t5, x15
    csel \t0, \t0, x4, lo
    csel \t1, \t1, x5, lo
    csel \t2, \t2, x6, lo
    csel \t3, \t3, x7, lo
    csel \t4, \t4, x8, lo
    csel \t5, \t5, x9, lo
.endm

FUNCTION fp_add
    LOAD6 x1, 0, x4, x5, x6, x7, x8, x9
    LOAD6 x2, 0, x10, x11, x12, x13, x14, x15
    adds x1, x4, x10
    adcs x2, x5, x11
    adcs x3, x6, x12
    adcs x16, x7, x13
    adcs x17, x8, x14
    adc x9, x9, x15
    LOAD_MODULUS x4
    mov x8, x9
    /* As REDUCE_ONCE, with fewer registers. */
    subs x4, x1, x10
    sbcs x5, x2, x11
    sbcs x6, x3, x12
    sbcs x7, x16, x13
    sbcs x10, x17, x14
    sbcs x9, x8, x15
    csel x1, x1, x4, lo
    csel x2, x2, x5, lo
    csel x3, x3, x6, lo
    csel x16, x16, x7, lo
    csel x17, x17, x10, lo
    csel x8, x8, x9, lo
    STORE6 x0, 0, x1, x2, x3, x16, x17, x8
    ret
END_FUNCTION fp_add

FUNCTION fp_sub
    LOAD6 x1, 0, x4, x5, x6, x7, x8, x9
    LOAD6 x2, 0, x10, x11, x12, x13, x14, x15
    subs x4, x4, x10
    sbcs x5, x5, x11
    sbcs x6, x6, x12
    sbcs x7, x7, x13
    sbcs x8, x8, x14
    sbcs x9, x9, x15
    csetm x3, lo
    LOAD_MODULUS x1
    and x10, x10, x3
    and x11, x11, x3
    and x12, x12, x3
    and x13, x13, x3
    and x14, x14, x3
    and x15, x15, x3
    adds x4, x4, x10
    adcs x5, x5, x11
    adcs x6, x6, x12
    adcs x7, x7, x13
    adcs x8, x8, x14
    adc x9, x9, x15
    STORE6 x0, 0, x4, x5, x6, x7, x8, x9
    ret
END_FUNCTION fp_sub

/* t = a·x3, seven words. */
.macro FIRST_ROW t0, t1, t2, t3, t4, t5, t6
    mul \t0, x4, x3
    mul \t1, x5, x3
    mul \t2, x6, x3
    mul \t3, x7, x3
    mul \t4, x8, x3
    mul \t5, x9, x3
    umulh x26, x4, x3
    umulh x27, x5, x3
    adds \t1, \t1, x26
    umulh x28, x6, x3
    adcs \t2, \t2, x27
    umulh x26, x7, x3
    adcs \t3, \t3, x28
    umulh x27, x8, x3
    adcs \t4, \t4, x26
    umulh x28, x9, x3
    adcs \t5, \t5, x27
    adc \t6, x28, xzr
.endm

/* t, six words, += a·x3, which makes seven. */
.macro ADD_ROW t0, t1, t2, t3, t4, t5, t6
    mul x26, x4, x3
    mul x27, x5, x3
    mul x28, x6, x3
    adds \t0, \t0, x26
    mul x26, x7, x3
    adcs \t1, \t1, x27
    mul x27, x8, x3
    adcs \t2, \t2, x28
    mul x28, x9, x3
    adcs \t3, \t3, x26
    umulh x26, x4, x3
    adcs \t4, \t4, x27
    umulh x27, x5, x3
    adcs \t5, \t5, x28
    adc \t6, xzr, xzr
    umulh x28, x6, x3
    adds \t1, \t1, x26
    umulh x26, x7, x3
    adcs \t2, \t2, x27
    umulh x27, x8, x3
    adcs \t3, \t3, x28
    umulh x28, x9, x3
    adcs \t4, \t4, x26
    adcs \t5, \t5, x27
    adc \t6, \t6, x28
.endm

/* t, seven words, += m·p with the m that makes t0 zero. The lowest words need no product: their sum is 0, and carries
 * unless t0 was 0. What is left of
 * t is the six words above t0. */
.macro REDUCE_ROW t0, t1, t2, t3, t4, t5, t6
    mul x25, \t0, x24
    mul x26, x11, x25
    mul x27, x12, x25
    mul x28, x13, x25
    subs xzr, \t0, #1
    adcs \t1, \t1, x26
    mul x26, x14, x25
    adcs \t2, \t2, x27
    mul x27, x15, x25
    adcs \t3, \t3, x28
    umulh x28, x10, x25
    adcs \t4, \t4, x26
    umulh x26, x11, x25
    adcs \t5, \t5, x27
    adc \t6, \t6, xzr
    umulh x27, x12, x25
    adds \t1, \t1, x28
    umulh x28, x13, x25
    adcs \t2, \t2, x26
    umulh x26, x14, x25
    adcs \t3, \t3, x27
    umulh x27, x15, x25
    adcs \t4, \t4, x28
    adcs \t5, \t5, x26
    adc \t6, \t6, x27
.endm

.macro MUL_ROUND i, t0, t1, t2, t3, t4, t5, t6
    ldr x3, [x2, #8 * \i]
    ADD_ROW \t0, \t1, \t2, \t3, \t4, \t5, \t6
    REDUCE_ROW \t0, \t1, \t2, \t3, \t4, \t5, \t6
.endm

.macro LOAD_CONSTANTS scratch
    LOAD_MODULUS \scratch
    ldr x24, [\scratch, #48]
.endm

FUNCTION fp_sqr_aarch64
    mov x2, x1
    b 1f
END_FUNCTION fp_sqr_aarch64

FUNCTION fp_mul_aarch64
1:
    SAVE_ALL
    LOAD6 x1, 0, x4, x5, x6, x7, x8, x9
    LOAD_CONSTANTS x1
    ldr x3, [x2]
    FIRST_ROW x16, x17, x19, x20, x21, x22, x23
    REDUCE_ROW x16, x17, x19, x20, x21, x22, x23
    MUL_ROUND 1, x17, x19, x20, x21, x22, x23, x16
    MUL_ROUND 2, x19, x20, x21, x22, x23, x16, x17
    MUL_ROUND 3, x20, x21, x22, x23, x16, x17, x19
    MUL_ROUND 4, x21, x22, x23, x16, x17, x19, x20
    MUL_ROUND 5, x22, x23, x16, x17, x19, x20, x21
    REDUCE_ONCE x23, x16, x17, x19, x20, x21
    STORE6 x0, 0, x23, x16, x17, x19, x20, x21
    RESTORE_ALL
    ret
END_FUNCTION fp_mul_aarch64

.macro WIDE_ROUND i, t0, t1, t2, t3, t4, t5, t6
    ldr x3, [x2, #8 * \i]
    ADD_ROW \t0, \t1, \t2, \t3, \t4, \t5, \t6
    str \t0, [x0, #8 * \i]
.endm

/* Twelve words; x0 must not be one of the factors. */
FUNCTION fp_mul_wide_aarch64
    SAVE_ALL
    LOAD6 x1, 0, x4, x5, x6, x7, x8, x9
    ldr x3, [x2]
    FIRST_ROW x16, x17, x19, x20, x21, x22, x23
    str x16, [x0]
    WIDE_ROUND 1, x17, x19, x20, x21, x22, x23, x16
    WIDE_ROUND 2, x19, x20, x21, x22, x23, x16, x17
    WIDE_ROUND 3, x20, x21, x22, x23, x16, x17, x19
    WIDE_ROUND 4, x21, x22, x23, x16, x17, x19, x20
    WIDE_ROUND 5, x22, x23, x16, x17, x19, x20, x21
    STORE6 x0, 48, x23, x16, x17, x19, x20, x21
    RESTORE_ALL
    ret
END_FUNCTION fp_mul_wide_aarch64

/* A row of the reduction alone: the word above the window is its own, and there is no more to come. */
.macro REDUCE_ONLY t0, t1, t2, t3, t4, t5, t6
    mov \t6, xzr
    REDUCE_ROW \t0, \t1, \t2, \t3, \t4, \t5, \t6
.endm

FUNCTION fp_reduce_wide_aarch64
    SAVE_ALL
    LOAD_CONSTANTS x2
    LOAD6 x1, 0, x16, x17, x19, x20, x21, x22
    REDUCE_ONLY x16, x17, x19, x20, x21, x22, x23
    REDUCE_ONLY x17, x19, x20, x21, x22, x23, x16
    REDUCE_ONLY x19, x20, x21, x22, x23, x16, x17
    REDUCE_ONLY x20, x21, x22, x23, x16, x17, x19
    REDUCE_ONLY x21, x22, x23, x16, x17, x19, x20
    REDUCE_ONLY x22, x23, x16, x17, x19, x20, x21
    LOAD6 x1, 48, x4, x5, x6, x7, x8, x9
    adds x23, x23, x4
    adcs x16, x16, x5
    adcs x17, x17, x6
    adcs x19, x19, x7
    adcs x20, x20, x8
    adc x21, x21, x9
    REDUCE_ONCE x23, x16, x17, x19, x20, x21
    STORE6 x0, 0, x23, x16, x17, x19, x20, x21
    RESTORE_ALL
    ret
END_FUNCTION fp_reduce_wide_aarch64

#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
