/* Fp and Fp2 for x86-64: contracts in fp.h, fp2.h and kernels.h. Functions ending in _adx need BMI2 and ADX, the
 * others run on every such processor. The algorithms are those of fp_portable.c. */
#if defined(__x86_64__)

#include "math/asm_x86_64.h"

    .section .rodata
    .p2align 6
modulus:
    .quad 0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624
    .quad 0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a
montgomery_factor:
    .quad 0x89f3fffcfffcfffd
    .p2align 6
nothing:
    .quad 0, 0, 0, 0, 0, 0

    .text

/* t = memory at offset(base) */
.macro LOAD6 offset, base, t0, t1, t2, t3, t4, t5
    mov \offset + 0(\base), \t0
    mov \offset + 8(\base), \t1
    mov \offset + 16(\base), \t2
    mov \offset + 24(\base), \t3
    mov \offset + 32(\base), \t4
    mov \offset + 40(\base), \t5
.endm

.macro STORE6 offset, base, t0, t1, t2, t3, t4, t5
    mov \t0, \offset + 0(\base)
    mov \t1, \offset + 8(\base)
    mov \t2, \offset + 16(\base)
    mov \t3, \offset + 24(\base)
    mov \t4, \offset + 32(\base)
    mov \t5, \offset + 40(\base)
.endm

/* t += memory; t -= memory; the carry or borrow is left in CF. */
.macro ADD6 offset, base, t0, t1, t2, t3, t4, t5
    add \offset + 0(\base), \t0
    adc \offset + 8(\base), \t1
    adc \offset + 16(\base), \t2
    adc \offset + 24(\base), \t3
    adc \offset + 32(\base), \t4
    adc \offset + 40(\base), \t5
.endm

.macro SUB6 offset, base, t0, t1, t2, t3, t4, t5
    sub \offset + 0(\base), \t0
    sbb \offset + 8(\base), \t1
    sbb \offset + 16(\base), \t2
    sbb \offset + 24(\base), \t3
    sbb \offset + 32(\base), \t4
    sbb \offset + 40(\base), \t5
.endm

/* t, below 2p, becomes t mod p; d0 … d5 are clobbered. */
.macro REDUCE_ONCE t0, t1, t2, t3, t4, t5, d0, d1, d2, d3, d4, d5
    mov \t0, \d0
    mov \t1, \d1
    mov \t2, \d2
    mov \t3, \d3
    mov \t4, \d4
    mov \t5, \d5
    sub modulus + 0(%rip), \t0
    sbb modulus + 8(%rip), \t1
    sbb modulus + 16(%rip), \t2
    sbb modulus + 24(%rip), \t3
    sbb modulus + 32(%rip), \t4
    sbb modulus + 40(%rip), \t5
    cmovc \d0, \t0
    cmovc \d1, \t1
    cmovc \d2, \t2
    cmovc \d3, \t3
    cmovc \d4, \t4
    cmovc \d5, \t5
.endm

/* After a subtraction that left its borrow in CF: t += p if it is set. Adds from memory, p or zeros, so that no more
 * registers are needed than t and two. */
.macro CORRECT_BORROW t0, t1, t2, t3, t4, t5, from, zeros
    lea modulus(%rip), \from
    lea nothing(%rip), \zeros
    cmovnc \zeros, \from
    ADD6 0, \from, \t0, \t1, \t2, \t3, \t4, \t5
.endm

#define T %r8, %r9, %r10, %r11, %rax, %rcx

/* (out %rdi, a %rsi, b %rdx), one coordinate at offset. */
.macro ADD_AT offset
    LOAD6 \offset, %rsi, T
    ADD6 \offset, %rdx, T
    REDUCE_ONCE T, %rbx, %rbp, %r12, %r13, %r14, %r15
    STORE6 \offset, %rdi, T
.endm

.macro SUB_AT offset, from, zeros
    LOAD6 \offset, %rsi, T
    SUB6 \offset, %rdx, T
    CORRECT_BORROW T, \from, \zeros
    STORE6 \offset, %rdi, T
.endm

.macro SAVE_ALL
    SAVE %rbx
    SAVE %rbp
    SAVE %r12
    SAVE %r13
    SAVE %r14
    SAVE %r15
.endm

.macro RESTORE_ALL
    RESTORE %r15
    RESTORE %r14
    RESTORE %r13
    RESTORE %r12
    RESTORE %rbp
    RESTORE %rbx
.endm

FUNCTION fp_add
    SAVE_ALL
    ADD_AT 0
    RESTORE_ALL
    ret
END_FUNCTION fp_add

FUNCTION fp_sub
    SUB_AT 0, %rsi, %rdx
    ret
END_FUNCTION fp_sub

FUNCTION fp2_add
    SAVE_ALL
    ADD_AT 0
    ADD_AT 48
    RESTORE_ALL
    ret
END_FUNCTION fp2_add

FUNCTION fp2_sub
    SAVE %rbx
    SAVE %rbp
    SUB_AT 0, %rbx, %rbp
    SUB_AT 48, %rsi, %rdx
    RESTORE %rbp
    RESTORE %rbx
    ret
END_FUNCTION fp2_sub

/* t = a·%rdx, seven words. */
.macro FIRST_ROW offset, a, t0, t1, t2, t3, t4, t5, t6
    mulx \offset + 0(\a), \t0, \t1
    mulx \offset + 8(\a), %rax, \t2
    add %rax, \t1
    mulx \offset + 16(\a), %rax, \t3
    adc %rax, \t2
    mulx \offset + 24(\a), %rax, \t4
    adc %rax, \t3
    mulx \offset + 32(\a), %rax, \t5
    adc %rax, \t4
    mulx \offset + 40(\a), %rax, \t6
    adc %rax, \t5
    adc $0, \t6
.endm

/* t += a·%rdx; CF and OF are clear before and after. */
.macro ADD_ROW offset, a, t0, t1, t2, t3, t4, t5, t6
    mulx \offset + 0(\a), %rax, %rbx
    adcx %rax, \t0
    adox %rbx, \t1
    mulx \offset + 8(\a), %rax, %rbx
    adcx %rax, \t1
    adox %rbx, \t2
    mulx \offset + 16(\a), %rax, %rbx
    adcx %rax, \t2
    adox %rbx, \t3
    mulx \offset + 24(\a), %rax, %rbx
    adcx %rax, \t3
    adox %rbx, \t4
    mulx \offset + 32(\a), %rax, %rbx
    adcx %rax, \t4
    adox %rbx, \t5
    mulx \offset + 40(\a), %rax, %rbx
    adcx %rax, \t5
    adox %rbx, \t6
    adc $0, \t6
.endm

/* t += m·p with the m that makes t0 zero. t0 is then zero and t1 … t6 are the quotient by 2^64. */
.macro REDUCE_ROW t0, t1, t2, t3, t4, t5, t6
    mov montgomery_factor(%rip), %rdx
    imul \t0, %rdx
    xor %eax, %eax
    mulx modulus + 0(%rip), %rax, %rbx
    adcx %rax, \t0
    adox %rbx, \t1
    mulx modulus + 8(%rip), %rax, %rbx
    adcx %rax, \t1
    adox %rbx, \t2
    mulx modulus + 16(%rip), %rax, %rbx
    adcx %rax, \t2
    adox %rbx, \t3
    mulx modulus + 24(%rip), %rax, %rbx
    adcx %rax, \t3
    adox %rbx, \t4
    mulx modulus + 32(%rip), %rax, %rbx
    adcx %rax, \t4
    adox %rbx, \t5
    mulx modulus + 40(%rip), %rax, %rbx
    adcx %rax, \t5
    adox %rbx, \t6
    adc $0, \t6
.endm

/* One round of a Montgomery product: a at a_offset(%rsi), the words of b at %rcx. */
.macro MUL_ROUND i, a_offset, t0, t1, t2, t3, t4, t5, t6
    mov 8 * \i(%rcx), %rdx
    xor \t6, \t6
    ADD_ROW \a_offset, %rsi, \t0, \t1, \t2, \t3, \t4, \t5, \t6
    REDUCE_ROW \t0, \t1, \t2, \t3, \t4, \t5, \t6
.endm

/* The product in %r14, %r8 … %r12; clobbers %r13, %rax, %rbx, %rcx, %rdx and %rsi. */
.macro MUL a_offset
    mov 0(%rcx), %rdx
    FIRST_ROW \a_offset, %rsi, %r8, %r9, %r10, %r11, %r12, %r13, %r14
    REDUCE_ROW %r8, %r9, %r10, %r11, %r12, %r13, %r14
    MUL_ROUND 1, \a_offset, %r9, %r10, %r11, %r12, %r13, %r14, %r8
    MUL_ROUND 2, \a_offset, %r10, %r11, %r12, %r13, %r14, %r8, %r9
    MUL_ROUND 3, \a_offset, %r11, %r12, %r13, %r14, %r8, %r9, %r10
    MUL_ROUND 4, \a_offset, %r12, %r13, %r14, %r8, %r9, %r10, %r11
    MUL_ROUND 5, \a_offset, %r13, %r14, %r8, %r9, %r10, %r11, %r12
    REDUCE_ONCE %r14, %r8, %r9, %r10, %r11, %r12, %r13, %rax, %rbx, %rdx, %rcx, %rsi
.endm

FUNCTION fp_mul_adx
    SAVE %rbx
    SAVE %r12
    SAVE %r13
    SAVE %r14
    mov %rdx, %rcx
    MUL 0
    STORE6 0, %rdi, %r14, %r8, %r9, %r10, %r11, %r12
    RESTORE %r14
    RESTORE %r13
    RESTORE %r12
    RESTORE %rbx
    ret
END_FUNCTION fp_mul_adx

/* The twelve words of a square: w1 … w10 collect the products of different words, which are then doubled while
 * the squares are added. a in %rsi; w0 … w5 end up in %r8 … %r13, w6 … w11 at 0(%rsp). Clobbers all but %rdi. */
.macro SQUARE
    mov 0(%rsi), %rdx
    mulx 8(%rsi), %r9, %r10
    mulx 16(%rsi), %rax, %r11
    add %rax, %r10
    mulx 24(%rsi), %rax, %r12
    adc %rax, %r11
    mulx 32(%rsi), %rax, %r13
    adc %rax, %r12
    mulx 40(%rsi), %rax, %r14
    adc %rax, %r13
    adc $0, %r14

    mov 8(%rsi), %rdx
    xor %r15, %r15
    mulx 16(%rsi), %rax, %rbx
    adcx %rax, %r11
    adox %rbx, %r12
    mulx 24(%rsi), %rax, %rbx
    adcx %rax, %r12
    adox %rbx, %r13
    mulx 32(%rsi), %rax, %rbx
    adcx %rax, %r13
    adox %rbx, %r14
    mulx 40(%rsi), %rax, %rbx
    adcx %rax, %r14
    adox %rbx, %r15
    adc $0, %r15

    mov 16(%rsi), %rdx
    xor %ebp, %ebp
    mulx 24(%rsi), %rax, %rbx
    adcx %rax, %r13
    adox %rbx, %r14
    mulx 32(%rsi), %rax, %rbx
    adcx %rax, %r14
    adox %rbx, %r15
    mulx 40(%rsi), %rax, %rbx
    adcx %rax, %r15
    adox %rbx, %rbp
    adc $0, %rbp

    mov 24(%rsi), %rdx
    xor %ecx, %ecx
    mulx 32(%rsi), %rax, %rbx
    adcx %rax, %r15
    adox %rbx, %rbp
    mulx 40(%rsi), %rax, %rbx
    adcx %rax, %rbp
    adox %rbx, %rcx
    adc $0, %rcx

    mov 32(%rsi), %rdx
    mulx 40(%rsi), %rax, %rbx
    add %rax, %rcx
    adc $0, %rbx

    /* w1 … w10 are %r9 … %r15, %rbp, %rcx, %rbx */
    mov 0(%rsi), %rdx
    xor %eax, %eax
    mulx %rdx, %r8, %rax
    adcx %r9, %r9
    adox %rax, %r9
    mov 8(%rsi), %rdx
    mulx %rdx, %rax, %rdx
    adcx %r10, %r10
    adox %rax, %r10
    adcx %r11, %r11
    adox %rdx, %r11
    mov 16(%rsi), %rdx
    mulx %rdx, %rax, %rdx
    adcx %r12, %r12
    adox %rax, %r12
    adcx %r13, %r13
    adox %rdx, %r13
    mov 24(%rsi), %rdx
    mulx %rdx, %rax, %rdx
    adcx %r14, %r14
    adox %rax, %r14
    adcx %r15, %r15
    adox %rdx, %r15
    mov %r14, 0(%rsp)
    mov %r15, 8(%rsp)
    mov 32(%rsi), %rdx
    mulx %rdx, %rax, %rdx
    adcx %rbp, %rbp
    adox %rax, %rbp
    adcx %rcx, %rcx
    adox %rdx, %rcx
    mov %rbp, 16(%rsp)
    mov %rcx, 24(%rsp)
    mov 40(%rsi), %rdx
    mulx %rdx, %rax, %rdx
    adcx %rbx, %rbx
    adox %rax, %rbx
    mov $0, %eax
    adcx %rax, %rdx
    adox %rax, %rdx
    mov %rbx, 32(%rsp)
    mov %rdx, 40(%rsp)
.endm

/* The low six words in %r8 … %r13 are cleared by adding multiples of p; what is carried out of them ends up in
 * %r14, %r8 … %r12. */
.macro REDUCE_LOW
    xor %r14, %r14
    REDUCE_ROW %r8, %r9, %r10, %r11, %r12, %r13, %r14
    REDUCE_ROW %r9, %r10, %r11, %r12, %r13, %r14, %r8
    REDUCE_ROW %r10, %r11, %r12, %r13, %r14, %r8, %r9
    REDUCE_ROW %r11, %r12, %r13, %r14, %r8, %r9, %r10
    REDUCE_ROW %r12, %r13, %r14, %r8, %r9, %r10, %r11
    REDUCE_ROW %r13, %r14, %r8, %r9, %r10, %r11, %r12
.endm

FUNCTION fp_sqr_adx
    SAVE_ALL
    sub $48, %rsp
    .cfi_adjust_cfa_offset 48
    SQUARE
    REDUCE_LOW
    ADD6 0, %rsp, %r14, %r8, %r9, %r10, %r11, %r12
    REDUCE_ONCE %r14, %r8, %r9, %r10, %r11, %r12, %r13, %rax, %rbx, %rcx, %rdx, %rsi
    STORE6 0, %rdi, %r14, %r8, %r9, %r10, %r11, %r12
    add $48, %rsp
    .cfi_adjust_cfa_offset -48
    RESTORE_ALL
    ret
END_FUNCTION fp_sqr_adx


/* Twelve words at out(%rsp) = a·b, a at a_offset(a), b at b_offset(b). */
.macro WIDE_ROW i, out, a_offset, a, b_offset, b, t0, t1, t2, t3, t4, t5, t6
    mov \b_offset + 8 * \i(\b), %rdx
    xor \t6, \t6
    ADD_ROW \a_offset, \a, \t0, \t1, \t2, \t3, \t4, \t5, \t6
    mov \t0, \out + 8 * \i(%rsp)
.endm

.macro WIDE out, a_offset, a, b_offset, b
    mov \b_offset(\b), %rdx
    FIRST_ROW \a_offset, \a, %r8, %r9, %r10, %r11, %r12, %r13, %r14
    mov %r8, \out(%rsp)
    WIDE_ROW 1, \out, \a_offset, \a, \b_offset, \b, %r9, %r10, %r11, %r12, %r13, %r14, %r8
    WIDE_ROW 2, \out, \a_offset, \a, \b_offset, \b, %r10, %r11, %r12, %r13, %r14, %r8, %r9
    WIDE_ROW 3, \out, \a_offset, \a, \b_offset, \b, %r11, %r12, %r13, %r14, %r8, %r9, %r10
    WIDE_ROW 4, \out, \a_offset, \a, \b_offset, \b, %r12, %r13, %r14, %r8, %r9, %r10, %r11
    WIDE_ROW 5, \out, \a_offset, \a, \b_offset, \b, %r13, %r14, %r8, %r9, %r10, %r11, %r12
    STORE6 \out + 48, %rsp, %r14, %r8, %r9, %r10, %r11, %r12
.endm

/* Twelve words in %r8 … %r13 (low) and %rax, %rbx, %rcx, %rdx, %rbp, %r15 (high). */
.macro LOAD_WIDE offset
    LOAD6 \offset, %rsp, %r8, %r9, %r10, %r11, %r12, %r13
    LOAD6 \offset + 48, %rsp, %rax, %rbx, %rcx, %rdx, %rbp, %r15
.endm

.macro SUB_WIDE offset
    SUB6 \offset, %rsp, %r8, %r9, %r10, %r11, %r12, %r13
    sbb \offset + 48(%rsp), %rax
    sbb \offset + 56(%rsp), %rbx
    sbb \offset + 64(%rsp), %rcx
    sbb \offset + 72(%rsp), %rdx
    sbb \offset + 80(%rsp), %rbp
    sbb \offset + 88(%rsp), %r15
.endm

/* Montgomery reduction of what LOAD_WIDE and SUB_WIDE left; the result goes to offset(%rdi). Clobbers %rsi. */
.macro REDUCE_WIDE offset
    STORE6 0, %rsp, %rax, %rbx, %rcx, %rdx, %rbp, %r15
    REDUCE_LOW
    ADD6 0, %rsp, %r14, %r8, %r9, %r10, %r11, %r12
    REDUCE_ONCE %r14, %r8, %r9, %r10, %r11, %r12, %r13, %rax, %rbx, %rcx, %rdx, %rsi
    STORE6 \offset, %rdi, %r14, %r8, %r9, %r10, %r11, %r12
.endm

/* Karatsuba as in fp2.c. On the stack: 0 (a0 + a1)(b0 + b1), 96 a0·b0, 192 a1·b1, 288 a0 + a1, 336 b0 + b1. */
FUNCTION fp2_mul_adx
    SAVE_ALL
    sub $384, %rsp
    .cfi_adjust_cfa_offset 384
    mov %rdx, %rcx
    LOAD6 0, %rsi, %r8, %r9, %r10, %r11, %r12, %r13
    ADD6 48, %rsi, %r8, %r9, %r10, %r11, %r12, %r13
    STORE6 288, %rsp, %r8, %r9, %r10, %r11, %r12, %r13
    LOAD6 0, %rcx, %r8, %r9, %r10, %r11, %r12, %r13
    ADD6 48, %rcx, %r8, %r9, %r10, %r11, %r12, %r13
    STORE6 336, %rsp, %r8, %r9, %r10, %r11, %r12, %r13
    WIDE 96, 0, %rsi, 0, %rcx
    WIDE 192, 48, %rsi, 48, %rcx
    WIDE 0, 288, %rsp, 336, %rsp

    LOAD_WIDE 0
    SUB_WIDE 96
    SUB_WIDE 192
    REDUCE_WIDE 48

    /* a0·b0 − a1·b1, and p more in the high half if that is negative */
    LOAD_WIDE 96
    SUB_WIDE 192
    STORE6 96, %rsp, %r8, %r9, %r10, %r11, %r12, %r13
    CORRECT_BORROW %rax, %rbx, %rcx, %rdx, %rbp, %r15, %r8, %r9
    LOAD6 96, %rsp, %r8, %r9, %r10, %r11, %r12, %r13
    REDUCE_WIDE 0
    add $384, %rsp
    .cfi_adjust_cfa_offset -384
    RESTORE_ALL
    ret
END_FUNCTION fp2_mul_adx

/* (a0 + a1)(a0 − a1) + 2·a0·a1·u; on the stack: 0 a0 + a1, 48 a0 − a1, 96 2·a0. */
FUNCTION fp2_sqr_adx
    SAVE_ALL
    sub $144, %rsp
    .cfi_adjust_cfa_offset 144
    LOAD6 0, %rsi, %r8, %r9, %r10, %r11, %r12, %r13
    ADD6 0, %rsi, %r8, %r9, %r10, %r11, %r12, %r13
    STORE6 96, %rsp, %r8, %r9, %r10, %r11, %r12, %r13
    LOAD6 0, %rsi, %r8, %r9, %r10, %r11, %r12, %r13
    ADD6 48, %rsi, %r8, %r9, %r10, %r11, %r12, %r13
    STORE6 0, %rsp, %r8, %r9, %r10, %r11, %r12, %r13
    LOAD6 0, %rsi, %r8, %r9, %r10, %r11, %r12, %r13
    SUB6 48, %rsi, %r8, %r9, %r10, %r11, %r12, %r13
    CORRECT_BORROW %r8, %r9, %r10, %r11, %r12, %r13, %rax, %rbx
    STORE6 48, %rsp, %r8, %r9, %r10, %r11, %r12, %r13
    lea 96(%rsp), %rcx
    MUL 48
    STORE6 48, %rdi, %r14, %r8, %r9, %r10, %r11, %r12
    mov %rsp, %rsi
    lea 48(%rsp), %rcx
    MUL 0
    STORE6 0, %rdi, %r14, %r8, %r9, %r10, %r11, %r12
    add $144, %rsp
    .cfi_adjust_cfa_offset -144
    RESTORE_ALL
    ret
END_FUNCTION fp2_sqr_adx

#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
