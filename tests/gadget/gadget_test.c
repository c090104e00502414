/* Every gadget against Filecoin's own: its rows and its values (tests/data/gadgets.txt). Values as the oracle's
 * program makes them: number i is SHA-256("gadget/num/i") with its top two bits cleared, the bits of LABEL are those of
 * SHA-256("gadget/bits/LABEL/j"), j = 0, 1, … */
#include "base/bytes.h"
#include "circuit/label_block.h"
#include "gadget/insert.h"
#include "gadget/multi_eq.h"
#include "gadget/poseidon.h"
#include "gadget/sha256.h"
#include "hash/sha256.h"
#include "r1cs/circuit_digest.h"
#include "r1cs/evaluate.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* The circuit under test and the private inputs that its slots take. */
struct bench {
    struct builder *b;
    uint64_t ints[1024];
    size_t int_count;
    uint8_t nodes[64][32];
    size_t node_count;
};

static void give_int(struct bench *t, uint64_t v) { t->ints[t->int_count++] = v; }

static void give_num(struct bench *t, unsigned i)
{
    char label[64];
    uint8_t *node = t->nodes[t->node_count++];
    sha256(node, label, (size_t)snprintf(label, sizeof label, "gadget/num/%u", i));
    node[31] &= 0x3f;
}

static uint8_t label_bit(const char *name, size_t i)
{
    char label[64];
    uint8_t digest[32];
    sha256(digest, label, (size_t)snprintf(label, sizeof label, "gadget/bits/%s/%zu", name, i / 256));
    return digest[i % 256 / 8] >> i % 8 & 1;
}

static void give_bits(struct bench *t, const char *name, size_t from, unsigned width)
{
    uint64_t v = 0;
    for (unsigned j = 0; j < width; j++) v |= (uint64_t)label_bit(name, from + j) << j;
    give_int(t, v);
}

static struct expected {
    char name[32], aux_sha256[65], rows_digest[65];
    unsigned inputs, aux, constraints;
    unsigned long long nonzero[MATRICES];
} expected[64];
static size_t expected_count;

static void assert_hex(const char *text, const uint8_t *digest, const char *what)
{
    char hex[65];
    hex_encode(hex, digest, 32);
    if (strcmp(hex, text) != 0) fail_msg("%s: %s, expected %s", what, hex, text);
}

static void compare(const char *name, struct bench *t)
{
    const struct expected *e = expected;
    while (e < expected + expected_count && strcmp(e->name, name) != 0) e++;
    assert_true(e < expected + expected_count);
    struct circuit *c = NULL;
    struct witness w;
    cuzk_error err = { "" };
    if (builder_finish(&c, t->b, &err) != CUZK_OK) fail_msg("%s: %s", name, err.detail);
    builder_free(t->b);
    assert_int_equal(c->inputs, e->inputs);
    assert_int_equal(c->aux, e->aux);
    assert_int_equal(c->constraints, e->constraints);
    for (int m = MATRIX_B; m < MATRICES; m++) assert_int_equal(c->nonzero[m], e->nonzero[m]);
    assert_int_equal(c->nonzero[MATRIX_A] - c->inputs, e->nonzero[MATRIX_A]);
    struct chunk_digests rows;
    assert_int_equal(circuit_rows_digest(&rows, c, 256, false, NULL, &err), CUZK_OK);
    assert_hex(e->rows_digest, rows.digest, name);
    chunk_digests_free(&rows);
    struct assignment a = { .ints = t->ints, .int_count = t->int_count,
                            .nodes = (const uint8_t(*)[32])t->nodes, .node_count = t->node_count,
                            .groups = c->group_count - 1 };
    assert_int_equal(witness_create(&w, c, &err), CUZK_OK);
    if (witness_fill(&w, &a, NULL, &err) != CUZK_OK) fail_msg("%s: %s", name, err.detail);
    struct aux_digest aux;
    assert_int_equal(witness_aux_digest(&aux, &w, 256, NULL, &err), CUZK_OK);
    assert_hex(e->aux_sha256, aux.sha256, name);
    chunk_digests_free(&aux.chunks);
    if (witness_check(&w, NULL, &err) != CUZK_OK) fail_msg("%s: %s", name, err.detail);
    witness_destroy(&w);
    circuit_free(c);
}

static struct bench new_bench(void)
{
    struct bench t = { .b = NULL };
    assert_int_equal(builder_create(&t.b, NULL), CUZK_OK);
    return t;
}

typedef void recording(struct recorder *r, const void *params);

/* A gadget that one block holds; its inputs are in `t` already. */
static void check_block(const char *name, struct bench *t, recording *record, uint32_t param)
{
    struct block block = { name, record };
    builder_call(t->b, &(struct call){ .block = &block, .params = &param, .params_size = sizeof param });
    compare(name, t);
}

/* Booleans */

enum { OP_XOR, OP_AND, OP_CH, OP_MAJ };

/* Kind 0 false, 1 true, 2 a variable, 3 its negation. */
static struct word literal(struct recorder *r, unsigned kind)
{
    if (kind < 2) return word_constant(r, kind, 1);
    struct word w = word_slot(r, 1);
    if (kind == 2) return w;
    struct word one = word_constant(r, 1, 1);
    return word_xor(r, &one, &w);
}

static void record_booleans(struct recorder *r, const void *params)
{
    unsigned op = *(const uint32_t *)params, operands = op < OP_CH ? 2 : 3;
    for (unsigned kinds = 0; kinds < 1u << 2 * operands; kinds++) {
        struct word w[3];
        for (unsigned i = 0; i < operands; i++) w[i] = literal(r, kinds >> 2 * (operands - 1 - i) & 3);
        if (op == OP_XOR) word_xor(r, &w[0], &w[1]);
        if (op == OP_AND) word_and(r, &w[0], &w[1]);
        if (op == OP_CH) word_ch(r, &w[0], &w[1], &w[2]);
        if (op == OP_MAJ) word_maj(r, &w[0], &w[1], &w[2]);
    }
}

static void check_booleans(const char *name, uint32_t op)
{
    struct bench t = new_bench();
    unsigned operands = op < OP_CH ? 2 : 3;
    for (unsigned kinds = 0; kinds < 1u << 2 * operands; kinds++) {
        for (unsigned i = 0; i < operands; i++) {
            if ((kinds >> 2 * (operands - 1 - i) & 3) >= 2) give_int(&t, i != 1);
        }
    }
    check_block(name, &t, record_booleans, op);
}

static void booleans__fold_as_filecoins(void **state)
{
    (void)state;
    check_booleans("bool-xor", OP_XOR);
    check_booleans("bool-and", OP_AND);
    check_booleans("sha256-ch", OP_CH);
    check_booleans("sha256-maj", OP_MAJ);
}

/* Numbers */

static void record_inputize(struct recorder *r, const void *params)
{
    (void)params;
    num_public(r, num_slot(r));
}

static void record_to_bits(struct recorder *r, const void *params)
{
    (void)params;
    struct word bits[NUM_WORDS];
    num_bits(r, bits, num_slot(r), UNPACK_IN_C);
}

static void record_mul_square(struct recorder *r, const void *params)
{
    (void)params;
    struct num x = num_slot(r), y = num_slot(r);
    num_mul(r, x, y);
    num_mul(r, x, x);
}

static void record_equal(struct recorder *r, const void *params)
{
    (void)params;
    struct num x = num_slot(r), y = num_slot(r);
    num_equal(r, x, y);
}

static void record_encode(struct recorder *r, const void *params)
{
    (void)params;
    struct num x = num_slot(r), y = num_slot(r);
    num_add(r, x, y);
}

static void record_uint64(struct recorder *r, const void *params)
{
    (void)params;
    struct word w = word_slot(r, 64);
    num_pack_public(r, &w, 1);
}

static void record_pick(struct recorder *r, const void *params)
{
    (void)params;
    struct word cond = word_slot(r, 1);
    struct num x = num_slot(r), y = num_slot(r);
    num_pick(r, &cond, x, y);
}

static void numbers__equal_filecoins(void **state)
{
    (void)state;
    struct bench t = new_bench();
    give_num(&t, 0);
    check_block("num-inputize", &t, record_inputize, 0);
    t = new_bench();
    give_num(&t, 0);
    check_block("num-to-bits-le", &t, record_to_bits, 0);
    t = new_bench();
    give_num(&t, 0);
    give_num(&t, 1);
    check_block("num-mul-square", &t, record_mul_square, 0);
    t = new_bench();
    give_num(&t, 0);
    give_num(&t, 0);
    check_block("equal", &t, record_equal, 0);
    t = new_bench();
    give_num(&t, 0);
    give_num(&t, 1);
    check_block("encode", &t, record_encode, 0);
    t = new_bench();
    give_int(&t, 0x0123456789abcdef);
    check_block("uint64", &t, record_uint64, 0);
    t = new_bench();
    give_int(&t, 1);
    give_num(&t, 0);
    give_num(&t, 1);
    check_block("pick", &t, record_pick, 0);
}

/* Packing */

static void record_pack_256(struct recorder *r, const void *params)
{
    (void)params;
    struct word w[4];
    for (int i = 0; i < 4; i++) w[i] = word_slot(r, 64);
    w[3] = word_slice(r, &w[3], 0, 62);
    num_pack(r, w, 4);
}

static void record_pack_nothing(struct recorder *r, const void *params)
{
    (void)params;
    num_pack(r, NULL, 0);
}

static void record_pack_300(struct recorder *r, const void *params)
{
    (void)params;
    struct word w[5];
    for (int i = 0; i < 5; i++) w[i] = word_slot(r, i < 4 ? 64 : 44);
    struct word first[4] = { w[0], w[1], w[2], word_slice(r, &w[3], 0, 62) };
    struct word second[2] = { word_slice(r, &w[3], 62, 2), w[4] };
    num_pack_public(r, first, 4);
    num_pack_public(r, second, 2);
}

static void packing__keeps_254_bits(void **state)
{
    (void)state;
    struct bench t = new_bench();
    for (size_t i = 0; i < 256; i += 64) give_bits(&t, "pack", i, 64);
    check_block("pack-bits-256", &t, record_pack_256, 0);
    t = new_bench();
    check_block("pack-bits-0", &t, record_pack_nothing, 0);
    t = new_bench();
    for (size_t i = 0; i < 300; i += 64) give_bits(&t, "packin", i, i < 256 ? 64 : 44);
    check_block("pack-into-inputs-300", &t, record_pack_300, 0);
}

/* Insertion and selection */

static void record_insert(struct recorder *r, const void *params)
{
    unsigned arity = *(const uint32_t *)params, width = arity == 2 ? 1 : arity == 4 ? 2 : 3;
    struct num n[8], out[8];
    for (unsigned i = 0; i < arity; i++) n[i] = num_slot(r);
    struct word index = word_slot(r, width);
    insert(r, out, n[0], &index, n + 1, arity);
}

static void record_select(struct recorder *r, const void *params)
{
    unsigned count = *(const uint32_t *)params, width = count == 2 ? 1 : count == 4 ? 2 : 3;
    struct num n[8];
    for (unsigned i = 0; i < count; i++) n[i] = num_slot(r);
    struct word index = word_slot(r, width);
    num_select(r, &index, n);
}

static void insertion__equals_filecoins(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n *= 2) {
        char name[32];
        for (int select = 0; select < 2; select++) {
            struct bench t = new_bench();
            for (unsigned i = 0; i < n; i++) give_num(&t, i);
            give_int(&t, n - 1);
            snprintf(name, sizeof name, "%s-%u", select ? "select" : "insert", n);
            check_block(name, &t, select ? record_select : record_insert, n);
        }
    }
}

/* Sums and SHA-256 */

static void record_sum(struct recorder *r, const void *params)
{
    uint32_t count = *(const uint32_t *)params;
    struct word w[MAX_SUM];
    for (uint32_t i = 0; i < count; i++) w[i] = word_slot(r, 32);
    struct multi_eq m;
    multi_eq_begin(&m, r);
    word_sum(&m, w, count);
    multi_eq_end(&m);
}

static void sums__equal_filecoins(void **state)
{
    (void)state;
    static const uint32_t counts[] = { 2, 4, 5, 6, 7, 8 };
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        char name[32];
        struct bench t = new_bench();
        for (uint32_t i = 0; i < counts[k]; i++) give_bits(&t, "add", 32 * i, 32);
        snprintf(name, sizeof name, "uint32-addmany-%u", counts[k]);
        check_block(name, &t, record_sum, counts[k]);
    }
}

static void record_bits(struct recorder *r, const void *params)
{
    for (uint32_t left = *(const uint32_t *)params; left > 0; left -= 64) {
        struct word w = word_slot(r, 64);
        rec_export_word(r, &w);
    }
}

static void record_message(struct recorder *r, const void *params)
{
    (void)params;
    struct word message[16], digest[8];
    size_t count = rec_import_bits(r) / 32;
    for (size_t i = 0; i < count; i++) message[i] = rec_import_word(r, 32 * i, 32);
    sha256_message(r, digest, message, count);
}

/* The message's bits are allocated in stream order, the most significant of each word first. */
static void check_message(const char *name, uint32_t bits)
{
    static const struct block alloc = { "bits", record_bits }, hash = { "SHA-256", record_message };
    struct bench t = new_bench();
    struct bit stream[512], words[512];
    for (uint32_t i = 0; i < bits; i += 64) give_bits(&t, "sha", i, 64);
    builder_call(t.b, &(struct call){ .block = &alloc, .params = &bits, .params_size = sizeof bits,
                                      .bits_out = stream, .bits_out_count = bits });
    for (uint32_t i = 0; i < bits; i++) words[i / 32 * 32 + 31 - i % 32] = stream[i];
    builder_call(t.b, &(struct call){ .block = &hash, .bits = words, .bit_count = bits });
    compare(name, &t);
}

static void record_hash(struct recorder *r, const void *params)
{
    uint32_t arity = *(const uint32_t *)params & 15, poseidon = *(const uint32_t *)params >> 4;
    struct num n[8];
    for (uint32_t i = 0; i < arity; i++) n[i] = num_slot(r);
    node_hash(r, poseidon ? HASH_POSEIDON : HASH_SHA256, n, arity);
}

static void hashes__equal_filecoins(void **state)
{
    (void)state;
    check_message("sha256-256", 256);
    check_message("sha256-512", 512);
    static const struct {
        const char *name;
        uint32_t arity, poseidon;
    } nodes[] = { { "sha256-hash2", 2, 0 }, { "poseidon-2", 2, 1 }, { "poseidon-4", 4, 1 }, { "poseidon-8", 8, 1 } };
    for (size_t k = 0; k < 4; k++) {
        struct bench t = new_bench();
        for (uint32_t i = 0; i < nodes[k].arity; i++) give_num(&t, i);
        check_block(nodes[k].name, &t, record_hash, nodes[k].arity | nodes[k].poseidon << 4);
    }
}

static void record_u64(struct recorder *r, const void *params)
{
    (void)params;
    struct word w = word_slot(r, 64);
    rec_export_word(r, &w);
}

static void number_in_word_order(struct builder *b, struct bit out[NUM_BITS])
{
    struct bit bits[NUM_BITS];
    num_ref n;
    block_numbers(b, &n, 1);
    block_bits(b, bits, n);
    sha256_word_order(out, bits);
}

static void labels__equal_filecoins(void **state)
{
    (void)state;
    static const struct block node_block = { "node", record_u64 };
    for (uint32_t layer = 1; layer <= 2; layer++) {
        unsigned count = layer == 1 ? DRG_PARENTS : PARENTS;
        struct bench t = new_bench();
        struct bit replica_id[NUM_BITS], parents[PARENTS][NUM_BITS], node[64];
        char name[32];
        give_num(&t, 100);
        number_in_word_order(t.b, replica_id);
        give_int(&t, 5);
        builder_call(t.b, &(struct call){ .block = &node_block, .bits_out = node, .bits_out_count = 64 });
        for (unsigned i = 0; i < count; i++) {
            give_num(&t, i);
            number_in_word_order(t.b, parents[i]);
        }
        block_label(t.b, replica_id, layer, node, parents, count);
        snprintf(name, sizeof name, "label-layer%u", layer);
        compare(name, &t);
    }
}

static void read_expected(void)
{
    FILE *f = fopen(CUZK_TEST_DATA "/gadgets.txt", "r");
    char line[512];
    while (f && fgets(line, sizeof line, f)) {
        struct expected *e = &expected[expected_count];
        expected_count += sscanf(line, "%31s %u %u %u %llu %llu %llu %64s %64s", e->name, &e->inputs, &e->aux,
                                 &e->constraints, &e->nonzero[0], &e->nonzero[1], &e->nonzero[2], e->aux_sha256,
                                 e->rows_digest) == 9;
    }
    if (f) fclose(f);
}

int main(void)
{
    read_expected();
    const struct CMUnitTest tests[] = {
        test(booleans__fold_as_filecoins), test(numbers__equal_filecoins),  test(packing__keeps_254_bits),
        test(insertion__equals_filecoins), test(sums__equal_filecoins),     test(hashes__equal_filecoins),
        test(labels__equal_filecoins),
    };
    return run_tests(tests);
}
