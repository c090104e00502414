/* Fr for x86-64: contracts in fr.h and kernels.h. Functions ending in _adx need BMI2 and ADX, the others run on
 * every such processor. The algorithms are those of fr_portable.c. */
#if defined(__x86_64__)

#include "math/asm_x86_64.h"

    .section .rodata
    .p2align 6
modulus:
    .quad 0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48
montgomery_factor:
    .quad 0xfffffffeffffffff

    .text

.macro LOAD4 base, t0, t1, t2, t3
    mov 0(\base), \t0
    mov 8(\base), \t1
    mov 16(\base), \t2
    mov 24(\base), \t3
.endm

.macro STORE4 base, t0, t1, t2, t3
    mov \t0, 0(\base)
    mov \t1, 8(\base)
    mov \t2, 16(\base)
    mov \t3, 24(\base)
.endm

/* t, below 2r, becomes t mod r; d0 … d3 are clobbered. */
.macro REDUCE_ONCE t0, t1, t2, t3, d0, d1, d2, d3
    mov \t0, \d0
    mov \t1, \d1
    mov \t2, \d2
    mov \t3, \d3
    sub modulus + 0(%rip), \t0
    sbb modulus + 8(%rip), \t1
    sbb modulus + 16(%rip), \t2
    sbb modulus + 24(%rip), \t3
    cmovc \d0, \t0
    cmovc \d1, \t1
    cmovc \d2, \t2
    cmovc \d3, \t3
.endm

FUNCTION fr_add
    SAVE %rbx
    LOAD4 %rsi, %r8, %r9, %r10, %r11
    add 0(%rdx), %r8
    adc 8(%rdx), %r9
    adc 16(%rdx), %r10
    adc 24(%rdx), %r11
    REDUCE_ONCE %r8, %r9, %r10, %r11, %rax, %rbx, %rcx, %rsi
    STORE4 %rdi, %r8, %r9, %r10, %r11
    RESTORE %rbx
    ret
END_FUNCTION fr_add

FUNCTION fr_sub
    LOAD4 %rsi, %r8, %r9, %r10, %r11
    sub 0(%rdx), %r8
    sbb 8(%rdx), %r9
    sbb 16(%rdx), %r10
    sbb 24(%rdx), %r11
    sbb %rsi, %rsi
    mov modulus + 0(%rip), %rax
    mov modulus + 8(%rip), %rcx
    mov modulus + 16(%rip), %rdx
    and %rsi, %rax
    and %rsi, %rcx
    and %rsi, %rdx
    and modulus + 24(%rip), %rsi
    add %rax, %r8
    adc %rcx, %r9
    adc %rdx, %r10
    adc %rsi, %r11
    STORE4 %rdi, %r8, %r9, %r10, %r11
    ret
END_FUNCTION fr_sub

/* t = a·%rdx, five words. */
.macro FIRST_ROW t0, t1, t2, t3, t4
    mulx 0(%rsi), \t0, \t1
    mulx 8(%rsi), %rax, \t2
    add %rax, \t1
    mulx 16(%rsi), %rax, \t3
    adc %rax, \t2
    mulx 24(%rsi), %rax, \t4
    adc %rax, \t3
    adc $0, \t4
.endm

/* t += a·%rdx but for the last carries: CF belongs to t4, OF to the word above it. CF and OF must be clear. */
.macro ADD_ROW t0, t1, t2, t3, t4
    mulx 0(%rsi), %rax, %rbx
    adcx %rax, \t0
    adox %rbx, \t1
    mulx 8(%rsi), %rax, %rbx
    adcx %rax, \t1
    adox %rbx, \t2
    mulx 16(%rsi), %rax, %rbx
    adcx %rax, \t2
    adox %rbx, \t3
    mulx 24(%rsi), %rax, %rbx
    adcx %rax, \t3
    adox %rbx, \t4
.endm

/* t += m·r with the m that makes t0 zero, up to the last carry, which is left in CF and belongs to t4. t0 is then
 * zero and the words above it are the quotient by 2^64. */
.macro REDUCE_ROW t0, t1, t2, t3, t4
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
.endm

.macro MUL_ROUND i, t0, t1, t2, t3, t4
    mov 8 * \i(%rcx), %rdx
    xor \t4, \t4
    ADD_ROW \t0, \t1, \t2, \t3, \t4
    adc $0, \t4
    REDUCE_ROW \t0, \t1, \t2, \t3, \t4
    adc $0, \t4
.endm

FUNCTION fr_mul_adx
    SAVE %rbx
    SAVE %r12
    mov %rdx, %rcx
    mov 0(%rcx), %rdx
    FIRST_ROW %r8, %r9, %r10, %r11, %r12
    REDUCE_ROW %r8, %r9, %r10, %r11, %r12
    adc $0, %r12
    MUL_ROUND 1, %r9, %r10, %r11, %r12, %r8
    MUL_ROUND 2, %r10, %r11, %r12, %r8, %r9
    MUL_ROUND 3, %r11, %r12, %r8, %r9, %r10
    REDUCE_ONCE %r12, %r8, %r9, %r10, %rax, %rbx, %rcx, %rdx
    STORE4 %rdi, %r12, %r8, %r9, %r10
    RESTORE %r12
    RESTORE %rbx
    ret
END_FUNCTION fr_mul_adx

/* The products of different words, doubled while the squares are added: w0 … w7 in %r8 … %r13, %rbp, %rcx. */
FUNCTION fr_sqr_adx
    SAVE %rbx
    SAVE %rbp
    SAVE %r12
    SAVE %r13
    mov 0(%rsi), %rdx
    mulx 8(%rsi), %r9, %r10
    mulx 16(%rsi), %rax, %r11
    add %rax, %r10
    mulx 24(%rsi), %rax, %r12
    adc %rax, %r11
    adc $0, %r12
    mov 8(%rsi), %rdx
    xor %r13, %r13
    mulx 16(%rsi), %rax, %rbx
    adcx %rax, %r11
    adox %rbx, %r12
    mulx 24(%rsi), %rax, %rbx
    adcx %rax, %r12
    adox %rbx, %r13
    adc $0, %r13
    mov 16(%rsi), %rdx
    mulx 24(%rsi), %rax, %rbp
    add %rax, %r13
    adc $0, %rbp

    mov 0(%rsi), %rdx
    xor %ecx, %ecx
    mulx %rdx, %r8, %rax
    adcx %r9, %r9
    adox %rax, %r9
    mov 8(%rsi), %rdx
    mulx %rdx, %rax, %rbx
    adcx %r10, %r10
    adox %rax, %r10
    adcx %r11, %r11
    adox %rbx, %r11
    mov 16(%rsi), %rdx
    mulx %rdx, %rax, %rbx
    adcx %r12, %r12
    adox %rax, %r12
    adcx %r13, %r13
    adox %rbx, %r13
    mov 24(%rsi), %rdx
    mulx %rdx, %rax, %rbx
    adcx %rbp, %rbp
    adox %rax, %rbp
    adcx %rcx, %rbx
    adox %rcx, %rbx
    mov %rbx, %rsi

    xor %ecx, %ecx
    REDUCE_ROW %r8, %r9, %r10, %r11, %rcx
    adc $0, %rcx
    REDUCE_ROW %r9, %r10, %r11, %rcx, %r8
    adc $0, %r8
    REDUCE_ROW %r10, %r11, %rcx, %r8, %r9
    adc $0, %r9
    REDUCE_ROW %r11, %rcx, %r8, %r9, %r10
    adc $0, %r10
    add %r12, %rcx
    adc %r13, %r8
    adc %rbp, %r9
    adc %rsi, %r10
    REDUCE_ONCE %rcx, %r8, %r9, %r10, %rax, %rbx, %rdx, %rsi
    STORE4 %rdi, %rcx, %r8, %r9, %r10
    RESTORE %r13
    RESTORE %r12
    RESTORE %rbp
    RESTORE %rbx
    ret
END_FUNCTION fr_sqr_adx

/* Adds word i of every b times its a to the window, which six words hold for n ≤ 16, then one reduction row. */
.macro DOT_ROUND i, t0, t1, t2, t3, t4, t5
    mov %r14, %rsi
    mov %r15, %rcx
    mov %rbp, %r13
1:
    mov 8 * \i(%rcx), %rdx
    xor %eax, %eax
    ADD_ROW \t0, \t1, \t2, \t3, \t4
    mov $0, %edx
    adcx %rdx, \t4
    adox %rdx, \t5
    adcx %rdx, \t5
    add $32, %rsi
    add $32, %rcx
    dec %r13
    jnz 1b
    REDUCE_ROW \t0, \t1, \t2, \t3, \t4
    mov $0, %edx
    adcx %rdx, \t4
    adox %rdx, \t5
    adcx %rdx, \t5
.endm

/* (t %rdi, a %rsi, b %rdx, n %rcx) */
FUNCTION fr_dot_unreduced_adx
    SAVE %rbx
    SAVE %rbp
    SAVE %r12
    SAVE %r13
    SAVE %r14
    SAVE %r15
    mov %rsi, %r14
    mov %rdx, %r15
    mov %rcx, %rbp
    xor %r8, %r8
    xor %r9, %r9
    xor %r10, %r10
    xor %r11, %r11
    xor %r12, %r12
    push %rdi
    .cfi_adjust_cfa_offset 8
    xor %edi, %edi
    DOT_ROUND 0, %r8, %r9, %r10, %r11, %r12, %rdi
    DOT_ROUND 1, %r9, %r10, %r11, %r12, %rdi, %r8
    DOT_ROUND 2, %r10, %r11, %r12, %rdi, %r8, %r9
    DOT_ROUND 3, %r11, %r12, %rdi, %r8, %r9, %r10
    mov %rdi, %rax
    pop %rdi
    .cfi_adjust_cfa_offset -8
    mov %r12, 0(%rdi)
    mov %rax, 8(%rdi)
    mov %r8, 16(%rdi)
    mov %r9, 24(%rdi)
    mov %r10, 32(%rdi)
    RESTORE %r15
    RESTORE %r14
    RESTORE %r13
    RESTORE %r12
    RESTORE %rbp
    RESTORE %rbx
    ret
END_FUNCTION fr_dot_unreduced_adx

#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
