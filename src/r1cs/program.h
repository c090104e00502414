/* The fill program of a template: a straight line of instructions that computes the values of the template's
 * variables, words of bits at a time, and appends them to the packed witness in allocation order.
 *
 * Registers: words (64 bits each; a SHA-256 word uses the low 32) and numbers (field elements). They live for one
 * run of the program. An instruction on words first computes its value, then appends
 * pext(value ^ negated, emit) to the bit stream: `emit` masks the positions for which a variable was allocated,
 * `negated` those whose variable holds the complement of the word's bit. An instruction on numbers appends its
 * value to the stream of wide values if `emit` is not 0.
 *
 * Private inputs come from the instance's slots: integers (index digits, challenge numbers) and nodes (canonical
 * field elements), each taken in order.
 */
#ifndef CUZK_R1CS_PROGRAM_H
#define CUZK_R1CS_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

enum opcode {
    /* words */
    OP_WORD_IMPORT, /* dst = the bits list[list … list+k), each a struct bit code with an import's ref */
    OP_WORD_SLOT,   /* dst = next integer slot; appends its low k bits; fails unless it is below 2^k */
    OP_WORD_CONST,  /* dst = imm */
    OP_WORD_ROTR,   /* dst = 32-bit a rotated right by k */
    OP_WORD_SLICE,  /* dst = (a >> k) & imm */
    OP_WORD_BSWAP,  /* dst = a with its four bytes reversed */
    OP_WORD_XOR,    /* dst = a ^ b */
    OP_WORD_AND,    /* dst = a & b */
    OP_WORD_NOR,    /* dst = ~(a | b) & imm */
    OP_WORD_CH,     /* dst = (a & b) ^ (~a & c) */
    OP_WORD_MAJ,    /* dst = majority of a, b, c; appends under a 64-bit mask of the interleaved bits of
                       (majority, b & c): position 2j is bit j of the first, 2j+1 of the second */
    OP_WORD_SUM,    /* dst = low 32 bits of the sum of the k words list[list … list+k); appends the sum's bits */
    /* numbers */
    OP_NUM_IMPORT,   /* dst = the import with ref `list` */
    OP_NUM_SLOT,     /* dst = next node slot; fails unless it is canonical */
    OP_NUM_CONST,    /* dst = constants[a] */
    OP_NUM_MUL,      /* dst = a · b */
    OP_NUM_LC,       /* dst = Σ of the k pairs (number register, constant) at list */
    OP_NUM_PICK,     /* dst = bit 0 of word a ? number b : number c */
    OP_NUM_PACK,     /* dst = the little-endian integer of the k pieces (word register, width) at list */
    OP_NUM_BITS,     /* words dst … dst+7 = canonical integer of a, 32 bits each; appends 255 bits if emit */
    OP_NUM_POSEIDON, /* dst = Poseidon of the k numbers at list, tag constants[a]; appends the whole trace */
    OP_NUM_PUBLIC    /* the instance's public input `list` = number a */
};

struct instruction {
    uint8_t op;
    uint8_t k;
    uint16_t dst, a, b, c;
    uint32_t list;
    uint64_t emit;
    union {
        uint64_t negated; /* XOR, AND, NOR, CH, MAJ */
        uint64_t imm;     /* CONST, SLICE */
    };
};

struct fr;

struct program {
    struct instruction *code;
    size_t length;
    uint32_t *list; /* operands of instructions with many */
    size_t list_length;
    struct fr *constants;
    size_t constant_count;
    uint16_t word_registers, num_registers;
};

#endif
