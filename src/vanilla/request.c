#include "vanilla/request.h"

#include "vanilla/base64.h"
#include "vanilla/place.h"

enum {
    REQUEST_ID,
    PROOF_KIND,
    SECTOR_SIZE,
    REGISTERED_PROOF,
    PRIORITY,
    VANILLA_PROOF,
    VANILLA_PROOFS,
    SECTOR_NUMBER,
    MINER_ID,
    RANDOMNESS,
    PARTITION_INDEX,
    COMM_R_OLD,
    COMM_R_NEW,
    COMM_D_NEW,
    FIELDS
};

/* snake_case, then lowerCamelCase in the same order (where both are equal the first is found). */
static const char *const names[2 * FIELDS] = {
    "request_id",    "proof_kind", "sector_size", "registered_proof", "priority",   "vanilla_proof", "vanilla_proofs",
    "sector_number", "miner_id",   "randomness",  "partition_index",  "comm_r_old", "comm_r_new",    "comm_d_new",
    "requestId",     "proofKind",  "sectorSize",  "registeredProof",  "priority",   "vanillaProof",  "vanillaProofs",
    "sectorNumber",  "minerId",    "randomness",  "partitionIndex",   "commROld",   "commRNew",      "commDNew",
};

static const char *const kind_names[] = { "PROOF_KIND_UNSPECIFIED", "POREP_SEAL_COMMIT", "SNAP_DEALS_UPDATE",
                                          "WINDOW_POST_PARTITION", "WINNING_POST" };
static const char *const priority_names[] = { "PRIORITY_UNSPECIFIED", "LOW", "NORMAL", "HIGH", "CRITICAL" };
enum { ENUM_NAMES = 5 };

/* A number or a string of digits. */
static cuzk_status read_u64(uint64_t *out, uint64_t max, struct json_reader *j, cuzk_error *err)
{
    if (json_read_peek(j) != JSON_NEXT_STRING) return json_read_u64(j, out, max, err);
    struct json_text text;
    cuzk_status status = json_read_string(j, &text, err);
    if (status != CUZK_OK) return status;
    struct json_reader digits = { .start = j->start, .at = text.data, .end = text.data + text.size };
    status = json_read_u64(&digits, out, max, err);
    return status == CUZK_OK ? json_read_finish(&digits, err) : status;
}

static cuzk_status read_u32(uint32_t *out, struct json_reader *j, cuzk_error *err)
{
    uint64_t v = 0;
    cuzk_status status = read_u64(&v, UINT32_MAX, j, err);
    *out = (uint32_t)v;
    return status;
}

static cuzk_status read_enum(uint32_t *out, const char *const *known, struct json_reader *j, cuzk_error *err)
{
    uint64_t v = 0;
    if (json_read_peek(j) != JSON_NEXT_STRING) {
        cuzk_status status = json_read_u64(j, &v, INT32_MAX, err);
        *out = (uint32_t)v;
        return status;
    }
    struct json_text text;
    cuzk_status status = json_read_string(j, &text, err);
    if (status != CUZK_OK) return status;
    for (uint32_t i = 0; i < ENUM_NAMES; i++) {
        if (json_text_equal(&text, known[i])) {
            *out = i;
            return CUZK_OK;
        }
    }
    return json_read_fail(j, err, "\"%s\" is not a known name", json_text_show(&text).text);
}

static cuzk_status read_text(struct bytes *out, struct arena *arena, struct json_reader *j, cuzk_error *err)
{
    struct json_text text;
    cuzk_status status = json_read_string(j, &text, err);
    if (status != CUZK_OK) return status;
    *out = (struct bytes){ text.data, text.size };
    if (!text.escaped) return CUZK_OK;
    uint8_t *plain = arena_take(arena, text.size, 1);
    if (!plain) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu bytes", text.size);
    *out = (struct bytes){ plain, json_text_decode(plain, &text) };
    return CUZK_OK;
}

/* Base64 in any form that proto3 JSON allows. */
static cuzk_status read_bytes(struct bytes *out, struct arena *arena, struct json_reader *j, cuzk_error *err)
{
    struct json_text text;
    cuzk_status status = json_read_string(j, &text, err);
    if (status != CUZK_OK) return status;
    bool strict = !text.escaped && text.size % 4 == 0 && !memchr(text.data, '-', text.size) &&
                  !memchr(text.data, '_', text.size);
    if (!strict) {
        uint8_t *plain = arena_take(arena, text.size + 2, 1);
        if (!plain) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu bytes", text.size);
        size_t size = json_text_decode(plain, &text);
        text = (struct json_text){ .data = plain, .size = base64_normalise(plain, plain, size) };
    }
    return base64_text(out, arena, &text, err);
}

static cuzk_status read_list(struct request *out, struct arena *arena, struct json_reader *j, cuzk_error *err)
{
    struct json_reader ahead = *j;
    size_t count = 0;
    bool more = false;
    cuzk_status status = json_read_array(&ahead, err);
    while (status == CUZK_OK) {
        status = json_read_item(&ahead, &more, err);
        if (status != CUZK_OK || !more) break;
        status = json_read_skip(&ahead, err);
        count++;
    }
    if (status != CUZK_OK) return status;
    struct bytes *list = arena_take(arena, count, sizeof *list);
    if (!list) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu proofs", count);
    struct json_elements e = { .expected = count, .what = "proofs" };
    status = json_read_elements(j, &e, err);
    while (json_read_element(j, &e, &status, err)) {
        status = place_index(read_bytes(&list[e.index], arena, j, err), err, e.index);
    }
    out->vanilla_proofs = list;
    out->vanilla_proof_count = count;
    return status;
}

static cuzk_status read_field(struct request *out, unsigned field, struct arena *arena, struct json_reader *j,
                              cuzk_error *err)
{
    uint32_t kind = 0;
    cuzk_status status;
    switch (field) {
    case REQUEST_ID: return read_text(&out->request_id, arena, j, err);
    case PROOF_KIND:
        status = read_enum(&kind, kind_names, j, err);
        out->kind = (enum proof_kind)kind;
        return status;
    case SECTOR_SIZE: return read_u64(&out->sector_size, UINT64_MAX, j, err);
    case REGISTERED_PROOF: return read_u64(&out->registered_proof, UINT64_MAX, j, err);
    case PRIORITY: return read_enum(&out->priority, priority_names, j, err);
    case VANILLA_PROOF: return read_bytes(&out->vanilla_proof, arena, j, err);
    case VANILLA_PROOFS: return read_list(out, arena, j, err);
    case SECTOR_NUMBER: out->has_sector_number = true; return read_u64(&out->sector_number, UINT64_MAX, j, err);
    case MINER_ID: return read_u64(&out->miner_id, UINT64_MAX, j, err);
    case RANDOMNESS: return read_bytes(&out->randomness, arena, j, err);
    case PARTITION_INDEX: return read_u32(&out->partition_index, j, err);
    case COMM_R_OLD: return read_bytes(&out->comm_r_old, arena, j, err);
    case COMM_R_NEW: return read_bytes(&out->comm_r_new, arena, j, err);
    default: return read_bytes(&out->comm_d_new, arena, j, err);
    }
}

static bool is_null(struct json_reader *j) { return json_read_peek(j) == JSON_NEXT_LITERAL && *j->at == 'n'; }

cuzk_status request_json(struct request *out, struct arena *arena, struct bytes text, cuzk_error *err)
{
    *out = (struct request){ 0 };
    struct json_reader j = json_reader_over(text.data, text.size);
    struct json_members m = { .names = names, .count = 2 * FIELDS };
    uint32_t seen = 0; /* under either name */
    cuzk_status status = json_read_object(&j, err);
    for (unsigned which; json_read_member(&j, &m, &which, &status, err);) {
        unsigned field = which % FIELDS;
        if (seen & UINT32_C(1) << field) {
            status = json_read_fail(&j, err, "given under both of its names");
        } else {
            status = is_null(&j) ? json_read_null(&j, err) : read_field(out, field, arena, &j, err);
        }
        seen |= UINT32_C(1) << field;
        status = place_member(status, err, names[field]);
    }
    if (status == CUZK_OK) status = json_read_finish(&j, err);
    return place_finish(status, err);
}
