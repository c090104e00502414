/* Payloads of PoSt and updates: what is read, and what is refused and how it is named. */
#include "fixture.h"
#include "vanilla/node.h"
#include "vanilla/payloads.h"

static void refuse_truncation_and_extension(struct fixture *f)
{
    struct bytes whole = f->files[0];
    for (size_t cut = 0; cut < whole.size; cut++) {
        f->files[0].size = cut;
        assert_int_equal(parse_only(&f->request, NULL), CUZK_ERR_DATA);
    }
    uint8_t *longer = calloc(1, whole.size + 1);
    memcpy(longer, whole.data, whole.size);
    f->files[0] = (struct bytes){ longer, whole.size + 1 };
    assert_refused(&f->request, "1 more bytes follow");
    free(longer);
    f->files[0] = whole;
}

static void refuse_flipped_bits(struct fixture *f, size_t step)
{
    uint8_t *data = fixture_bytes(f, 0);
    for (size_t at = 0; at < f->files[0].size; at += step) {
        data[at] ^= (uint8_t)(1u << at % 8);
        cuzk_error err = { "" };
        if (parse_and_check(&f->request, &err) != CUZK_ERR_DATA) fail_msg("byte %zu: %s", at, err.detail);
        data[at] ^= (uint8_t)(1u << at % 8);
    }
}

static void refuse_u64(struct fixture *f, size_t at, uint64_t value, const char *detail)
{
    uint8_t *p = fixture_bytes(f, 0) + at;
    uint64_t was = load_le64(p);
    store_le64(p, value);
    assert_refused(&f->request, detail);
    store_le64(p, was);
}

/* sector_id 8, comm_r 32, 1 sector 8, openings 8, then the first: variant 4, root 32, leaf 32, levels 8,
 * hashes 8 */
enum { COMM_R = 8, SECTORS = 40, OPENINGS = 48, VARIANT = 56, ROOT = 60, LEAF = 92, LEVELS = 124, HASHES = 132 };

static void post_bincode__names_what_is_wrong(void **state)
{
    (void)state;
    struct fixture f;
    fixture_window(&f);
    uint8_t *data = fixture_bytes(&f, 0);
    refuse_u64(&f, SECTORS, 2, "vanilla_proofs[0]: byte 40: 1 sectors expected, 2 found");
    refuse_u64(&f, OPENINGS, 11, "vanilla_proofs[0]: byte 48: 10 inclusion_proofs expected, 11 found");
    refuse_u64(&f, OPENINGS, UINT64_C(1) << 63, "10 inclusion_proofs expected, 9223372036854775808 found");
    refuse_u64(&f, LEVELS, 3, "vanilla_proofs[0].inclusion_proofs[0].path: byte 124: 2 levels expected, 3 found");
    refuse_u64(&f, HASHES, UINT64_MAX, "path[0].hashes: byte 132: 7 hashes expected, 18446744073709551615 found");
    refuse_u64(&f, HASHES + 8 + 7 * 32, 8, "path[0].index: byte 364: 8 is not below 8");
    data[VARIANT] = 1;
    assert_refused(&f.request,
                   "vanilla_proofs[0].inclusion_proofs[0]: byte 56: variant 0 (Single) expected, 1 found");
    data[VARIANT] = 0;
    static const size_t nodes[] = { COMM_R, ROOT, LEAF, HASHES + 8 + 32 };
    for (size_t i = 0; i < 4; i++) {
        uint8_t was = data[nodes[i] + 31];
        data[nodes[i] + 31] = 0x74;
        assert_refused(&f.request, "is not below r");
        data[nodes[i] + 31] = was;
    }
    data[ROOT] ^= 1;
    assert_refused(&f.request, "vanilla_proofs[0].inclusion_proofs[1].root: ");
    data[ROOT] ^= 1;
    data[LEAF] ^= 1;
    assert_refused(&f.request, "sector 42: vanilla_proofs[0].inclusion_proofs[0].path: the opening leads to ");
    data[LEAF] ^= 1;
    data[COMM_R] ^= 1;
    assert_refused(&f.request, "sector 42: vanilla_proofs[0].comm_r: ");
    data[COMM_R] ^= 1;
    assert_int_equal(parse_and_check(&f.request, NULL), CUZK_OK);
    fixture_free(&f);
}

static void post_bincode__refuses_damaged_bytes(void **state)
{
    (void)state;
    struct fixture f;
    fixture_window(&f);
    refuse_truncation_and_extension(&f);
    refuse_flipped_bits(&f, 23);
    fixture_free(&f);
    fixture_winning(&f);
    refuse_flipped_bits(&f, 1103);
    fixture_free(&f);
    fixture_real_window(&f);
    refuse_flipped_bits(&f, 977);
    fixture_free(&f);
}

static void post__refuses_wrong_requests(void **state)
{
    (void)state;
    struct fixture f;
    fixture_window(&f);
    struct request r = f.request;
    r.registered_proof = 4;
    assert_refused(&r, "registered proof '4'");
    r.registered_proof = 15;
    assert_refused(&r, "registered proof '15'");
    r.registered_proof = 11; /* 8 MiB */
    assert_refused(&r, "vanilla_proofs[0].inclusion_proofs[0].path: byte 124: 6 levels expected, 2 found");
    r = f.request;
    r.sector_size = UINT64_C(32) << 30;
    assert_refused(&r, "sector_size: 34359738368 given, but registered proof");
    r = f.request;
    r.randomness.size = 31;
    assert_refused(&r, "randomness: 32 bytes expected, 31 found");
    r.randomness.size = 0;
    assert_refused(&r, "randomness: 32 bytes expected, 0 found");
    r = f.request;
    r.vanilla_proof_count = 0;
    assert_refused(&r, "vanilla_proofs: 1 to 2 sectors expected, 0 found");
    r.vanilla_proof_count = 3;
    assert_refused(&r, "vanilla_proofs: 1 to 2 sectors expected, 3 found");
    f.nodes[0].b[31] = 0x74;
    assert_refused(&f.request, "randomness: 786b91f3");
    f.nodes[0].b[31] = 0x15;
    assert_refused(&f.request, "sector 42: vanilla_proofs[0].inclusion_proofs[0].path: leaf 7 opened, leaf ");
    fixture_free(&f);
    fixture_winning(&f);
    r = f.request;
    r.registered_proof = 5;
    assert_refused(&r, "registered proof '5'");
    r = f.request;
    f.files[1] = data_file("sealed-2kib/winning-42.vproof");
    r.vanilla_proof_count = 2;
    assert_refused(&r, "vanilla_proofs: 1 to 1 sectors expected, 2 found");
    r = f.request;
    r.one_partition = true;
    r.partition = 1;
    assert_refused(&r, "partition 1 asked for, StackedDrgWinning2KiBV1 has only 0");
    fixture_free(&f);
}

static void winning__becomes_66_slots(void **state)
{
    (void)state;
    struct fixture f;
    struct vanilla_job *job;
    fixture_winning(&f);
    assert_int_equal(vanilla_parse(&job, &f.request, NULL), CUZK_OK);
    const struct post_input *post = &job->inputs[0].post;
    assert_int_equal(post->slot_count, WINNING_SLOTS);
    for (size_t i = 0; i < WINNING_SLOTS; i++) {
        assert_int_equal(post->slots[i].challenge_count, 1);
        assert_ptr_equal(post->slots[i].challenges, post->slots[0].challenges + i);
        assert_memory_equal(&post->slots[i].comm_r, &post->slots[0].comm_r, NODE_BYTES);
    }
    vanilla_job_free(job);
    fixture_free(&f);
}

/* API V1_0 counts a window's challenges through the partitions before. */
static void window__first_api_counts_from_the_partition(void **state)
{
    (void)state;
    struct fixture f;
    fixture_window(&f);
    f.request.registered_proof = 5;
    f.request.vanilla_proof_count = 1;
    assert_int_equal(parse_and_check(&f.request, NULL), CUZK_OK); /* the same for partition 0, slot 0 */
    f.request.partition_index = 1;
    assert_refused(&f.request, "path: leaf 7 opened, leaf ");
    f.request.vanilla_proof_count = 2;
    f.request.partition_index = 0;
    assert_refused(&f.request, "sector 43: vanilla_proofs[1].inclusion_proofs[0].path: leaf 61 opened");
    f.request.registered_proof = 10;
    f.request.partition_index = 7;
    assert_int_equal(parse_and_check(&f.request, NULL), CUZK_OK);
    fixture_free(&f);
}

/* ---- updates ---- */

/* comm_c 32, apex leaves 8 + 8·32, challenges 8, then proof_r_old: variant 4, root 32, leaf 32, levels 8 … */
enum { APEX = 32, CHALLENGES = 296, R_OLD = 304 };

static void update_bincode__names_what_is_wrong(void **state)
{
    (void)state;
    struct fixture f;
    fixture_update(&f, "update-42.part0.vproof");
    uint8_t *data = fixture_bytes(&f, 0);
    refuse_u64(&f, APEX, 9, "vanilla_proofs[0]: byte 32: 8 apex_leafs expected, 9 found");
    refuse_u64(&f, CHALLENGES, 86, "vanilla_proofs[0]: byte 296: 10 challenge_proofs expected, 86 found");
    refuse_u64(&f, R_OLD + 68, 1,
               "vanilla_proofs[0].challenge_proofs[0].proof_r_old.path: byte 372: 2 levels expected, 1 found");
    static const struct {
        size_t at;
        const char *detail;
    } bits[] = {
        { 0, "comm_r_old: 091912d1" },
        { APEX + 8, "partition 0: apex_leafs: they lead to " },
        { R_OLD + 4, "challenge_proofs[1].proof_r_old: root " },
        { R_OLD + 36, "partition 0: challenge_proofs[0].proof_r_new.leaf: " },
        { R_OLD + 84, "partition 0: challenge_proofs[0].proof_r_old: the opening leads to " },
    };
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        data[bits[i].at] ^= 1;
        assert_refused(&f.request, bits[i].detail);
        data[bits[i].at] ^= 1;
    }
    fixture_free(&f);
}

static void update_bincode__refuses_damaged_bytes(void **state)
{
    (void)state;
    struct fixture f;
    fixture_update(&f, "update-42.part0.vproof");
    refuse_truncation_and_extension(&f);
    refuse_flipped_bits(&f, 73);
    fixture_free(&f);
}

static void update__takes_raw_parts_and_json(void **state)
{
    (void)state;
    static const char *const files[] = { "update-42.part0.vproof", "update-42.json" };
    for (size_t i = 0; i < 2; i++) {
        struct fixture f;
        fixture_update(&f, files[i]);
        cuzk_error err = { "" };
        if (parse_and_check(&f.request, &err) != CUZK_OK) fail_msg("%s", err.detail);
        f.request.one_partition = true;
        assert_int_equal(parse_and_check(&f.request, NULL), CUZK_OK);
        fixture_free(&f);
    }
    struct fixture f;
    fixture_update(&f, "update-42.json");
    for (size_t cut = 0; cut < f.files[0].size; cut += cut < 100 ? 1 : 97) {
        struct bytes part = { f.files[0].data, cut };
        struct request r = f.request;
        r.vanilla_proofs = &part;
        assert_int_equal(parse_only(&r, NULL), CUZK_ERR_DATA);
    }
    fixture_bytes(&f, 0)[10] = '*';
    assert_refused(&f.request, "vanilla_proofs[0][0]: a character outside base64");
    fixture_free(&f);
}

static void update__refuses_wrong_requests(void **state)
{
    (void)state;
    struct fixture f;
    fixture_update(&f, "update-42.part0.vproof");
    struct request r = f.request;
    r.registered_proof = 5;
    assert_refused(&r, "registered proof '5'");
    r.registered_proof = 1;
    assert_refused(&r, "vanilla_proofs: 4 partitions expected, 1 found");
    r.one_partition = true;
    assert_refused(&r, "vanilla_proofs[0]: byte 32: 128 apex_leafs expected, 8 found");
    r = f.request;
    r.comm_r_new.size = 0;
    assert_refused(&r, "comm_r_new: 32 bytes expected, 0 found");
    r = f.request;
    r.one_partition = true;
    r.partition = 1;
    assert_refused(&r, "partition 1 asked for, StackedDrg2KiBV1 has 0 to 0");
    static const char *const names[] = { "comm_r_old: ", "comm_r_new: ", "proof_d_new.root: " };
    for (size_t i = 0; i < 3; i++) {
        f.nodes[i].b[3] ^= 1;
        assert_refused(&f.request, names[i]);
        f.nodes[i].b[3] ^= 1;
    }
    fixture_free(&f);
}

static void payloads_expand__tells_text_from_bincode(void **state)
{
    (void)state;
    struct arena arena = { 0 };
    uint8_t raw[80] = "[\"AA==\"]"; /* begins like JSON, but goes on with zeros */
    const struct bytes parts[] = { { (const uint8_t *)" [\"AA==\", \"AQI=\"] ", 18 },
                                   { raw, sizeof raw },
                                   { (const uint8_t *)"[]", 2 } };
    struct bytes *out;
    size_t count;
    assert_int_equal(payloads_expand(&out, &count, &arena, parts, 3, NULL), CUZK_OK);
    assert_int_equal(count, 3);
    assert_int_equal(out[0].size, 1);
    assert_int_equal(out[1].size, 2);
    assert_memory_equal(out[1].data, "\1\2", 2);
    assert_ptr_equal(out[2].data, raw);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(post_bincode__names_what_is_wrong),
        test(post_bincode__refuses_damaged_bytes),
        test(post__refuses_wrong_requests),
        test(winning__becomes_66_slots),
        test(window__first_api_counts_from_the_partition),
        test(update_bincode__names_what_is_wrong),
        test(update_bincode__refuses_damaged_bytes),
        test(update__takes_raw_parts_and_json),
        test(update__refuses_wrong_requests),
        test(payloads_expand__tells_text_from_bincode),
    };
    return run_tests(tests);
}
