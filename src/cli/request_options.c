#include "cli/request_options.h"

#include "base/bytes.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    KEY_TYPE = 't',
    KEY_C1 = 1000,
    KEY_REQUEST,
    KEY_PUBLIC,
    KEY_REGISTERED,
    KEY_VANILLA,
    KEY_SECTOR,
    KEY_MINER,
    KEY_PARTITION,
    KEY_RANDOMNESS,
    KEY_COMM_R_OLD,
    KEY_COMM_R_NEW,
    KEY_COMM_D_NEW,
    KEY_TICKET,
    KEY_SEED,
    KEY_COMM_R,
    KEY_COMM_D
};

static const struct argp_option options[] = {
    { 0, 0, 0, 0, "The request:", 1 },
    { "type", KEY_TYPE, "KIND", 0, "porep, winning, window or snap", 1 },
    { "c1", KEY_C1, "FILE", 0, "PoRep: seal commit phase 1 output (JSON, the client's wrapper, or bincode)", 1 },
    { "vanilla", KEY_VANILLA, "FILE", 0, "PoSt, snap: a vanilla proof; may be repeated", 1 },
    { "registered-proof", KEY_REGISTERED, "PROOF", 0, "registered proof type, by number or name", 1 },
    { "sector-num", KEY_SECTOR, "N", 0, "sector number", 1 },
    { "miner-id", KEY_MINER, "N", 0, "miner's actor id", 1 },
    { "randomness", KEY_RANDOMNESS, "HEX", 0, "PoSt: 32 bytes", 1 },
    { "comm-r-old", KEY_COMM_R_OLD, "HEX", 0, "snap: commitment of the replica before the update", 1 },
    { "comm-r-new", KEY_COMM_R_NEW, "HEX", 0, "snap: commitment of the updated replica", 1 },
    { "comm-d-new", KEY_COMM_D_NEW, "HEX", 0, "snap: commitment of the new data", 1 },
    { "partition", KEY_PARTITION, "K", 0, "only this partition", 1 },
    { "request", KEY_REQUEST, "FILE", 0, "SubmitProofRequest in proto3 JSON instead of the options above", 1 },
    { "public", KEY_PUBLIC, "FILE", 0, "verify: public data instead of private inputs", 1 },
    { "ticket", KEY_TICKET, "HEX", 0, "verify PoRep: seal ticket", 1 },
    { "seed", KEY_SEED, "HEX", 0, "verify PoRep: interactive randomness", 1 },
    { "comm-r", KEY_COMM_R, "HEX", 0, "verify PoRep: replica commitment", 1 },
    { "comm-d", KEY_COMM_D, "HEX", 0, "verify PoRep: data commitment", 1 },
    { 0 },
};

bool parse_kind(int *out, const char *text)
{
    static const struct {
        const char *text;
        enum proof_kind kind;
    } spellings[] = {
        { "porep", PROOF_POREP },         { "porep-c2", PROOF_POREP },     { "seal-commit", PROOF_POREP },
        { "snap", PROOF_UPDATE },         { "snap-deals", PROOF_UPDATE },  { "snap-update", PROOF_UPDATE },
        { "update", PROOF_UPDATE },       { "window", PROOF_WINDOW },      { "wpost", PROOF_WINDOW },
        { "window-post", PROOF_WINDOW },  { "windowpost", PROOF_WINDOW },  { "winning", PROOF_WINNING },
        { "winning-post", PROOF_WINNING }, { "winningpost", PROOF_WINNING },
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (strcasecmp(text, spellings[i].text) != 0) continue;
        *out = spellings[i].kind;
        return true;
    }
    return false;
}

static bool parse_hex32(struct argp_state *state, const char *option, uint8_t out[32], const char *text)
{
    if (!hex_decode(out, 32, text, strlen(text))) argp_error(state, "%s: 64 hexadecimal digits expected", option);
    return true;
}

static void add_vanilla(struct argp_state *state, struct request_options *o, const char *path)
{
    if (o->vanilla_count == MAX_VANILLA_FILES) argp_error(state, "more than %d vanilla files", MAX_VANILLA_FILES);
    o->vanilla[o->vanilla_count++] = path;
}

static error_t parse_hex_option(int key, const char *arg, struct argp_state *state)
{
    struct request_options *o = state->input;
    switch (key) {
    case KEY_RANDOMNESS: o->has_randomness = parse_hex32(state, "--randomness", o->randomness, arg); break;
    case KEY_COMM_R_OLD: o->has_comm_r_old = parse_hex32(state, "--comm-r-old", o->comm_r_old, arg); break;
    case KEY_COMM_R_NEW: o->has_comm_r_new = parse_hex32(state, "--comm-r-new", o->comm_r_new, arg); break;
    case KEY_COMM_D_NEW: o->has_comm_d_new = parse_hex32(state, "--comm-d-new", o->comm_d_new, arg); break;
    case KEY_TICKET: o->has_ticket = parse_hex32(state, "--ticket", o->ticket, arg); break;
    case KEY_SEED: o->has_seed = parse_hex32(state, "--seed", o->seed, arg); break;
    case KEY_COMM_R: o->has_comm_r = parse_hex32(state, "--comm-r", o->comm_r, arg); break;
    case KEY_COMM_D: o->has_comm_d = parse_hex32(state, "--comm-d", o->comm_d, arg); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct request_options *o = state->input;
    switch (key) {
    case KEY_TYPE:
        if (!parse_kind(&o->kind, arg)) argp_error(state, "-t: '%s' is not porep, winning, window or snap", arg);
        break;
    case KEY_C1: o->c1 = arg; break;
    case KEY_REQUEST: o->request_file = arg; break;
    case KEY_PUBLIC: o->public_file = arg; break;
    case KEY_REGISTERED: o->registered = arg; break;
    case KEY_VANILLA: add_vanilla(state, o, arg); break;
    case KEY_SECTOR:
        o->sector = parse_number(state, "--sector-num", arg, UINT64_MAX);
        o->has_sector = true;
        break;
    case KEY_MINER:
        o->miner = parse_number(state, "--miner-id", arg, UINT64_MAX);
        o->has_miner = true;
        break;
    case KEY_PARTITION:
        o->partition = parse_number(state, "--partition", arg, UINT16_MAX);
        o->has_partition = true;
        break;
    case ARGP_KEY_ARG: add_vanilla(state, o, arg); break;
    default: return parse_hex_option(key, arg, state);
    }
    return 0;
}

const struct argp request_argp = { options, parse_option, NULL, NULL, NULL, NULL, NULL };

/* Files */

static cuzk_status read_into(struct bytes *out, struct arena *memory, const char *path, cuzk_error *err)
{
    enum { LIMIT = 1 << 30 };
    uint8_t *data;
    size_t size;
    cuzk_status status = file_read(&data, &size, path, LIMIT, err);
    if (status != CUZK_OK) return status;
    uint8_t *copy = arena_take(memory, size + 1, 1);
    if (copy) memcpy(copy, data, size);
    else status = cuzk_fail(err, CUZK_ERR_RESOURCE, "%s: no memory for %zu bytes", path, size);
    free(data);
    *out = (struct bytes){ copy, size };
    return status;
}

static cuzk_status read_vanilla(struct request *out, struct arena *memory, const struct request_options *o,
                                cuzk_error *err)
{
    struct bytes *parts = arena_take(memory, o->vanilla_count, sizeof *parts);
    if (!parts) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu vanilla proofs", o->vanilla_count);
    for (size_t i = 0; i < o->vanilla_count; i++) {
        cuzk_status status = read_into(&parts[i], memory, o->vanilla[i], err);
        if (status != CUZK_OK) return status;
    }
    out->vanilla_proofs = parts;
    out->vanilla_proof_count = o->vanilla_count;
    return CUZK_OK;
}

static cuzk_status request_from_file(struct request *out, struct arena *memory, const struct request_options *o,
                                     cuzk_error *err)
{
    struct bytes text;
    cuzk_status status = read_into(&text, memory, o->request_file, err);
    if (status != CUZK_OK) return status;
    status = cuzk_within(err, request_json(out, memory, text, err), "%s", o->request_file);
    if (status == CUZK_OK && o->kind != 0 && out->kind != (enum proof_kind)o->kind) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "%s: the request's kind is %s, but -t asks for %s", o->request_file,
                           proof_kind_name(out->kind), proof_kind_name((enum proof_kind)o->kind));
    }
    return status;
}

static cuzk_status set_registered(struct request *out, const struct request_options *o, cuzk_error *err)
{
    if (!o->registered) {
        if (o->kind == PROOF_POREP) return CUZK_OK; /* the JSON says it */
        return cuzk_fail(err, CUZK_ERR_USAGE, "--registered-proof is needed");
    }
    const struct registered_proof *proof;
    cuzk_status status = registered_parse(&proof, (enum proof_kind)o->kind, o->registered, err);
    if (status == CUZK_OK) out->registered_proof = proof->number;
    return cuzk_within(err, status, "--registered-proof");
}

static struct bytes view(bool has, const uint8_t *data) { return has ? (struct bytes){ data, 32 } : (struct bytes){ 0 }; }

cuzk_status request_from_options(struct request *out, struct arena *memory, const struct request_options *o,
                                 cuzk_error *err)
{
    *out = (struct request){ .kind = (enum proof_kind)o->kind };
    cuzk_status status = CUZK_OK;
    if (o->request_file) {
        status = request_from_file(out, memory, o, err);
    } else if (o->kind == 0) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "-t KIND or --request FILE is needed");
    } else if (o->kind == PROOF_POREP) {
        if (!o->c1) return cuzk_fail(err, CUZK_ERR_USAGE, "--c1 FILE is needed");
        status = read_into(&out->vanilla_proof, memory, o->c1, err);
    } else {
        if (o->vanilla_count == 0) return cuzk_fail(err, CUZK_ERR_USAGE, "--vanilla FILE is needed");
        status = read_vanilla(out, memory, o, err);
    }
    if (status == CUZK_OK && !o->request_file) {
        status = set_registered(out, o, err);
        out->miner_id = o->miner;
        out->sector_number = o->sector;
        out->has_sector_number = o->has_sector;
        out->randomness = view(o->has_randomness, o->randomness);
        out->comm_r_old = view(o->has_comm_r_old, o->comm_r_old);
        out->comm_r_new = view(o->has_comm_r_new, o->comm_r_new);
        out->comm_d_new = view(o->has_comm_d_new, o->comm_d_new);
    }
    out->one_partition = o->has_partition;
    out->partition = (uint32_t)o->partition;
    return status;
}

/* The files that the payload came from, for messages. */
static const char *payload_name(const struct request_options *o)
{
    if (o->request_file) return o->request_file;
    if (o->c1) return o->c1;
    return o->vanilla_count == 1 ? o->vanilla[0] : "vanilla proofs";
}

cuzk_status job_from_options(struct vanilla_job **out, const struct request_options *o, cuzk_error *err)
{
    struct arena memory = { 0 };
    struct request request;
    *out = NULL;
    cuzk_status status = request_from_options(&request, &memory, o, err);
    if (status == CUZK_OK) {
        status = cuzk_within(err, vanilla_parse(out, &request, err), "%s", payload_name(o));
    }
    arena_release(&memory);
    return status;
}

cuzk_status checked_job_from_options(struct vanilla_job **out, const struct request_options *o, struct pool *pool,
                                     cuzk_error *err)
{
    cuzk_status status = job_from_options(out, o, err);
    if (status != CUZK_OK) return status;
    status = cuzk_within(err, vanilla_check(*out, pool, err), "%s", payload_name(o));
    if (status == CUZK_OK) return CUZK_OK;
    vanilla_job_free(*out);
    *out = NULL;
    return status;
}
