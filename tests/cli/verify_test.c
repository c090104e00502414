/* `cuzk verify`: bellperson's proofs hold, for the right statement only (1 otherwise), and what is no proof, no public
 * input or no key is named (65). */
#define _GNU_SOURCE
#include "cli/cases.h"

#include "groth16/proof.h"
#include "math/point_codec.h"

#include <stdio.h>
#include <stdlib.h>

#define ONES "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
/* The order of the scalar field itself, in the bytes of a commitment. */
#define ORDER "01000000fffffffffe5bfeff02a4bd5305d8a10908d83933487d9d2953a7ed73"

static void holds(const char *request, const char *proof)
{
    char *verdict = succeeds("$CUZK verify %s --proof %s --params $KEYS", request, proof);
    assert_string_equal(verdict, "the proof holds (1 partition)");
    free(verdict);
}

static void is_refused(const char *request, const char *proof)
{
    fails(1, "the proof does not hold", "$CUZK verify %s --proof %s --params $KEYS", request, proof);
}

static void verify__accepts_bellpersons_proofs(void **state)
{
    (void)state;
    for (size_t i = 0; i < SEALED_CASES; i++) {
        const struct sealed_case *c = &sealed_cases[i];
        char *proof = bellperson_proof(c->tag, "proof"), *plain = bellperson_proof(c->tag, "proof_r0_s0");
        holds(c->public_data, proof);
        holds(c->public_data, plain);
        holds(c->request, proof);
        free(proof);
        free(plain);
    }
}

#define POREP_VALUES(sector, ticket, seed, comm_r, comm_d)                                            \
    "-t porep --registered-proof 5 --miner-id 1000 --sector-num " sector " --ticket " ticket " --seed " seed \
    " --comm-r " comm_r " --comm-d " comm_d

static void verify__takes_values_and_files(void **state)
{
    (void)state;
    char *proof = bellperson_proof("porep-2KiB-s42", "proof");
    uint8_t bytes[PROOF_BYTES];
    assert_true(hex_decode(bytes, sizeof bytes, proof, strlen(proof)));
    put_file("proof.bin", bytes, sizeof bytes);
    holds(POREP_VALUES("42", TICKET_42, SEED_42, COMM_R_42, COMM_D_42), proof);
    holds(POREP_VALUES("42", TICKET_42, SEED_42, COMM_R_42, COMM_D_42), "proof.bin");
    holds(POREP_42 "$SEALED/porep-s42.c1.json --partition 0", "proof.bin");
    char *json = succeeds("$CUZK verify -t porep --public $SEALED/porep-s42.public.json --proof proof.bin "
                          "--params $KEYS --json | tr -d ' \\n'");
    assert_string_equal(json, "{\"verified\":true,\"partitions\":1}");
    free(json);

    is_refused(POREP_VALUES("43", TICKET_42, SEED_42, COMM_R_42, COMM_D_42), proof);
    is_refused(POREP_VALUES("42", SEED_42, SEED_42, COMM_R_42, COMM_D_42), proof);
    is_refused(POREP_VALUES("42", TICKET_42, TICKET_42, COMM_R_42, COMM_D_42), proof);
    is_refused(POREP_VALUES("42", TICKET_42, SEED_42, COMM_R_NEW, COMM_D_42), proof);
    is_refused(POREP_VALUES("42", TICKET_42, SEED_42, COMM_R_42, COMM_D_NEW), proof);
    fails(65, "comm_r", "$CUZK verify " POREP_VALUES("42", TICKET_42, SEED_42, ORDER, COMM_D_42)
          " --proof proof.bin --params $KEYS");
    fails(65, "comm_d", "$CUZK verify " POREP_VALUES("42", TICKET_42, SEED_42, COMM_R_42, ONES)
          " --proof proof.bin --params $KEYS");
    free(proof);
}

/* One value of the public data after the other. */
static void verify__refuses_another_statement(void **state)
{
    (void)state;
    static const struct {
        const char *tag, *kind, *file, *old, *new;
    } edits[] = {
        { "winning-2KiB", "winning", "winning.public.json", RANDOMNESS, SEED_42 },
        { "winning-2KiB", "winning", "winning.public.json", "\"sector\": 42", "\"sector\": 43" },
        { "winning-2KiB", "winning", "winning.public.json", COMM_R_42, COMM_R_NEW },
        { "window-2KiB-42-43", "window", "window.public.json", RANDOMNESS, SEED_42 },
        { "window-2KiB-42-43", "window", "window.public.json", "\"sector\": 43", "\"sector\": 44" },
        { "window-2KiB-42-43", "window", "window.public.json", COMM_R_42, COMM_R_NEW },
        { "update-2KiB", "snap", "update-42.public.json", COMM_R_42, COMM_R_NEW },
        { "update-2KiB", "snap", "update-42.public.json", COMM_D_NEW, COMM_D_42 },
        { "porep-2KiB-s43", "porep", "porep-s43.public.json", "\"sector\": 43", "\"sector\": 42" },
        { "porep-2KiB-s43", "porep", "porep-s43.public.json", "\"miner_id\": 1000", "\"miner_id\": 1001" },
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char *proof = bellperson_proof(edits[i].tag, "proof");
        edit_file("edited.json", edits[i].file, edits[i].old, edits[i].new);
        struct answer a = shell("$CUZK verify -t %s --public edited.json --proof %s --params $KEYS", edits[i].kind,
                                proof);
        /* Where the file repeats what follows from a value (challenges, prover id), the contradiction is named. */
        if (a.code != 1 && !(a.code == 65 && strstr(a.err, "edited.json: ")))
            fail_msg("%s, %s: %d, %s", edits[i].file, edits[i].new, a.code, a.err);
        answer_free(&a);
        free(proof);
    }
}

static void verify__refuses_another_proof(void **state)
{
    (void)state;
    char *of_42 = bellperson_proof("porep-2KiB-s42", "proof"), *of_43 = bellperson_proof("porep-2KiB-s43", "proof");
    char *window = bellperson_proof("window-2KiB-42-43", "proof"), swapped[2 * PROOF_BYTES + 1];
    is_refused("-t porep --public $SEALED/porep-s42.public.json", of_43);
    is_refused("-t porep --public $SEALED/porep-s43.public.json", of_42);
    is_refused("-t winning --public $SEALED/winning.public.json", window);
    snprintf(swapped, sizeof swapped, "%.96s%.192s%.96s", of_42 + 288, of_42 + 96, of_42);
    is_refused("-t porep --public $SEALED/porep-s42.public.json", swapped);
    struct answer a = shell("$CUZK verify -t porep --public $SEALED/porep-s42.public.json --proof %s --params $KEYS "
                            "--json", of_43);
    assert_int_equal(a.code, 1);
    assert_non_null(strstr(a.out, "false"));
    answer_free(&a);
    free(of_42);
    free(of_43);
    free(window);
}

static void verify__names_values_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *file, *old, *new, *part;
    } edits[] = {
        { "winning", "winning.public.json", COMM_R_42, ONES, "comm_r" },
        { "window", "window.public.json", COMM_R_42, ORDER, "comm_r" },
        { "winning", "winning.public.json", COMM_R_42, "0919", "comm_r" },
        { "winning", "winning.public.json", RANDOMNESS, "zz", "randomness" },
        { "winning", "winning.public.json", "Winning2KiB", "Winning3KiB", "registered_proof" },
        { "snap", "update-42.public.json", "comm_r_old", "comm_r_odd", "comm_r_o" },
        { "snap", "update-42.public.json", COMM_R_NEW, ORDER, "comm_r_new" },
        { "porep", "porep-s42.public.json", "\"sector\": 42", "\"sector\": -1", "sector" },
        { "porep", "porep-s42.public.json", "\"comm_d\": \"", "\"comm_d\": \"1", "comm_d" },
        { "porep", "porep-s42.public.json", "{", "{]", "edited.json" },
        { "porep", "porep-s42.public.json", "\n}", "\n}}", "edited.json" },
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        edit_file("edited.json", edits[i].file, edits[i].old, edits[i].new);
        fails(65, edits[i].part, "$CUZK verify -t %s --public edited.json --proof 00 --params $KEYS", edits[i].kind);
    }
}

/* What is no proof */

static uint8_t good[PROOF_BYTES]; /* sector 42's */

static void names(const uint8_t *proof, size_t size, const char *part)
{
    put_file("damaged.bin", proof, size);
    fails(65, part, "$CUZK verify -t porep --public $SEALED/porep-s42.public.json --proof damaged.bin --params $KEYS");
}

static void verify__names_a_wrong_size(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 1, 48, 191, 193, 384 };
    uint8_t bytes[2 * PROOF_BYTES];
    memcpy(bytes, good, PROOF_BYTES);
    memcpy(bytes + PROOF_BYTES, good, PROOF_BYTES);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char part[32];
        snprintf(part, sizeof part, "proof: %zu bytes", sizes[i]);
        names(bytes, sizes[i], part);
    }
    fails(65, "odd number", "$CUZK verify -t porep --public $SEALED/porep-s42.public.json --proof 123 --params $KEYS");
}

/* The three points of a proof. */
static const struct {
    const char *part;
    size_t offset, size;
} points[] = { { "proof, A", 0, 48 }, { "proof, B", 48, 96 }, { "proof, C", 144, 48 } };

static cuzk_status decode(const uint8_t *bytes, size_t size, enum point_check check)
{
    g1_affine_t g1;
    g2_affine_t g2;
    return size == G1_COMPRESSED_BYTES ? g1_decode_compressed(&g1, bytes, check, POINT_INFINITY_REFUSED, NULL)
                                       : g2_decode_compressed(&g2, bytes, check, POINT_INFINITY_REFUSED, NULL);
}

/* The nearest x that has no point, or one outside the subgroup. */
static void damage_x(uint8_t *bytes, size_t size, bool on_curve)
{
    do {
        bytes[size - 1]++;
    } while ((decode(bytes, size, POINT_CHECK_CURVE) == CUZK_OK) != on_curve);
    assert_int_not_equal(decode(bytes, size, POINT_CHECK_SUBGROUP), CUZK_OK);
}

static void verify__names_a_point_that_is_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        uint8_t proof[PROOF_BYTES], *at = proof + points[i].offset;
        memcpy(proof, good, sizeof proof);
        damage_x(at, points[i].size, false);
        names(proof, sizeof proof, points[i].part);
        memcpy(proof, good, sizeof proof);
        damage_x(at, points[i].size, true);
        names(proof, sizeof proof, points[i].part);
        names(proof, sizeof proof, "subgroup");
        memset(at, 0, points[i].size);
        at[0] = 0xc0; /* infinity */
        names(proof, sizeof proof, points[i].part);
        names(proof, sizeof proof, "infinity");
        at[points[i].size - 1] = 1;
        names(proof, sizeof proof, points[i].part);
        memset(at, 0xff, points[i].size); /* x = 2^381 − 1 and more */
        at[0] = 0x9f;
        names(proof, sizeof proof, points[i].part);
        memcpy(proof, good, sizeof proof);
        at[0] &= 0x7f; /* said to be uncompressed */
        names(proof, sizeof proof, points[i].part);
        memcpy(proof, good, sizeof proof);
        at[0] ^= 0x20; /* the other root: a point, but another one */
        put_file("damaged.bin", proof, sizeof proof);
        is_refused("-t porep --public $SEALED/porep-s42.public.json", "damaged.bin");
    }
}

/* Keys */

static void verify__names_what_is_wrong_with_the_key(void **state)
{
    (void)state;
    char *file = succeeds("basename $KEYS/*stacked*.vk"), *proof = bellperson_proof("porep-2KiB-s42", "proof");
    struct bytes key = get_file(CUZK_TEST_DATA "/groth16/porep-2k.vk");
    assert_int_equal(key.size, 4708);
    uint8_t *bytes = malloc(key.size + 1);
    memcpy(bytes, key.data, key.size);
    bytes[key.size] = 0;
    static const size_t sizes[] = { 0, 95, 96, 97, 863, 864, 865, 867, 868, 869, 4707, 4709 };
    free(succeeds("mkdir -p other"));
    char path[512];
    snprintf(path, sizeof path, "other/%s", file);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        put_file(path, bytes, sizes[i]);
        fails(65, file, "$CUZK verify %s --proof %s --params other", sealed_cases[3].public_data, proof);
    }
    static const size_t flips[] = { 0, 95, 96, 200, 400, 600, 700, 863, 864, 867, 868, 4707 };
    for (size_t i = 0; i < sizeof flips / sizeof flips[0]; i++) {
        bytes[flips[i]] ^= 1;
        put_file(path, bytes, key.size);
        fails(65, file, "$CUZK verify %s --proof %s --params other", sealed_cases[3].public_data, proof);
        bytes[flips[i]] ^= 1;
    }
    free(succeeds("cp $KEYS/*fallback*-0170*.vk %s", path));
    fails(65, "23 ic points", "$CUZK verify %s --proof %s --params other", sealed_cases[3].public_data, proof);
    free(succeeds("rm %s", path));
    fails(66, file, "$CUZK verify %s --proof %s --params other", sealed_cases[3].public_data, proof);
    free((void *)(uintptr_t)key.data);
    free(bytes);
    free(proof);
    free(file);
}

/* join */

static void join__checks_and_concatenates(void **state)
{
    (void)state;
    put_file("a.bin", good, sizeof good);
    put_file("short.bin", good, sizeof good - 1);
    put_file("empty.bin", good, 0);
    free(succeeds("$CUZK join a.bin a.bin -o joined.bin"));
    free(succeeds("cat a.bin a.bin | cmp - joined.bin"));
    char *hex = succeeds("$CUZK join a.bin"), *want = bellperson_proof("porep-2KiB-s42", "proof");
    assert_string_equal(hex, want);
    fails(65, "short.bin: 191 bytes", "$CUZK join a.bin short.bin -o never.bin");
    fails(65, "empty.bin: 0 bytes", "$CUZK join empty.bin -o never.bin");
    uint8_t damaged[PROOF_BYTES];
    memcpy(damaged, good, sizeof good);
    damage_x(damaged + 48, 96, false);
    put_file("damaged.bin", damaged, sizeof damaged);
    fails(65, "damaged.bin: proof 0: proof, B", "$CUZK join a.bin damaged.bin -o never.bin");
    assert_false(is_there("never.bin"));
    fails(66, "absent.bin", "$CUZK join absent.bin");
    misused("which files", "$CUZK join");
    free(hex);
    free(want);
}

static int begin(void **state)
{
    if (shell_begin(state) != 0) return -1;
    char *hex = bellperson_proof("porep-2KiB-s42", "proof");
    assert_true(hex_decode(good, sizeof good, hex, strlen(hex)));
    free(hex);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(verify__accepts_bellpersons_proofs),
        test(verify__takes_values_and_files),
        test(verify__refuses_another_statement),
        test(verify__refuses_another_proof),
        test(verify__names_values_that_are_none),
        test(verify__names_a_wrong_size),
        test(verify__names_a_point_that_is_none),
        test(verify__names_what_is_wrong_with_the_key),
        test(join__checks_and_concatenates),
    };
    return cmocka_run_group_tests(tests, begin, shell_end);
}
