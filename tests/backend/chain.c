#include "backend/chain.h"

#include "gadget/number.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

struct chain {
    uint32_t n, p;
};

static uint16_t square_plus(struct recorder *r, uint16_t x, uint32_t k, bool emit)
{
    uint16_t square = rec_num_register(r), one = rec_num_register(r), y = rec_num_register(r);
    fr_t constant;
    fr_from_u64(&constant, k);
    rec_emit(r, (struct instruction){ .op = OP_NUM_MUL, .dst = square, .a = x, .b = x });
    rec_emit(r, (struct instruction){ .op = OP_NUM_CONST, .dst = one, .a = rec_constant(r, &FR_ONE) });
    struct instruction sum = { .op = OP_NUM_LC, .k = 2, .dst = y, .emit = emit };
    sum.list = rec_list(r, square);
    rec_list(r, rec_constant(r, &FR_ONE));
    rec_list(r, one);
    rec_list(r, rec_constant(r, &constant));
    rec_emit(r, sum);
    return y;
}

static void record_chain(struct recorder *r, const void *params)
{
    const struct chain *chain = params;
    struct num x = num_slot(r);
    for (uint32_t k = 0; k < chain->n; k++) {
        bool public = k < chain->p;
        struct num y = { .reg = square_plus(r, x.reg, k, !public) };
        y.ref = public ? rec_alloc_public(r, y.reg) : rec_alloc_wide(r);
        struct row *row = rec_row(r);
        fr_t minus_k;
        fr_from_i64(&minus_k, -(int64_t)k);
        lc_add_ref(&row->a, x.ref);
        lc_add_ref(&row->b, x.ref);
        lc_add_ref(&row->c, y.ref);
        lc_add(&row->c, REF_ONE, &minus_k);
        rec_enforce_row(r, row);
        x = y;
    }
}

struct circuit *chain_circuit(uint32_t n, uint32_t p)
{
    static const struct block block = { "chain", record_chain };
    struct chain chain = { n, p };
    struct builder *b;
    struct circuit *circuit;
    cuzk_error err = { "" };
    assert_int_equal(builder_create(&b, &err), CUZK_OK);
    builder_call(b, &(struct call){ .block = &block, .params = &chain, .params_size = sizeof chain });
    if (builder_finish(&circuit, b, &err) != CUZK_OK) fail_msg("%s", err.detail);
    builder_free(b);
    return circuit;
}

void chain_witness(struct witness *out, const struct circuit *circuit, const char *label)
{
    uint8_t node[1][32];
    fr_t x;
    cuzk_error err = { "" };
    scalar_from_label(&x, label);
    fr_to_bytes(node[0], &x);
    struct assignment a = { .nodes = (const uint8_t(*)[32])node, .node_count = 1 };
    assert_int_equal(witness_create(out, circuit, &err), CUZK_OK);
    if (witness_fill(out, &a, NULL, &err) != CUZK_OK) fail_msg("%s", err.detail);
}

enum { MIXED_BITS = 13 };

static void record_mixed(struct recorder *r, const void *params)
{
    (void)params;
    struct word bits[NUM_WORDS];
    struct num x = num_slot(r);
    num_bits(r, bits, x, UNPACK_IN_C);
    word_slot(r, MIXED_BITS);
    num_mul(r, x, x);
}

struct circuit *mixed_circuit(uint32_t blocks)
{
    static const struct block block = { "mixed", record_mixed };
    struct builder *b;
    struct circuit *circuit;
    cuzk_error err = { "" };
    assert_int_equal(builder_create(&b, &err), CUZK_OK);
    for (uint32_t i = 0; i < blocks; i++) builder_call(b, &(struct call){ .block = &block });
    if (builder_finish(&circuit, b, &err) != CUZK_OK) fail_msg("%s", err.detail);
    builder_free(b);
    return circuit;
}

void mixed_witness(struct witness *out, const struct circuit *circuit, const char *label)
{
    size_t blocks = circuit->slot_nodes;
    uint64_t *ints = malloc(blocks * sizeof *ints);
    uint8_t(*nodes)[32] = malloc(blocks * sizeof *nodes);
    cuzk_error err = { "" };
    for (size_t i = 0; i < blocks; i++) {
        char text[64];
        fr_t x;
        snprintf(text, sizeof text, "%s/%zu", label, i);
        scalar_from_label(&x, text);
        fr_to_bytes(nodes[i], &x);
        ints[i] = (nodes[i][0] | (uint64_t)nodes[i][1] << 8) & ((1u << MIXED_BITS) - 1);
    }
    struct assignment a = {
        .ints = ints, .int_count = blocks, .nodes = (const uint8_t(*)[32])nodes, .node_count = blocks
    };
    assert_int_equal(witness_create(out, circuit, &err), CUZK_OK);
    if (witness_fill(out, &a, NULL, &err) != CUZK_OK) fail_msg("%s", err.detail);
    free(ints);
    free(nodes);
}
