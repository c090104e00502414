/* What the assembly files for aarch64 (AAPCS64, ELF) share: symbols, saved registers, and rows of long
 * multiplication. Written with gas macros, which clang's assembler takes too.
 *
 * MUL and UMULH leave the flags alone, so a row is two carry chains one after the other: low halves of the products,
 * then high halves one word further up. Products are made two or three ahead of the additions that take them.
 */
#ifndef CUZK_MATH_ASM_AARCH64_H
#define CUZK_MATH_ASM_AARCH64_H

.macro FUNCTION name
    .p2align 5
    .globl \name
    .hidden \name
    .type \name, %function
\name:
    .cfi_startproc
    hint #34 /* bti c */
.endm

.macro END_FUNCTION name
    .cfi_endproc
    .size \name, . - \name
.endm

/* The registers that a function must give back, x19 … x28. */
.macro SAVE_ALL
    stp x19, x20, [sp, #-80]!
    .cfi_adjust_cfa_offset 80
    .cfi_rel_offset x19, 0
    .cfi_rel_offset x20, 8
    stp x21, x22, [sp, #16]
    .cfi_rel_offset x21, 16
    .cfi_rel_offset x22, 24
    stp x23, x24, [sp, #32]
    .cfi_rel_offset x23, 32
    .cfi_rel_offset x24, 40
    stp x25, x26, [sp, #48]
    .cfi_rel_offset x25, 48
    .cfi_rel_offset x26, 56
    stp x27, x28, [sp, #64]
    .cfi_rel_offset x27, 64
    .cfi_rel_offset x28, 72
.endm

.macro RESTORE_ALL
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x19, x20, [sp], #80
    .cfi_adjust_cfa_offset -80
    .cfi_restore x19
    .cfi_restore x20
    .cfi_restore x21
    .cfi_restore x22
    .cfi_restore x23
    .cfi_restore x24
    .cfi_restore x25
    .cfi_restore x26
    .cfi_restore x27
    .cfi_restore x28
.endm

#endif
