/* Fr for aarch64: contracts in fr.h and kernels.h. The algorithms are those of fr_portable.c. */
#if defined(__aarch64__)

#include "math/asm_aarch64.h"

    .section .rodata
    .p2align 5
modulus:
    .quad 0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48

    .text

/* Everywhere below: x0 the result, x4 … x7 the first factor, x8 … x11 r. */

.macro LOAD_MODULUS scratch
    adrp \scratch, modulus
    add \scratch, \scratch, :lo12:modulus
    ldp x8, x9, [\scratch]
    ldp x10, x11, [\scratch, #16]
.endm

/* t, below 2r, becomes t mod r; x4 … x7 are clobbered. */
.macro REDUCE_ONCE t0, t1, t2, t3
    subs x4, \t0, x8
    sbcs x5, \t1, x9
    sbcs x6, \t2, x10
    sbcs x7, \t3, x11
    csel \t0, \t0, x4, lo
    csel \t1, \t1, x5, lo
    csel \t2, \t2, x6, lo
    csel \t3, \t3, x7, lo
.endm

FUNCTION fr_add
    ldp x12, x13, [x1]
    ldp x14, x15, [x1, #16]
    ldp x4, x5, [x2]
    ldp x6, x7, [x2, #16]
    LOAD_MODULUS x3
    adds x12, x12, x4
    adcs x13, x13, x5
    adcs x14, x14, x6
    adc x15, x15, x7
    REDUCE_ONCE x12, x13, x14, x15
    stp x12, x13, [x0]
    stp x14, x15, [x0, #16]
    ret
END_FUNCTION fr_add

FUNCTION fr_sub
    ldp x12, x13, [x1]
    ldp x14, x15, [x1, #16]
    ldp x4, x5, [x2]
    ldp x6, x7, [x2, #16]
    LOAD_MODULUS x3
    subs x12, x12, x4
    sbcs x13, x13, x5
    sbcs x14, x14, x6
    sbcs x15, x15, x7
    csel x8, x8, xzr, lo
    csel x9, x9, xzr, lo
    csel x10, x10, xzr, lo
    csel x11, x11, xzr, lo
    adds x12, x12, x8
    adcs x13, x13, x9
    adcs x14, x14, x10
    adc x15, x15, x11
    stp x12, x13, [x0]
    stp x14, x15, [x0, #16]
    ret
END_FUNCTION fr_sub

/* t = a·x3, five words. */
.macro FIRST_ROW t0, t1, t2, t3, t4
    mul \t0, x4, x3
    mul \t1, x5, x3
    mul \t2, x6, x3
    mul \t3, x7, x3
    umulh x1, x4, x3
    umulh x19, x5, x3
    umulh x20, x6, x3
    adds \t1, \t1, x1
    umulh x1, x7, x3
    adcs \t2, \t2, x19
    adcs \t3, \t3, x20
    adc \t4, x1, xzr
.endm

/* t, four words, += a·x3, which makes five. */
.macro ADD_ROW t0, t1, t2, t3, t4
    mul x1, x4, x3
    mul x19, x5, x3
    mul x20, x6, x3
    adds \t0, \t0, x1
    mul x1, x7, x3
    adcs \t1, \t1, x19
    umulh x19, x4, x3
    adcs \t2, \t2, x20
    umulh x20, x5, x3
    adcs \t3, \t3, x1
    adc \t4, xzr, xzr
    umulh x1, x6, x3
    adds \t1, \t1, x19
    umulh x19, x7, x3
    adcs \t2, \t2, x20
    adcs \t3, \t3, x1
    adc \t4, \t4, x19
.endm

/* t, five words, += m·r with the m that makes t0 zero: −1/r mod 2^64 is −(2^32 + 1). The lowest words need no product:
 * their sum is 0, and carries unless t0 was 0. */
.macro REDUCE_ROW t0, t1, t2, t3, t4
    add x17, \t0, \t0, lsl #32
    neg x17, x17
    mul x1, x9, x17
    mul x19, x10, x17
    mul x20, x11, x17
    subs xzr, \t0, #1
    adcs \t1, \t1, x1
    umulh x1, x8, x17
    adcs \t2, \t2, x19
    umulh x19, x9, x17
    adcs \t3, \t3, x20
    adc \t4, \t4, xzr
    umulh x20, x10, x17
    adds \t1, \t1, x1
    umulh x1, x11, x17
    adcs \t2, \t2, x19
    adcs \t3, \t3, x20
    adc \t4, \t4, x1
.endm

.macro MUL_ROUND i, t0, t1, t2, t3, t4
    ldr x3, [x2, #8 * \i]
    ADD_ROW \t0, \t1, \t2, \t3, \t4
    REDUCE_ROW \t0, \t1, \t2, \t3, \t4
.endm

FUNCTION fr_sqr_aarch64
    mov x2, x1
    b 1f
END_FUNCTION fr_sqr_aarch64

FUNCTION fr_mul_aarch64
1:
    stp x19, x20, [sp, #-16]!
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset x19, 0
    .cfi_rel_offset x20, 8
    ldp x4, x5, [x1]
    ldp x6, x7, [x1, #16]
    LOAD_MODULUS x3
    ldr x3, [x2]
    FIRST_ROW x12, x13, x14, x15, x16
    REDUCE_ROW x12, x13, x14, x15, x16
    MUL_ROUND 1, x13, x14, x15, x16, x12
    MUL_ROUND 2, x14, x15, x16, x12, x13
    MUL_ROUND 3, x15, x16, x12, x13, x14
    REDUCE_ONCE x16, x12, x13, x14
    stp x16, x12, [x0]
    stp x13, x14, [x0, #16]
    ldp x19, x20, [sp], #16
    .cfi_adjust_cfa_offset -16
    .cfi_restore x19
    .cfi_restore x20
    ret
END_FUNCTION fr_mul_aarch64

#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
