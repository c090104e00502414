/* What the assembly files for x86-64 (System V, ELF) share: symbols, saved registers, and rows of long
 * multiplication. Written with the assembler's own macros; gas and clang's assembler both take it.
 *
 * A row multiplies a number in memory by the word in %rdx and adds it to a window of registers. MULX leaves the
 * flags alone, ADCX carries through CF and ADOX through OF, so low and high halves run in two independent chains
 * (Ozturk, Guilford, Gopal, "Large integer squaring on Intel architecture processors", Intel, 2013). Rows use
 * %rax and %rbx.
 */
#ifndef CUZK_MATH_ASM_X86_64_H
#define CUZK_MATH_ASM_X86_64_H

.macro FUNCTION name
    .p2align 5
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
    endbr64
.endm

.macro END_FUNCTION name
    .cfi_endproc
    .size \name, . - \name
.endm

.macro SAVE register
    push \register
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \register, 0
.endm

.macro RESTORE register
    pop \register
    .cfi_adjust_cfa_offset -8
    .cfi_restore \register
.endm

#endif
