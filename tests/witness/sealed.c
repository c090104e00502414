#include "witness/sealed.h"

#include "base/file.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* Public data from tests/data/sealed-2kib/window.public.json and update-42.public.json. */
static const char RANDOMNESS[] = "786b91f30069e89c21ccee795ae4481181a3c019a66ec538c2af37900f6daa16";
static const char COMM_R_OLD[] = "091912d1148b560dba265ab0b3a19367c3b26263cb67039a4e20bc99ab9dd335";
static const char COMM_R_NEW[] = "b8dea90eb2ebeb7c472755d843a6549a2a2e465a7c8410e1646a85d5f7112a6a";
static const char COMM_D_NEW[] = "9298a8ccd1aa0c561829957c17d54218c31c95e30a270ccd604bcdfa6e101310";

static const struct {
    const char *name, *files[2];
    enum proof_kind kind;
    uint64_t registered_proof;
} cases[] = {
    { "porep-42", { "porep-s42.c1.json" }, PROOF_POREP, 5 },
    { "porep-43", { "porep-s43.c1.json" }, PROOF_POREP, 5 },
    { "winning-42", { "winning-42.vproof" }, PROOF_WINNING, 0 },
    { "window-42-43", { "window-42.vproof", "window-43.vproof" }, PROOF_WINDOW, 10 },
    { "update-42", { "update-42.part0.vproof" }, PROOF_UPDATE, 0 },
};

static struct bytes read_file(const char *name)
{
    char path[512];
    cuzk_error err = { "" };
    uint8_t *data;
    size_t size;
    snprintf(path, sizeof path, CUZK_TEST_DATA "/sealed-2kib/%s", name);
    if (file_read(&data, &size, path, 1 << 24, &err) != CUZK_OK) fail_msg("%s", err.detail);
    return (struct bytes){ data, size };
}

static struct bytes from_hex(uint8_t out[32], const char *hex)
{
    assert_true(hex_decode(out, 32, hex, 64));
    return (struct bytes){ out, 32 };
}

struct vanilla_job *sealed_job(const char *name)
{
    size_t i = 0;
    while (strcmp(cases[i].name, name) != 0) assert_true(++i < sizeof cases / sizeof cases[0]);
    uint8_t hex[4][32];
    struct bytes files[2] = { read_file(cases[i].files[0]) };
    size_t count = cases[i].files[1] ? 2 : 1;
    if (count == 2) files[1] = read_file(cases[i].files[1]);
    struct request request = { .kind = cases[i].kind, .registered_proof = cases[i].registered_proof, .miner_id = 1000,
                               .randomness = from_hex(hex[0], RANDOMNESS) };
    if (request.kind == PROOF_POREP) {
        request.vanilla_proof = files[0];
    } else {
        request.vanilla_proofs = files;
        request.vanilla_proof_count = count;
    }
    if (request.kind == PROOF_UPDATE) {
        request.comm_r_old = from_hex(hex[1], COMM_R_OLD);
        request.comm_r_new = from_hex(hex[2], COMM_R_NEW);
        request.comm_d_new = from_hex(hex[3], COMM_D_NEW);
    }
    struct vanilla_job *job;
    cuzk_error err = { "" };
    if (vanilla_parse(&job, &request, &err) != CUZK_OK) fail_msg("%s: %s", name, err.detail);
    for (size_t k = 0; k < count; k++) free((void *)(uintptr_t)files[k].data);
    return job;
}
