#include "engine/canonical.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct bytes text(const char *t) { return (struct bytes){ (const uint8_t *)t, strlen(t) }; }

static size_t join(uint8_t *out, const struct bytes *pieces, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].size) memcpy(out + n, pieces[i].data, pieces[i].size);
        n += pieces[i].size;
    }
    return n;
}

static void canonical__is_deterministic_proto3(void **state)
{
    (void)state;
    struct bytes proofs[3] = { text("ab"), { 0 }, text("c") };
    struct request r = { .kind = PROOF_WINDOW,
                         .sector_size = 34359738368,
                         .registered_proof = 13,
                         .miner_id = 1000,
                         .randomness = text("xyz"),
                         .partition_index = 300,
                         .vanilla_proofs = proofs,
                         .vanilla_proof_count = 3,
                         .request_id = text("not counted"),
                         .priority = 3 };
    static const uint8_t expected[] = { 0x10, 3,    0x18, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0x20, 13,   0x5a,
                                        2,    'a',  'b',  0x5a, 0,    0x5a, 1,    'c',  0xa8, 0x01, 0xe8, 7,
                                        0xb2, 0x01, 3,    'x',  'y',  'z',  0xb8, 0x01, 0xac, 2 };
    struct arena arena = { 0 };
    struct bytes *pieces;
    size_t count;
    uint8_t bytes[256], hash[DIGEST_BYTES], again[DIGEST_BYTES];
    assert_int_equal(canonical_pieces(&pieces, &count, &arena, &r, NULL), CUZK_OK);
    assert_int_equal(join(bytes, pieces, count), sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
    assert_int_equal(canonical_hash(hash, pieces, count, NULL), CUZK_OK);
    struct bytes whole = { expected, sizeof expected };
    assert_int_equal(canonical_hash(again, &whole, 1, NULL), CUZK_OK);
    assert_memory_equal(hash, again, DIGEST_BYTES);
    arena_release(&arena);
}

static void canonical__comes_back_through_the_wire(void **state)
{
    (void)state;
    struct request r = { .kind = PROOF_POREP,
                         .registered_proof = 8,
                         .sector_number = 42,
                         .has_sector_number = true,
                         .miner_id = UINT64_MAX,
                         .vanilla_proof = text("the payload"),
                         .comm_r_old = text("1"),
                         .comm_r_new = text("2"),
                         .comm_d_new = text("3") };
    struct arena arena = { 0 };
    struct request back;
    struct bytes *pieces, *pieces_back;
    size_t count, count_back;
    uint8_t bytes[256], bytes_back[256];
    assert_int_equal(canonical_pieces(&pieces, &count, &arena, &r, NULL), CUZK_OK);
    size_t n = join(bytes, pieces, count);
    assert_int_equal(request_wire(&back, &arena, (struct bytes){ bytes, n }, NULL), CUZK_OK);
    assert_int_equal(back.kind, PROOF_POREP);
    assert_int_equal(back.miner_id, UINT64_MAX);
    assert_true(back.has_sector_number);
    assert_int_equal(back.vanilla_proof.size, 11);
    assert_int_equal(canonical_pieces(&pieces_back, &count_back, &arena, &back, NULL), CUZK_OK);
    assert_int_equal(join(bytes_back, pieces_back, count_back), n);
    assert_memory_equal(bytes, bytes_back, n);
    arena_release(&arena);
}

static void canonical__of_nothing_is_nothing(void **state)
{
    (void)state;
    struct request r = { 0 }, back;
    struct arena arena = { 0 };
    struct bytes *pieces;
    size_t count;
    assert_int_equal(canonical_pieces(&pieces, &count, &arena, &r, NULL), CUZK_OK);
    assert_int_equal(count, 0);
    assert_int_equal(request_wire(&back, &arena, (struct bytes){ 0 }, NULL), CUZK_OK);
    assert_int_equal(back.kind, 0);
    arena_release(&arena);
}

static void wire__reads_what_others_write(void **state)
{
    (void)state;
    /* request_id, an unknown field of each wire type, kind twice (the later one counts), priority */
    static const uint8_t bytes[] = { 0x0a, 2,    'i', 'd', 0x98, 0x06, 1, 0x99, 0x06, 1, 2,    3, 4,    5, 6,    7, 8,
                                     0x9a, 0x06, 1,   'x', 0x9d, 0x06, 1, 2,    3,    4, 0x10, 1, 0x10, 4, 0x28, 2 };
    struct arena arena = { 0 };
    struct request r;
    assert_int_equal(request_wire(&r, &arena, (struct bytes){ bytes, sizeof bytes }, NULL), CUZK_OK);
    assert_int_equal(r.kind, PROOF_WINNING);
    assert_int_equal(r.priority, 2);
    assert_int_equal(r.request_id.size, 2);
    arena_release(&arena);
}

static void wire__refuses_damage(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint8_t bytes[12];
    } cases[] = {
        { 1, { 0x10 } },                                                  /* no value */
        { 1, { 0x80 } },                                                  /* half a tag */
        { 2, { 0x00, 0x01 } },                                            /* field 0 */
        { 2, { 0x13, 0x01 } },                                            /* a group */
        { 3, { 0x52, 0x05, 'x' } },                                       /* bytes cut short */
        { 11, { 0x10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2 } }, /* more than 64 bits */
        { 11, { 0x52, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1 } }, /* 2^64 − 1 bytes */
        { 4, { 0x9d, 0x06, 1, 2 } },                                      /* half a fixed32 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena = { 0 };
        struct request r;
        cuzk_error err = { "" };
        struct bytes b = { cases[i].bytes, cases[i].size };
        assert_int_equal(request_wire(&r, &arena, b, &err), CUZK_ERR_DATA);
        assert_true(err.detail[0] != 0);
        arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(canonical__is_deterministic_proto3),
        test(canonical__comes_back_through_the_wire),
        test(canonical__of_nothing_is_nothing),
        test(wire__reads_what_others_write),
        test(wire__refuses_damage),
    };
    return run_tests(tests);
}
