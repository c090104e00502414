/* What clients send, damaged: cut, extended, or with one bit flipped. `cuzk prove` answers 65 with one line that names
 * the file and what in it is wrong, before it looks for parameters. */
#define _GNU_SOURCE
#include "cli/cases.h"
#include "vanilla/fixture.h"

#include <stdio.h>
#include <stdlib.h>

enum { CUTS = 12, FLIPS = 24 };

static const struct input {
    const char *file;    /* in $SEALED, or made by begin() */
    const char *request; /* options that precede it */
} inputs[] = {
    { "porep-s42.c1.json", POREP_42 },
    { "porep-s42.wrapped.json", POREP_42 },
    { "porep-s43.wrapped.json", "-t porep --c1 " },
    { "c1.bin", "--registered-proof 5 " POREP_42 },
    { "winning-42.vproof", WINNING },
    { "window-43.vproof", WINDOW "$SEALED/window-42.vproof " },
    { "update-42.part0.vproof", SNAP },
    { "update-42.json", SNAP },
};

enum { INPUTS = sizeof inputs / sizeof inputs[0] };

static struct bytes original(const struct input *in)
{
    char path[512];
    if (is_there(in->file)) return get_file(in->file);
    snprintf(path, sizeof path, CUZK_TEST_DATA "/sealed-2kib/%s", in->file);
    return get_file(path);
}

static void is_named(const struct input *in, const uint8_t *data, size_t size)
{
    put_file("damaged", data, size);
    fails(65, strstr(in->request, "window") ? "vanilla proofs: " : "damaged: ", "$CUZK prove %s damaged --params absent", in->request);
}

static void prove__looks_for_parameters_after_good_input(void **state)
{
    (void)state;
    for (size_t i = 0; i < INPUTS; i++) {
        struct bytes b = original(&inputs[i]);
        put_file("damaged", b.data, b.size);
        fails(66, "absent/v28-", "$CUZK prove %s damaged --params absent", inputs[i].request);
        free((void *)(uintptr_t)b.data);
    }
}

static void prove__names_what_was_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < INPUTS; i++) {
        struct bytes b = original(&inputs[i]);
        for (size_t k = 0; k < CUTS; k++) is_named(&inputs[i], b.data, b.size * k / CUTS);
        is_named(&inputs[i], b.data, b.size - 1);
        free((void *)(uintptr_t)b.data);
    }
}

static void prove__names_what_was_added(void **state)
{
    (void)state;
    for (size_t i = 0; i < INPUTS; i++) {
        struct bytes b = original(&inputs[i]);
        uint8_t *longer = malloc(2 * b.size);
        memcpy(longer, b.data, b.size);
        memcpy(longer + b.size, b.data, b.size);
        is_named(&inputs[i], longer, b.size + 1);
        is_named(&inputs[i], longer, 2 * b.size);
        longer[b.size] = 0;
        is_named(&inputs[i], longer, b.size + 1);
        free(longer);
        free((void *)(uintptr_t)b.data);
    }
}

static void prove__names_where_a_bit_flipped(void **state)
{
    (void)state;
    for (size_t i = 0; i < INPUTS; i++) {
        struct bytes b = original(&inputs[i]);
        uint8_t *data = (uint8_t *)(uintptr_t)b.data;
        for (size_t k = 0; k < FLIPS; k++) {
            size_t at = (b.size - 1) * k / (FLIPS - 1);
            uint8_t bit = (uint8_t)(1 << (k % 8));
            data[at] ^= bit;
            is_named(&inputs[i], data, b.size);
            data[at] ^= bit;
        }
        free(data);
    }
}

/* Good input of another sector, another miner, another seed. */
static void prove__names_what_does_not_belong(void **state)
{
    (void)state;
    fails(65, "porep-s42.c1.json: ", "$CUZK prove " POREP_43 "$SEALED/porep-s42.c1.json");
    fails(65, "porep-s42.c1.json: ", "$CUZK prove -t porep --sector-num 42 --miner-id 7 --c1 $SEALED/porep-s42.c1.json");
    fails(65, "porep-s42.wrapped.json: ", "$CUZK prove " POREP_43 "$SEALED/porep-s42.wrapped.json");
    fails(65, "winning-42.vproof: ", "$CUZK prove -t winning --registered-proof 0 --miner-id 1000 --randomness " SEED_42
          " $SEALED/winning-42.vproof");
    fails(65, "window-42.vproof: ", "$CUZK prove " WINNING "$SEALED/window-42.vproof");
    fails(65, "", "$CUZK prove -t window --registered-proof 5 --miner-id 1000 --randomness " RANDOMNESS
          " $SEALED/window-42.vproof $SEALED/window-43.vproof");
    fails(65, "comm_r_new", "$CUZK prove -t snap --registered-proof 0 --comm-r-old " COMM_R_42 " --comm-r-new " COMM_R_42
          " --comm-d-new " COMM_D_NEW " $SEALED/update-42.json");
    fails(65, "partition 1 asked for", "$CUZK prove " WINNING "$SEALED/winning-42.vproof --partition 1");
    fails(65, "partition", "$CUZK prove " SNAP "$SEALED/update-42.json --partition 1");
    fails(65, "partition", "$CUZK prove " POREP_42 "$SEALED/porep-s42.c1.json --partition 1");
}

static int begin(void **state)
{
    if (shell_begin(state) != 0) return -1;
    struct bytes json = data_file("sealed-2kib/porep-s42.c1.json"), bincode = bincode_of_c1(json);
    put_file("c1.bin", bincode.data, bincode.size);
    free((void *)(uintptr_t)json.data);
    free((void *)(uintptr_t)bincode.data);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(prove__looks_for_parameters_after_good_input),
        test(prove__names_what_was_cut),
        test(prove__names_what_was_added),
        test(prove__names_where_a_bit_flipped),
        test(prove__names_what_does_not_belong),
    };
    return cmocka_run_group_tests(tests, begin, shell_end);
}
