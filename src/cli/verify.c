/* cuzk verify: a proof against public data and the verifying key alone. */
#include "backend/prover.h"
#include "base/file.h"
#include "cli/device_options.h"
#include "cli/request_options.h"
#include "vanilla/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verify_options {
    struct request_options request;
    struct device_options device;
    const char *proof;
    bool json;
};

enum { KEY_PROOF = 256, KEY_JSON };

static const struct argp_option options[] = {
    { "proof", KEY_PROOF, "FILE|HEX", 0, "the proof: a file of raw bytes, or hexadecimal digits", 0 },
    { "json", KEY_JSON, NULL, 0, "machine-readable result", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct verify_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->device;
        break;
    case KEY_PROOF: o->proof = arg; break;
    case KEY_JSON: o->json = true; break;
    case ARGP_KEY_END:
        if (!o->proof) argp_error(state, "--proof is needed");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* What is verified, and what it came from. */
struct verifying {
    const struct verify_options *o;
    struct vanilla_job *job; /* NULL unless the statement comes from private inputs */
    struct arena memory;
    struct statement statement;
    size_t first, count; /* partitions */
};

static struct node node_of(const uint8_t bytes[32])
{
    struct node n;
    memcpy(n.b, bytes, sizeof n.b);
    return n;
}

static void replica_id_of(struct node *out, const struct registered_proof *proof, uint64_t miner, uint64_t sector,
                          const uint8_t ticket[32], const struct node *comm_d)
{
    struct node prover_id;
    uint8_t porep_id[32];
    prover_id_make(&prover_id, miner);
    porep_id_make(porep_id, proof->number, 0);
    replica_id_make(out, &prover_id, sector, ticket, comm_d, porep_id);
}

static cuzk_status statement_from_values(struct verifying *v, cuzk_error *err)
{
    const struct request_options *r = &v->o->request;
    const struct registered_proof *proof;
    if (!r->registered || !r->has_ticket || !r->has_seed || !r->has_comm_r || !r->has_comm_d || !r->has_sector ||
        !r->has_miner) {
        return cuzk_fail(err, CUZK_ERR_USAGE,
                         "without --c1 or --public a PoRep needs --registered-proof, --miner-id, --sector-num, "
                         "--ticket, --seed, --comm-r and --comm-d");
    }
    cuzk_status status = registered_parse(&proof, PROOF_POREP, r->registered, err);
    if (status != CUZK_OK) return status;
    struct node comm_d = node_of(r->comm_d), comm_r = node_of(r->comm_r), replica_id;
    replica_id_of(&replica_id, proof, r->miner, r->sector, r->ticket, &comm_d);
    return statement_porep(&v->statement, proof, &replica_id, &comm_d, &comm_r, r->seed, err);
}

/* Values given beside a C1 file take the place of the file's. */
static cuzk_status replace_values(struct verifying *v, cuzk_error *err)
{
    const struct request_options *r = &v->o->request;
    struct node comm_d = r->has_comm_d ? node_of(r->comm_d) : v->statement.porep.comm_d;
    struct node comm_r = r->has_comm_r ? node_of(r->comm_r) : v->statement.porep.comm_r;
    struct node replica_id = v->statement.porep.replica_id;
    uint8_t seed[32];
    memcpy(seed, r->has_seed ? r->seed : v->statement.porep.seed, sizeof seed);
    if (r->has_ticket || r->has_comm_d) {
        if (!v->job->has_identity) {
            return cuzk_fail(err, CUZK_ERR_USAGE, "--ticket and --comm-d need --miner-id and --sector-num");
        }
        replica_id_of(&replica_id, v->job->proof, v->job->miner_id, v->job->sector_number,
                      r->has_ticket ? r->ticket : v->job->ticket, &comm_d);
    }
    return statement_porep(&v->statement, v->job->proof, &replica_id, &comm_d, &comm_r, seed, err);
}

static cuzk_status statement_from_file(struct verifying *v, cuzk_error *err)
{
    enum { LIMIT = 1 << 26 };
    const struct request_options *r = &v->o->request;
    if (r->kind == 0) return cuzk_fail(err, CUZK_ERR_USAGE, "--public needs -t KIND");
    uint8_t *text;
    size_t size;
    cuzk_status status = file_read(&text, &size, r->public_file, LIMIT, err);
    if (status != CUZK_OK) return status;
    status = statement_json(&v->statement, &v->memory, (enum proof_kind)r->kind, (struct bytes){ text, size }, err);
    free(text);
    return cuzk_within(err, status, "%s", r->public_file);
}

static cuzk_status find_statement(struct verifying *v, cuzk_error *err)
{
    const struct request_options *r = &v->o->request;
    cuzk_status status;
    if (r->public_file) {
        status = statement_from_file(v, err);
    } else if (r->kind == PROOF_POREP && !r->c1 && !r->request_file) {
        status = statement_from_values(v, err);
    } else {
        status = job_from_options(&v->job, r, err);
        if (status == CUZK_OK) {
            v->statement = v->job->statement;
            if (v->job->kind == PROOF_POREP) status = replace_values(v, err);
        }
    }
    if (status != CUZK_OK) return status;
    v->first = r->has_partition ? (size_t)r->partition : 0;
    v->count = r->has_partition ? 1 : v->statement.partitions;
    if (v->first >= v->statement.partitions) {
        return cuzk_fail(err, CUZK_ERR_DATA, "partition %zu of %zu", v->first, v->statement.partitions);
    }
    return CUZK_OK;
}

/* Hexadecimal digits, or else a file. */
static cuzk_status read_proof(uint8_t **out, size_t *size, const char *text, cuzk_error *err)
{
    enum { LIMIT = 1 << 20 };
    size_t length = strlen(text);
    if (length > 0 && strspn(text, "0123456789abcdefABCDEF") == length) {
        *size = length / 2;
        *out = malloc(*size + 1);
        if (!*out) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the proof");
        if (hex_decode(*out, *size, text, length)) return CUZK_OK;
        free(*out);
        *out = NULL;
        return cuzk_fail(err, CUZK_ERR_DATA, "--proof: an odd number of hexadecimal digits");
    }
    return file_read(out, size, text, LIMIT, err);
}

static cuzk_status open_verifier(struct verifier *out, const struct verifying *v, struct pool *pool, cuzk_error *err)
{
    const struct circuit_entry *e = catalogue_by_shape(v->statement.kind, v->statement.shape);
    struct verifying_key vk = { 0 };
    char *path = NULL;
    cuzk_status status = params_path(&path, e, params_folder(&v->o->device), "vk", err);
    if (status == CUZK_OK) status = vk_open(&vk, path, e->inputs, pool, err);
    if (status == CUZK_OK) verifier_create(out, &vk);
    free(path);
    return status;
}

static cuzk_status verify(struct verifying *v, struct pool *pool, cuzk_error *err)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct verifier verifier = { 0 };
    struct proof *proofs = NULL;
    struct public_values claims = { 0 };
    cuzk_status status = find_statement(v, err);
    if (status == CUZK_OK) status = read_proof(&bytes, &size, v->o->proof, err);
    if (status == CUZK_OK) {
        proofs = calloc(v->count, sizeof *proofs);
        if (!proofs) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu proofs", v->count);
    }
    if (status == CUZK_OK) {
        status = cuzk_within(err, proof_decode_all(proofs, v->count, bytes, size, err), "--proof");
    }
    if (status == CUZK_OK) status = open_verifier(&verifier, v, pool, err);
    if (status == CUZK_OK) status = public_values_create(&claims, &v->statement, v->first, v->count, err);
    if (status == CUZK_OK) status = proofs_verify(&verifier, &claims, proofs, pool, err);
    public_values_release(&claims);
    verifier_release(&verifier);
    free(proofs);
    free(bytes);
    return status;
}

int command_verify(int argc, char **argv)
{
    static const struct argp_child children[] = { { &request_argp, 0, NULL, 0 }, { &device_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = { options, parse_option, "[VANILLA...]",
                                      "Verifies a proof; exit status 0 if it holds, 1 if not.", children, 0, 0 };
    struct verify_options o = { .json = false };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    struct verifying v = { .o = &o };
    struct pool *pool = NULL;
    cuzk_error err = { "" };
    cuzk_status status = pool_create(&pool, o.device.threads, &err);
    if (status == CUZK_OK) status = verify(&v, pool, &err);
    if (o.json && (status == CUZK_OK || status == CUZK_REFUSED)) {
        cuzk_status printed =
            print_json(json_pack("{s:b, s:I}", "verified", status == CUZK_OK, "partitions", (json_int_t)v.count),
                       JSON_INDENT(1), &err);
        if (printed != CUZK_OK) status = printed;
    } else if (status == CUZK_OK) {
        printf("the proof holds (%zu partition%s)\n", v.count, v.count == 1 ? "" : "s");
    }
    vanilla_job_free(v.job);
    arena_release(&v.memory);
    pool_destroy(pool);
    return command_result(status, &err);
}
