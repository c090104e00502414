#include "circuit/catalogue.h"
#include "test.h"

#include <inttypes.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

/* The columns of spec §2.2 that the catalogue computes. */
static const struct {
    const char *id;
    unsigned log_domain;
    uint64_t a_points, b_points, vk_bytes, params_bytes;
} published[] = {
    { "porep-2k", 22, 2674948, 685522, 4708, 1114707768 },
    { "porep-8m", 22, 3815036, 1011290, 4708, 1429027896 },
    { "porep-512m", 23, 4385080, 1174174, 4708, 1988841144 },
    { "porep-32g", 27, 129753620, 33112282, 32356, 47373928632 },
    { "porep-64g", 27, 130637870, 33386944, 32356, 47624967288 },
    { "winning-2k", 17, 69433, 66793, 13636, 47299128 },
    { "winning-8m", 18, 176881, 169489, 13636, 113383224 },
    { "winning-512m", 19, 230605, 220837, 13636, 165299640 },
    { "winning-32g", 19, 284329, 272185, 13636, 192050232 },
    { "winning-64g", 19, 299971, 287695, 13636, 200014584 },
    { "wpost-2k", 15, 16793, 16029, 3076, 11501496 },
    { "wpost-8m", 16, 49353, 47149, 3076, 30859704 },
    { "wpost-512m", 17, 65633, 62709, 3076, 45257400 },
    { "wpost-32g", 27, 96205645, 91925767, 2481508, 60780374232 },
    { "wpost-64g", 27, 99649801, 95413201, 2429764, 62556733560 },
    { "snap-2k", 21, 1697194, 444404, 1348, 655789464 },
    { "snap-8m", 24, 9981020, 2567922, 1348, 4268165208 },
    { "snap-512m", 26, 57212322, 14916880, 1348, 21741422712 },
    { "snap-32g", 27, 80743586, 20983608, 1348, 34453501368 },
    { "snap-64g", 27, 84682730, 22012684, 1348, 35507495352 },
};

enum { PUBLISHED = sizeof published / sizeof published[0] };

static void sizes__are_those_of_the_specification(void **state)
{
    (void)state;
    assert_int_equal(PUBLISHED, 20);
    for (size_t i = 0; i < PUBLISHED; i++) {
        const struct circuit_entry *c = catalogue_by_id(published[i].id);
        assert_non_null(c);
        assert_int_equal(catalogue_log_domain(c), published[i].log_domain);
        assert_int_equal(catalogue_h_points(c), (UINT64_C(1) << published[i].log_domain) - 1);
        assert_int_equal(catalogue_a_points(c), published[i].a_points);
        assert_int_equal(catalogue_b_points(c), published[i].b_points);
        assert_int_equal(catalogue_vk_bytes(c), published[i].vk_bytes);
        assert_int_equal(catalogue_params_bytes(c), published[i].params_bytes);
    }
}

/* The text whose hash is the suffix, spec §4.4; `tree` is "merkletree-poseidon_hasher-B-S-T". */
static void identifier_write(char *out, size_t size, const struct circuit_entry *c, const char *tree)
{
    const struct sector_shape *s = catalogue_shape(c);
    switch (c->kind) {
    case PROOF_POREP:
        snprintf(out, size,
                 "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{expansion_degree: "
                 "%d base_graph: drgraph::BucketGraph{size: %" PRIu64
                 "; degree: %d; hasher: poseidon_hasher} }, challenges: LayerChallenges { layers: %d, "
                 "max_count: %d }, tree: %s }",
                 EXP_PARENTS, s->nodes, DRG_PARENTS, s->layers, s->porep_challenges, tree);
        break;
    case PROOF_UPDATE:
        snprintf(out, size, "empty_sector_update::PublicParams{ sector_nodes: %" PRIu64 " }", s->nodes);
        break;
    case PROOF_WINDOW:
    case PROOF_WINNING:
        snprintf(out, size,
                 "FallbackPoSt::PublicParams{sector_size: %" PRIu64 ", challenge_count: %d, sector_count: %d}",
                 s->bytes, c->kind == PROOF_WINDOW ? POST_CHALLENGES : 1,
                 c->kind == PROOF_WINDOW ? s->window_sectors : WINNING_SLOTS);
        break;
    }
}

static void suffix__is_the_hash_of_the_identifier(void **state)
{
    (void)state;
    size_t n = 0;
    for (const struct circuit_entry *c; (c = catalogue_at(n)) != NULL; n++) {
        const struct sector_shape *s = catalogue_shape(c);
        char tree[64], text[512], hex[65];
        snprintf(tree, sizeof tree, "merkletree-poseidon_hasher-%d-%d-%d", s->base_arity, s->sub_arity, s->top_arity);
        identifier_write(text, sizeof text, c, tree);
        uint8_t hash[32];
        SHA256((const uint8_t *)text, strlen(text), hash);
        for (int i = 0; i < 32; i++) snprintf(hex + 2 * i, 3, "%02x", hash[i]);
        assert_string_equal(c->suffix, hex);

        char stem[CATALOGUE_STEM_BYTES];
        catalogue_stem(stem, c);
        assert_non_null(strstr(stem, tree));
        assert_string_equal(stem + strlen(stem) - 64, c->suffix);
    }
    assert_int_equal(n, 22);
}

/* One name of each prefix as the parameter files of data/oracle have it. */
static void stem__is_the_published_name(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        { "porep-2k", "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
                      "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f" },
        { "wpost-2k", "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                      "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0" },
        { "winning-2k", "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                        "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e" },
        { "snap-2k", "v28-empty-sector-update-merkletree-poseidon_hasher-8-0-0-"
                     "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char stem[CATALOGUE_STEM_BYTES];
        catalogue_stem(stem, catalogue_by_id(names[i][0]));
        assert_string_equal(stem, names[i][1]);
    }
}

static void lookup__by_id_and_by_shape_agree(void **state)
{
    (void)state;
    size_t unpublished = 0;
    for (size_t i = 0; catalogue_at(i); i++) {
        const struct circuit_entry *c = catalogue_at(i);
        char id[32];
        snprintf(id, sizeof id, "%s-%s", proof_kind_name(c->kind), c->shape_id);
        assert_string_equal(c->id, id);
        assert_ptr_equal(catalogue_by_id(id), c);
        assert_ptr_equal(catalogue_by_shape(c->kind, catalogue_shape(c)), c);
        assert_int_equal(catalogue_shape(c)->published, c->params_digest != NULL);
        assert_int_equal(catalogue_shape(c)->published, c->vk_digest != NULL);
        if (!c->vk_digest) unpublished++;
    }
    assert_int_equal(unpublished, 2);
    assert_null(catalogue_by_id("porep-16k"));
    assert_null(catalogue_by_id(""));
    assert_null(catalogue_by_shape(PROOF_POREP, sector_shape_by_id("16k")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(sizes__are_those_of_the_specification),
        test(suffix__is_the_hash_of_the_identifier),
        test(stem__is_the_published_name),
        test(lookup__by_id_and_by_shape_agree),
    };
    return run_tests(tests);
}
