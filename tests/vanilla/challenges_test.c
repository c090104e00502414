/* Challenges against spec §8.6 and the lists that Filecoin's own stack wrote beside the project's
 * test data (sealed-2kib, synthetic-32gib, real). */
#include "vanilla/challenges.h"

#include "hexes.h"
#include "math/fr.h"
#include "sector_42.h"

static void porep__interactive_equals_a_sealed_sector(void **state)
{
    (void)state;
    struct porep_challenge_source s = { .mode = POREP_INTERACTIVE, .nodes = SECTOR_42_NODES,
                                        .replica_id = node_of(sector_42_replica_id) };
    struct node seed = node_of(sector_42_seed);
    uint64_t challenges[2];
    memcpy(s.seed, seed.b, sizeof s.seed);
    porep_challenges(challenges, 2, &s, 0);
    assert_int_equal(challenges[0], sector_42_challenges[0].node);
    assert_int_equal(challenges[1], sector_42_challenges[1].node);
    porep_challenges(challenges, 1, &s, 1); /* counted through the partitions */
    assert_int_equal(challenges[0], sector_42_challenges[1].node);
}

static void porep__synthetic_equals_rust_fil_proofs(void **state)
{
    (void)state;
    enum { COUNT = 21, SELECTED = 10 };
    static const uint64_t expected[COUNT] = { 178, 297, 869, 211, 875, 477, 94,  781, 124, 332, 856,
                                              801, 176, 692, 429, 691, 290, 204, 986, 210, 973 };
    static const uint64_t selected[SELECTED] = { 176, 781, 801, 986, 290, 211, 692, 856, 986, 332 };
    struct porep_challenge_source s = { .mode = POREP_SYNTHETIC, .nodes = 1 << 10,
                                        .replica_id = { { 55 } }, .comm_r = { { 101 } } };
    memset(s.seed, 1, sizeof s.seed);
    for (uint64_t i = 0; i < COUNT; i++) {
        assert_int_equal(porep_synthetic_candidate(&s, i), expected[i]);
    }
    for (uint64_t j = 0; j < SELECTED; j++) {
        assert_int_equal(expected[porep_synthetic_selection(&s, COUNT, j)], selected[j]);
    }
}

static void porep__synthetic_is_candidate_of_selection(void **state)
{
    (void)state;
    struct porep_challenge_source s = { .mode = POREP_SYNTHETIC, .nodes = UINT64_C(1) << 30,
                                        .replica_id = { { 55 } }, .comm_r = { { 101 } } };
    uint64_t challenges[18];
    memset(s.seed, 1, sizeof s.seed);
    porep_challenges(challenges, 18, &s, 9);
    for (uint64_t i = 0; i < 18; i++) {
        uint64_t index = porep_synthetic_selection(&s, 1 << 18, 9 * 18 + i);
        assert_int_equal(challenges[i], porep_synthetic_candidate(&s, index));
        assert_in_range(challenges[i], 1, s.nodes - 1);
    }
}

static void porep__non_interactive_ignores_the_seed(void **state)
{
    (void)state;
    struct porep_challenge_source s = { .mode = POREP_NON_INTERACTIVE, .nodes = 64,
                                        .replica_id = { { 55 } }, .comm_r = { { 101 } } };
    uint64_t a[2], b[2];
    porep_challenges(a, 2, &s, 12);
    memset(s.seed, 1, sizeof s.seed);
    porep_challenges(b, 2, &s, 12);
    assert_memory_equal(a, b, sizeof a);
    /* by Python, from the formula of spec §3.2 */
    assert_int_equal(a[0], 29);
    assert_int_equal(a[1], 52);
}

static void post__equals_sealed_sectors(void **state)
{
    (void)state;
    static const uint64_t window_42[10] = { 7, 46, 25, 43, 21, 62, 40, 4, 51, 32 };
    static const uint64_t window_43[10] = { 61, 40, 23, 14, 43, 56, 48, 0, 22, 5 };
    static const uint64_t winning_42[WINNING_SLOTS] = {
        7,  46, 25, 43, 21, 62, 40, 4,  51, 32, 46, 39, 2,  3,  51, 51, 3,  38, 47, 20, 39, 11,
        30, 32, 6,  24, 40, 53, 17, 57, 46, 63, 9,  25, 41, 20, 2,  29, 38, 59, 57, 17, 43, 9,
        7,  12, 61, 21, 32, 28, 9,  21, 4,  41, 15, 33, 50, 61, 20, 45, 42, 4,  60, 54, 61, 25,
    };
    struct node randomness =
        node_of("786b91f30069e89c21ccee795ae4481181a3c019a66ec538c2af37900f6daa16");
    for (uint64_t n = 0; n < POST_CHALLENGES; n++) {
        /* V1_2, second slot of the second partition: the place does not matter */
        uint64_t index = post_challenge_index(API_V1_2, 3, POST_CHALLENGES, n);
        assert_int_equal(post_challenge(randomness.b, 42, index, 64), window_42[n]);
        assert_int_equal(post_challenge(randomness.b, 43, index, 64), window_43[n]);
    }
    for (uint64_t slot = 0; slot < WINNING_SLOTS; slot++) {
        uint64_t index = post_challenge_index(API_V1_0, slot, 1, 0);
        assert_int_equal(post_challenge(randomness.b, 42, index, 64), winning_42[slot]);
    }
    assert_int_equal(post_challenge_index(API_V1_0, 2349, POST_CHALLENGES, 3), 23493);
    assert_int_equal(post_challenge_index(API_V1_1, 1, POST_CHALLENGES, 9), 19);
}

static void post__equals_a_real_sector(void **state)
{
    (void)state;
    static const uint64_t leaves[10] = { 707914199,  439148358, 967788220,  548708700,  1061661429,
                                         6202012,    1055504637, 389535735, 1000069704, 600088878 };
    static const uint8_t randomness[32] = { 0 };
    for (uint64_t n = 0; n < 10; n++) {
        assert_int_equal(post_challenge(randomness, 1, n, UINT64_C(1) << 30), leaves[n]);
    }
}

static void winning_sector__is_bounded_and_drawn(void **state)
{
    (void)state;
    static const uint8_t randomness[32] = { 0 };
    const struct node prover_id = { { 0xe8, 0x07 } };
    assert_int_equal(winning_sector(&prover_id, randomness, 0, 1), 0);
    /* by Python, from the formula of spec §3.3 */
    assert_int_equal(winning_sector(&prover_id, randomness, 0, 1000), 695);
    assert_int_equal(winning_sector(&prover_id, randomness, 1, 1000), 353);
}

struct update_case {
    unsigned node_bits, partition_bits, count;
    uint32_t partition;
    uint64_t first[5];
};

static const struct update_case update_cases[] = {
    { 5, 0, 10, 0, { 21, 7, 3, 31, 0 } },
    { 6, 0, 10, 0, { 53, 51, 56, 3, 0 } },
    { 18, 2, 10, 0, { 36085, 32783, 44060, 10950, 3731 } },
    { 18, 2, 10, 1, { 78878, 130797, 112892, 93994, 78379 } },
    { 24, 4, 86, 0, { 1019125, 116736, 706220, 59698, 799498 } },
    { 24, 4, 86, 1, { 2092548, 1213276, 1185483, 1164598, 1095197 } },
    { 24, 4, 86, 14, { 15212432, 15665918, 15015423, 15012912, 15495223 } },
    { 24, 4, 86, 15, { 16388544, 15794686, 16637142, 16319148, 16328348 } },
    { 30, 4, 86, 0, { 1019125, 27985696, 15282860, 11586600, 44651330 } },
    { 30, 4, 86, 1, { 109168525, 127316247, 80331041, 97065716, 72310052 } },
    { 30, 4, 86, 14, { 990420169, 955146989, 968005601, 976863263, 944650706 } },
    { 30, 4, 86, 15, { 1038629497, 1053983614, 1030421316, 1027373887, 1068685433 } },
    { 31, 4, 86, 0, { 1019125, 13992848, 3820715, 18225541, 57316660 } },
    { 31, 4, 86, 1, { 243386253, 197875851, 204632136, 171516766, 247789010 } },
    { 31, 4, 86, 14, { 1997053129, 1920414070, 2003609080, 1900492803, 1963254685 } },
    { 31, 4, 86, 15, { 2045262457, 2036941247, 2136653521, 2091356007, 2147167623 } },
};

static void update__equals_rust_fil_proofs(void **state)
{
    (void)state;
    struct node comm_r_new =
        node_of("101cbe4b9c42604f04c703c396f788c6cb2d6d7d58f45430b12eb2edd640076c");
    for (size_t k = 0; k < sizeof update_cases / sizeof update_cases[0]; k++) {
        const struct update_case *c = &update_cases[k];
        uint64_t challenges[86];
        update_challenges(challenges, c->count, &comm_r_new, c->node_bits, c->partition_bits,
                          c->partition);
        assert_memory_equal(challenges, c->first, sizeof c->first);
    }
}

/* All 16 · 86 challenges of update-32gib.public.json. */
static void update__equals_32_gib(void **state)
{
    (void)state;
    struct node comm_r_new =
        node_of("a12199b2da18b9dee038758c907efa38e06907410b8c89a953fc5bbb358a2705");
    struct sha256 h;
    sha256_begin(&h);
    for (uint32_t partition = 0; partition < 16; partition++) {
        uint64_t challenges[86];
        update_challenges(challenges, 86, &comm_r_new, 30, 4, partition);
        put_numbers(&h, challenges, 86);
    }
    assert_end(&h, "9df15bf189a49226574e59daef95efff5ef04cd5f1ad687effa21dc0d654b4e3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(porep__interactive_equals_a_sealed_sector),
        test(porep__synthetic_equals_rust_fil_proofs),
        test(porep__synthetic_is_candidate_of_selection),
        test(porep__non_interactive_ignores_the_seed),
        test(post__equals_sealed_sectors),
        test(post__equals_a_real_sector),
        test(winning_sector__is_bounded_and_drawn),
        test(update__equals_rust_fil_proofs),
        test(update__equals_32_gib),
    };
    return run_tests(tests);
}
