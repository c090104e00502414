#include "circuit/catalogue.h"

#include <stdio.h>
#include <string.h>

enum {
    G1_BYTES = 96,
    G2_BYTES = 192,
    VK_FIXED_BYTES = 3 * G1_BYTES + 3 * G2_BYTES,
    LENGTH_BYTES = 4
};

/* Counts and names: spec §2.2 and §4.4, the test shapes from data/oracle/shape. */
/* clang-format off */
static const struct circuit_entry circuits[] = {
    { .id = "porep-2k", .kind = PROOF_POREP, .shape_id = "2k",
      .constraints = 2687921, .inputs = 40,
      .aux = 2685673, .a_aux = 2674908, .b_aux = 685521,
      .suffix = "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f",
      .params_digest = "434fb1338ecfaf0f59256f30dde4968f",
      .vk_digest = "dc1ade9929ade1708238f155343044ac" },
    { .id = "porep-8m", .kind = PROOF_POREP, .shape_id = "8m",
      .constraints = 3844929, .inputs = 40,
      .aux = 3842449, .a_aux = 3814996, .b_aux = 1011289,
      .suffix = "ecd683648512ab1765faa2a5f14bab48f676e633467f0aa8aad4b55dcb0652bb",
      .params_digest = "09e612e4eeb7a0eb95679a88404f960c",
      .vk_digest = "b687beb9adbd9dabe265a7e3620813e4" },
    { .id = "porep-512m", .kind = PROOF_POREP, .shape_id = "512m",
      .constraints = 4423433, .inputs = 40,
      .aux = 4420837, .a_aux = 4385040, .b_aux = 1174173,
      .suffix = "6babf46ce344ae495d558e7770a585b2382d54f225af8ed0397b8be7c3fcd472",
      .params_digest = "6c77597eb91ab936c1cef4cf19eba1b3",
      .vk_digest = "065179da19fbe515507267677f02823e" },
    { .id = "porep-32g", .kind = PROOF_POREP, .shape_id = "32g",
      .constraints = 130278541, .inputs = 328,
      .aux = 130169893, .a_aux = 129753292, .b_aux = 33112281,
      .suffix = "82a357d2f2ca81dc61bb45f4a762807aedee1b0a53fd6c4e77b46a01bfef7820",
      .params_digest = "6a388072a518cf46ebd661f5cc46900a",
      .vk_digest = "0c7b4aac1c40fdb7eb82bc355b41addf" },
    { .id = "porep-64g", .kind = PROOF_POREP, .shape_id = "64g",
      .constraints = 131185849, .inputs = 328,
      .aux = 131076643, .a_aux = 130637542, .b_aux = 33386943,
      .suffix = "96f1b4a04c5c51e4759bbf224bbc2ef5a42c7100f16ec0637123f16a845ddfb2",
      .params_digest = "1801f8a6e1b00bceb00cc27314bb5ce3",
      .vk_digest = "a89884252c04c298d0b3c81bfd884164" },
    { .id = "winning-2k", .kind = PROOF_WINNING, .shape_id = "2k",
      .constraints = 90750, .inputs = 133,
      .aux = 91674, .a_aux = 69300, .b_aux = 66792,
      .suffix = "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e",
      .params_digest = "82c88066be968bb550a05e30ff6c2413",
      .vk_digest = "ffd79788d614d27919ae5bd2d94eacb6" },
    { .id = "winning-8m", .kind = PROOF_WINNING, .shape_id = "8m",
      .constraints = 230670, .inputs = 133,
      .aux = 233442, .a_aux = 176748, .b_aux = 169488,
      .suffix = "50c7368dea9593ed0989e70974d28024efa9d156d585b7eea1be22b2e753f331",
      .params_digest = "700171ecf7334e3199437c930676af82",
      .vk_digest = "79ebb55f56fda427743e35053edad8fc" },
    { .id = "winning-512m", .kind = PROOF_WINNING, .shape_id = "512m",
      .constraints = 300630, .inputs = 133,
      .aux = 304326, .a_aux = 230472, .b_aux = 220836,
      .suffix = "7d739b8cf60f1b0709eeebee7730e297683552e4b69cab6984ec0285663c5781",
      .params_digest = "827359440349fe8f5a016e7598993b79",
      .vk_digest = "bd2cd62f65c1ab84f19ca27e97b7c731" },
    { .id = "winning-32g", .kind = PROOF_WINNING, .shape_id = "32g",
      .constraints = 370590, .inputs = 133,
      .aux = 375210, .a_aux = 284196, .b_aux = 272184,
      .suffix = "559e581f022bb4e4ec6e719e563bf0e026ad6de42e56c18714a2c692b1b88d7e",
      .params_digest = "d84f79a16fe40e9e25a36e2107bb1ba0",
      .vk_digest = "fc02943678dd119e69e7fab8420e8819" },
    { .id = "winning-64g", .kind = PROOF_WINNING, .shape_id = "64g",
      .constraints = 391314, .inputs = 133,
      .aux = 396000, .a_aux = 299838, .b_aux = 287694,
      .suffix = "b62098629d07946e9028127e70295ed996fe3ed25b0f9f88eb610a0ab4385a3c",
      .params_digest = "2170a91ad5bae22ea61f2ea766630322",
      .vk_digest = "6d3789148fb6466d07ee1e24d6292fd6" },
    { .id = "wpost-2k", .kind = PROOF_WINDOW, .shape_id = "2k",
      .constraints = 21866, .inputs = 23,
      .aux = 22128, .a_aux = 16770, .b_aux = 16028,
      .suffix = "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0",
      .params_digest = "7610b9f82bfc88405b7a832b651ce2f6",
      .vk_digest = "0e0958009936b9d5e515ec97b8cb792d" },
    { .id = "wpost-8m", .kind = PROOF_WINDOW, .shape_id = "8m",
      .constraints = 64266, .inputs = 23,
      .aux = 65088, .a_aux = 49330, .b_aux = 47148,
      .suffix = "5294475db5237a2e83c3e52fd6c2b03859a1831d45ed08c4f35dbf9a803165a9",
      .params_digest = "c49499bb76a0762884896f9683403f55",
      .vk_digest = "34d4feeacd9abf788d69ef1bb4d8fd00" },
    { .id = "wpost-512m", .kind = PROOF_WINDOW, .shape_id = "512m",
      .constraints = 85466, .inputs = 23,
      .aux = 86568, .a_aux = 65610, .b_aux = 62708,
      .suffix = "0cfb4f178bbb71cf2ecfcd42accce558b27199ab4fb59cb78f2483fe21ef36d9",
      .params_digest = "1a7d4a9c8a502a497ed92a54366af33f",
      .vk_digest = "4dae975de4f011f101f5a2f86d1daaba" },
    { .id = "wpost-32g", .kind = PROOF_WINDOW, .shape_id = "32g",
      .constraints = 125279217, .inputs = 25840,
      .aux = 126902376, .a_aux = 96179805, .b_aux = 91925766,
      .suffix = "0377ded656c6f524f1618760bffe4e0a1c51d5a70c4509eedae8a27555733edc",
      .params_digest = "2cf49eb26f1fee94c85781a390ddb4c8",
      .vk_digest = "0f8ec542485568fa3468c066e9fed82b" },
    { .id = "wpost-64g", .kind = PROOF_WINDOW, .shape_id = "64g",
      .constraints = 129887900, .inputs = 25301,
      .aux = 131500200, .a_aux = 99624500, .b_aux = 95413200,
      .suffix = "2627e4006b67f99cef990c0a47d5426cb7ab0a0ad58fc1061547bf2d28b09def",
      .params_digest = "3810b7780ac0e299b22ae70f1f94c9bc",
      .vk_digest = "59d2bf1857adc59a4f08fcf2afaa916b" },
    { .id = "snap-2k", .kind = PROOF_UPDATE, .shape_id = "2k",
      .constraints = 1705039, .inputs = 5,
      .aux = 1703569, .a_aux = 1697189, .b_aux = 444403,
      .suffix = "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194",
      .params_digest = "311f92a3e75036ced01b1c0025f1fa0c",
      .vk_digest = "eadad9784969890d30f2749708c79771" },
    { .id = "snap-16k", .kind = PROOF_UPDATE, .shape_id = "16k",
      .constraints = 6300021, .inputs = 5,
      .aux = 6293944, .a_aux = 6284882, .b_aux = 1613422,
      .suffix = "6c63c2c7caaffe0f5b745c60dfe539d35860b620686b52e138fb373ed5b68004",
      .params_digest = NULL, .vk_digest = NULL },
    { .id = "snap-32k", .kind = PROOF_UPDATE, .shape_id = "32k",
      .constraints = 6760091, .inputs = 5,
      .aux = 6753564, .a_aux = 6742922, .b_aux = 1733082,
      .suffix = "ac7ca4f57f12169edc7e40c5d842c15dc47662228f2c245c97d1ca4dffca0bdd",
      .params_digest = NULL, .vk_digest = NULL },
    { .id = "snap-8m", .kind = PROOF_UPDATE, .shape_id = "8m",
      .constraints = 10007503, .inputs = 5,
      .aux = 9998039, .a_aux = 9981015, .b_aux = 2567921,
      .suffix = "92180959e1918d26350b8e6cfe217bbdd0a2d8de51ebec269078b364b715ad63",
      .params_digest = "5aedd2cf3e5c0a15623d56a1b43110ad",
      .vk_digest = "abd80269054d391a734febdac0d2e687" },
    { .id = "snap-512m", .kind = PROOF_UPDATE, .shape_id = "512m",
      .constraints = 57450479, .inputs = 5,
      .aux = 57401314, .a_aux = 57212317, .b_aux = 14916879,
      .suffix = "61fa69f38b9cc771ba27b670124714b4ea77fbeae05e377fb859c4a43b73a30c",
      .params_digest = "c3ad7bb549470b82ad52ed070aebb4f4",
      .vk_digest = "994c5b7d450ca9da348c910689f2dc7f" },
    { .id = "snap-32g", .kind = PROOF_UPDATE, .shape_id = "32g",
      .constraints = 81049499, .inputs = 5,
      .aux = 80978488, .a_aux = 80743581, .b_aux = 20983607,
      .suffix = "3b7f44a9362e3985369454947bc94022e118211e49fd672d52bec1cbfd599d18",
      .params_digest = "1b3cfd761a961543f9eb273e435a06a2",
      .vk_digest = "3a6941983754737fde880d29c7094905" },
    { .id = "snap-64g", .kind = PROOF_UPDATE, .shape_id = "64g",
      .constraints = 85006101, .inputs = 5,
      .aux = 84931220, .a_aux = 84682725, .b_aux = 22012683,
      .suffix = "102e1444a7e9a97ebf1e3d6855dcc77e66c011ea66f936d9b2c508f87f2f83a7",
      .params_digest = "1a392e7b759fb18e036c7559b5ece816",
      .vk_digest = "80e366df2f1011953c2d01c7b7c9ee8e" },
};
/* clang-format on */

enum { CIRCUITS = sizeof circuits / sizeof circuits[0] };

const struct circuit_entry *catalogue_at(size_t i) { return i < CIRCUITS ? &circuits[i] : NULL; }

const struct circuit_entry *catalogue_by_id(const char *id)
{
    for (size_t i = 0; i < CIRCUITS; i++) {
        if (strcmp(circuits[i].id, id) == 0) return &circuits[i];
    }
    return NULL;
}

const struct circuit_entry *catalogue_by_shape(enum proof_kind kind,
                                               const struct sector_shape *shape)
{
    for (size_t i = 0; i < CIRCUITS; i++) {
        const struct circuit_entry *c = &circuits[i];
        if (c->kind == kind && strcmp(c->shape_id, shape->id) == 0) return c;
    }
    return NULL;
}

const struct sector_shape *catalogue_shape(const struct circuit_entry *c)
{
    return sector_shape_by_id(c->shape_id);
}

uint64_t catalogue_rows(const struct circuit_entry *c)
{
    return (uint64_t)c->constraints + c->inputs;
}

unsigned catalogue_log_domain(const struct circuit_entry *c)
{
    unsigned log = 0;
    while (UINT64_C(1) << log < catalogue_rows(c)) log++;
    return log;
}

uint64_t catalogue_h_points(const struct circuit_entry *c)
{
    return (UINT64_C(1) << catalogue_log_domain(c)) - 1;
}

uint64_t catalogue_a_points(const struct circuit_entry *c)
{
    return (uint64_t)c->inputs + c->a_aux;
}

uint64_t catalogue_b_points(const struct circuit_entry *c) { return UINT64_C(1) + c->b_aux; }

uint64_t catalogue_vk_bytes(const struct circuit_entry *c)
{
    return VK_FIXED_BYTES + LENGTH_BYTES + (uint64_t)G1_BYTES * c->inputs;
}

uint64_t catalogue_params_bytes(const struct circuit_entry *c)
{
    uint64_t g1 = catalogue_h_points(c) + c->aux + catalogue_a_points(c) + catalogue_b_points(c);
    return catalogue_vk_bytes(c) + 5 * LENGTH_BYTES + G1_BYTES * g1 +
           G2_BYTES * catalogue_b_points(c);
}

void catalogue_stem(char out[CATALOGUE_STEM_BYTES], const struct circuit_entry *c)
{
    const char *prefix = "proof-of-spacetime-fallback", *hasher = "";
    if (c->kind == PROOF_UPDATE) prefix = "empty-sector-update";
    if (c->kind == PROOF_POREP) {
        prefix = "stacked-proof-of-replication";
        hasher = "-sha256_hasher";
    }
    const struct sector_shape *shape = catalogue_shape(c);
    snprintf(out, CATALOGUE_STEM_BYTES, "v28-%s-merkletree-poseidon_hasher-%u-%u-%u%s-%s", prefix,
             shape->base_arity, shape->sub_arity, shape->top_arity, hasher, c->suffix);
}
