#define _GNU_SOURCE
#include "path/sealed_request.h"

#include "base/file.h"
#include "cli/cases.h" /* the values alone: no command runs */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bytes field(struct sealed_request *r, int i, const char *hex)
{
    assert_true(hex_decode(r->fields[i], 32, hex, 64));
    return (struct bytes){ r->fields[i], 32 };
}

static void read_payload(struct sealed_request *r, const char *name)
{
    char path[512];
    cuzk_error err = { "" };
    snprintf(path, sizeof path, CUZK_TEST_DATA "/sealed-2kib/%s", name);
    if (file_read(&r->file, &r->payload.size, path, 1 << 28, &err) != CUZK_OK) fail_msg("%s", err.detail);
    r->payload.data = r->file;
}

void sealed_request_open(struct sealed_request *r, const char *circuit)
{
    *r = (struct sealed_request){ .request = { .miner_id = 1000 } };
    struct request *q = &r->request;
    if (strcmp(circuit, "porep-2k") == 0) {
        q->kind = PROOF_POREP;
        q->sector_number = 43;
        q->has_sector_number = true;
        read_payload(r, "porep-s43.c1.json");
        q->vanilla_proof = r->payload;
        return;
    }
    q->vanilla_proofs = &r->payload;
    q->vanilla_proof_count = 1;
    if (strcmp(circuit, "snap-2k") == 0) {
        q->kind = PROOF_UPDATE;
        q->comm_r_old = field(r, 0, COMM_R_42);
        q->comm_r_new = field(r, 1, COMM_R_NEW);
        q->comm_d_new = field(r, 2, COMM_D_NEW);
        read_payload(r, "update-42.json");
        return;
    }
    bool window = strcmp(circuit, "wpost-2k") == 0;
    q->kind = window ? PROOF_WINDOW : PROOF_WINNING;
    q->registered_proof = window ? 10 : 0;
    q->randomness = field(r, 0, RANDOMNESS);
    read_payload(r, window ? "window-42.vproof" : "winning-42.vproof");
}

void sealed_request_close(struct sealed_request *r)
{
    free(r->file);
    r->file = NULL;
}
