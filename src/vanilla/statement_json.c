/* statement_json: the *.public.json files of the test data. */
#include "vanilla/identity.h"
#include "vanilla/node.h"
#include "vanilla/place.h"
#include "vanilla/statement.h"

#include <jansson.h>

static cuzk_status fail(cuzk_error *err, const char *field, const char *expected)
{
    cuzk_fail(err, CUZK_ERR_DATA, "%s expected", expected);
    return place_member(CUZK_ERR_DATA, err, field);
}

static cuzk_status get_bytes(uint8_t out[32], const json_t *object, const char *field, cuzk_error *err)
{
    const json_t *value = json_object_get(object, field);
    if (json_is_string(value) && hex_decode(out, 32, json_string_value(value), json_string_length(value))) {
        return CUZK_OK;
    }
    return fail(err, field, "64 hexadecimal digits");
}

/* JSON integers beyond 2^63 are refused by jansson itself. */
static cuzk_status get_u64(uint64_t *out, const json_t *object, const char *field, cuzk_error *err)
{
    const json_t *value = json_object_get(object, field);
    if (!json_is_integer(value) || json_integer_value(value) < 0) return fail(err, field, "an integer");
    *out = (uint64_t)json_integer_value(value);
    return CUZK_OK;
}

/* Where no registered proof is named: size in bytes and, for a window PoSt, api_version tell enough. */
static cuzk_status get_proof_by_size(const struct registered_proof **out, enum proof_kind kind, const json_t *top,
                                     cuzk_error *err)
{
    uint64_t size = 0;
    cuzk_status status = get_u64(&size, top, "size", err);
    if (status != CUZK_OK) return status;
    const struct sector_shape *shape = sector_shape_by_bytes(size);
    if (!shape) return fail(err, "size", "a sector size in bytes");
    const char *api = json_string_value(json_object_get(top, "api_version"));
    bool first_api = kind != PROOF_WINDOW || (api && strcmp(api, "V1_0_0") == 0);
    if (!first_api && (!api || strcmp(api, "V1_2_0") != 0)) {
        return fail(err, "api_version", "\"V1_0_0\" or \"V1_2_0\"");
    }
    for (size_t i = 0; (*out = registered_at(i)); i++) {
        bool api_fits = ((*out)->api == API_V1_0) == first_api;
        if ((*out)->kind == kind && registered_shape(*out) == shape && api_fits) return CUZK_OK;
    }
    return fail(err, "size", "the size of a registered proof");
}

static cuzk_status get_proof(const struct registered_proof **out, enum proof_kind kind, const json_t *top,
                             cuzk_error *err)
{
    const json_t *name = json_object_get(top, "registered_proof");
    if (!name && kind != PROOF_POREP) return get_proof_by_size(out, kind, top, err);
    if (!json_is_string(name)) return fail(err, "registered_proof", "a name");
    return place_member(registered_parse(out, kind, json_string_value(name), err), err, "registered_proof");
}

/* miner_id, or prover_id, or both in agreement. */
static cuzk_status get_prover(struct node *out, const json_t *top, cuzk_error *err)
{
    uint64_t miner = 0;
    struct node made;
    const char *field = json_object_get(top, "miner_id") ? "miner_id" : "prover";
    bool has_miner = json_object_get(top, field) != NULL;
    bool has_prover = json_object_get(top, "prover_id") != NULL;
    if (!has_miner && !has_prover) return fail(err, "miner_id", "a number");
    cuzk_status status = CUZK_OK;
    if (has_miner) status = get_u64(&miner, top, field, err);
    prover_id_make(&made, miner);
    *out = made;
    if (status == CUZK_OK && has_prover) status = get_bytes(out->b, top, "prover_id", err);
    if (status == CUZK_OK && has_miner && !node_equal(out, &made)) {
        status = fail(err, "prover_id", "the miner's");
    }
    return status;
}

static cuzk_status read_porep(struct statement *out, const struct registered_proof *proof, const json_t *top,
                              cuzk_error *err)
{
    struct node prover, comm_d, comm_r, replica_id;
    uint8_t ticket[32], seed[32], porep_id[32];
    uint64_t sector = 0;
    const char *seed_field = json_object_get(top, "porep_seed") ? "porep_seed" : "seed";
    cuzk_status status = get_prover(&prover, top, err);
    if (status == CUZK_OK) status = get_u64(&sector, top, "sector", err);
    if (status == CUZK_OK) status = get_bytes(ticket, top, "ticket", err);
    if (status == CUZK_OK) status = get_bytes(comm_d.b, top, "comm_d", err);
    if (status == CUZK_OK) status = get_bytes(comm_r.b, top, "comm_r", err);
    if (status == CUZK_OK) status = get_bytes(seed, top, seed_field, err);
    if (status != CUZK_OK) return status;
    porep_id_make(porep_id, proof->number, 0);
    replica_id_make(&replica_id, &prover, sector, ticket, &comm_d, porep_id);
    return statement_porep(out, proof, &replica_id, &comm_d, &comm_r, seed, err);
}

static cuzk_status read_sector(struct statement_sector *out, const json_t *object, cuzk_error *err)
{
    cuzk_status status = get_u64(&out->number, object, "sector", err);
    return status == CUZK_OK ? get_bytes(out->comm_r.b, object, "comm_r", err) : status;
}

/* "sectors", or one sector's members at the top. */
static cuzk_status read_post(struct statement *out, struct arena *arena, const struct registered_proof *proof,
                             const json_t *top, cuzk_error *err)
{
    struct node randomness;
    const json_t *list = json_object_get(top, "sectors");
    cuzk_status status = get_bytes(randomness.b, top, "randomness", err);
    if (status != CUZK_OK) return status;
    if (list && !json_is_array(list)) return fail(err, "sectors", "an array");
    size_t count = list ? json_array_size(list) : 1;
    struct statement_sector *sectors = arena_take(arena, count, sizeof *sectors);
    if (!sectors) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu sectors", count);
    for (size_t i = 0; status == CUZK_OK && i < count; i++) {
        status = read_sector(&sectors[i], list ? json_array_get(list, i) : top, err);
        if (list && status != CUZK_OK) status = place_member(place_index(status, err, i), err, "sectors");
    }
    if (status != CUZK_OK) return status;
    return statement_post(out, proof, &randomness, 0, sectors, count, err);
}

static cuzk_status read_update(struct statement *out, const struct registered_proof *proof, const json_t *top,
                               cuzk_error *err)
{
    struct node comm_r_old, comm_d_new, comm_r_new;
    cuzk_status status = get_bytes(comm_r_old.b, top, "comm_r_old", err);
    if (status == CUZK_OK) status = get_bytes(comm_d_new.b, top, "comm_d_new", err);
    if (status == CUZK_OK) status = get_bytes(comm_r_new.b, top, "comm_r_new", err);
    if (status != CUZK_OK) return status;
    return statement_update(out, proof, &comm_r_old, &comm_d_new, &comm_r_new, err);
}

cuzk_status statement_json(struct statement *out, struct arena *arena, enum proof_kind kind, struct bytes text,
                           cuzk_error *err)
{
    json_error_t where;
    json_t *top = json_loadb((const char *)text.data, text.size, JSON_REJECT_DUPLICATES, &where);
    if (!top) return cuzk_fail(err, CUZK_ERR_DATA, "line %d: %s", where.line, where.text);
    const struct registered_proof *proof = NULL;
    cuzk_status status = CUZK_OK;
    if (!json_is_object(top)) status = cuzk_fail(err, CUZK_ERR_DATA, "an object expected");
    if (status == CUZK_OK) status = get_proof(&proof, kind, top, err);
    if (status == CUZK_OK) {
        status = kind == PROOF_POREP    ? read_porep(out, proof, top, err)
                 : kind == PROOF_UPDATE ? read_update(out, proof, top, err)
                                        : read_post(out, arena, proof, top, err);
    }
    json_decref(top);
    return place_finish(status, err);
}
