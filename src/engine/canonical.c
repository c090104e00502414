#include "engine/canonical.h"

#include <string.h>

/* Field numbers of cuzk.v1.SubmitProofRequest. */
enum field {
    REQUEST_ID = 1,
    PROOF_KIND = 2,
    SECTOR_SIZE = 3,
    REGISTERED_PROOF = 4,
    PRIORITY = 5,
    VANILLA_PROOF = 10,
    VANILLA_PROOFS = 11,
    SECTOR_NUMBER = 20,
    MINER_ID = 21,
    RANDOMNESS = 22,
    PARTITION_INDEX = 23,
    COMM_R_OLD = 30,
    COMM_R_NEW = 31,
    COMM_D_NEW = 32
};

enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

enum { VARINT_BYTES = 10, FIXED_PIECES = 2 * 13 };

struct pieces {
    struct bytes *list;
    size_t count;
    struct arena *arena;
    bool failed;
};

static size_t put_varint(uint8_t *out, uint64_t v)
{
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) out[n++] = (uint8_t)v | 0x80;
    out[n++] = (uint8_t)v;
    return n;
}

/* A tag and the number that follows it: the value, or the length of bytes. */
static void add_head(struct pieces *p, enum field field, enum wire_type type, uint64_t number)
{
    uint8_t *head = arena_take(p->arena, 1, 2 * VARINT_BYTES);
    if (!head) {
        p->failed = true;
        return;
    }
    size_t n = put_varint(head, (uint64_t)field << 3 | type);
    n += put_varint(head + n, number);
    p->list[p->count++] = (struct bytes){ head, n };
}

static void add_number(struct pieces *p, enum field field, uint64_t v)
{
    if (v) add_head(p, field, WIRE_VARINT, v);
}

static void add_member(struct pieces *p, enum field field, struct bytes b)
{
    add_head(p, field, WIRE_BYTES, b.size);
    if (b.size && !p->failed) p->list[p->count++] = b;
}

static void add_bytes(struct pieces *p, enum field field, struct bytes b)
{
    if (b.size) add_member(p, field, b);
}

cuzk_status canonical_pieces(struct bytes **out, size_t *count, struct arena *arena, const struct request *request,
                             cuzk_error *err)
{
    const struct request *r = request;
    struct pieces p = { .arena = arena };
    p.list = arena_take(arena, FIXED_PIECES + 2 * r->vanilla_proof_count, sizeof *p.list);
    if (!p.list) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a request");
    add_number(&p, PROOF_KIND, r->kind);
    add_number(&p, SECTOR_SIZE, r->sector_size);
    add_number(&p, REGISTERED_PROOF, r->registered_proof);
    add_bytes(&p, VANILLA_PROOF, r->vanilla_proof);
    for (size_t i = 0; i < r->vanilla_proof_count; i++) {
        add_member(&p, VANILLA_PROOFS, r->vanilla_proofs[i]);
    }
    add_number(&p, SECTOR_NUMBER, r->has_sector_number ? r->sector_number : 0);
    add_number(&p, MINER_ID, r->miner_id);
    add_bytes(&p, RANDOMNESS, r->randomness);
    add_number(&p, PARTITION_INDEX, r->partition_index);
    add_bytes(&p, COMM_R_OLD, r->comm_r_old);
    add_bytes(&p, COMM_R_NEW, r->comm_r_new);
    add_bytes(&p, COMM_D_NEW, r->comm_d_new);
    if (p.failed) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a request");
    *out = p.list;
    *count = p.count;
    return CUZK_OK;
}

cuzk_status canonical_hash(uint8_t out[DIGEST_BYTES], const struct bytes *pieces, size_t count, cuzk_error *err)
{
    struct digest d;
    cuzk_status status = digest_open(&d, DIGEST_SHA256, err);
    if (status == CUZK_OK) {
        for (size_t i = 0; i < count; i++) digest_put(&d, pieces[i].data, pieces[i].size);
        status = digest_end(&d, out, err);
    }
    digest_close(&d);
    return status;
}

/* One field as it stands on the wire. */
struct wire_field {
    uint64_t number;
    unsigned type;
    uint64_t value;     /* varint */
    struct bytes bytes; /* length-delimited */
};

static cuzk_status read_varint(struct reader *r, uint64_t *out, cuzk_error *err)
{
    *out = 0;
    for (unsigned i = 0; i < VARINT_BYTES; i++) {
        const uint8_t *b;
        cuzk_status status = reader_take(r, 1, &b, "varint", err);
        if (status != CUZK_OK) return status;
        if (i == VARINT_BYTES - 1 && *b > 1) break;
        *out |= (uint64_t)(*b & 0x7f) << (7 * i);
        if (!(*b & 0x80)) return CUZK_OK;
    }
    return cuzk_fail(err, CUZK_ERR_DATA, "a varint of more than 64 bits ends at byte %zu", reader_position(r));
}

static cuzk_status read_field(struct reader *r, struct wire_field *out, cuzk_error *err)
{
    size_t at = reader_position(r);
    uint64_t tag, length = 0;
    *out = (struct wire_field){ 0 };
    cuzk_status status = read_varint(r, &tag, err);
    if (status != CUZK_OK) return status;
    out->number = tag >> 3;
    out->type = tag & 7;
    if (out->number == 0 || out->number > (1 << 29) - 1) {
        return cuzk_fail(err, CUZK_ERR_DATA, "byte %zu: %llu is no field number", at,
                         (unsigned long long)out->number);
    }
    switch (out->type) {
    case WIRE_VARINT: return read_varint(r, &out->value, err);
    case WIRE_64: return reader_take(r, 8, &out->bytes.data, "64-bit field", err);
    case WIRE_32: return reader_take(r, 4, &out->bytes.data, "32-bit field", err);
    case WIRE_BYTES:
        status = read_varint(r, &length, err);
        if (status != CUZK_OK) return status;
        if (length > reader_left(r)) {
            return cuzk_fail(err, CUZK_ERR_DATA, "field %llu at byte %zu: %llu bytes announced, %zu left",
                             (unsigned long long)out->number, at, (unsigned long long)length, reader_left(r));
        }
        out->bytes.size = (size_t)length;
        return reader_take(r, (size_t)length, &out->bytes.data, "field", err);
    default:
        return cuzk_fail(err, CUZK_ERR_DATA, "field %llu at byte %zu: wire type %u is not of proto3",
                         (unsigned long long)out->number, at, out->type);
    }
}

static void set_number(struct request *out, const struct wire_field *f)
{
    switch (f->number) {
    case PROOF_KIND: out->kind = (enum proof_kind)(uint32_t)f->value; break;
    case SECTOR_SIZE: out->sector_size = f->value; break;
    case REGISTERED_PROOF: out->registered_proof = f->value; break;
    case PRIORITY: out->priority = (uint32_t)f->value; break;
    case SECTOR_NUMBER:
        out->sector_number = f->value;
        out->has_sector_number = f->value != 0;
        break;
    case MINER_ID: out->miner_id = f->value; break;
    case PARTITION_INDEX: out->partition_index = (uint32_t)f->value; break;
    default: break;
    }
}

static void set_bytes(struct request *out, struct bytes *proofs, const struct wire_field *f)
{
    switch (f->number) {
    case REQUEST_ID: out->request_id = f->bytes; break;
    case VANILLA_PROOF: out->vanilla_proof = f->bytes; break;
    case VANILLA_PROOFS: proofs[out->vanilla_proof_count++] = f->bytes; break;
    case RANDOMNESS: out->randomness = f->bytes; break;
    case COMM_R_OLD: out->comm_r_old = f->bytes; break;
    case COMM_R_NEW: out->comm_r_new = f->bytes; break;
    case COMM_D_NEW: out->comm_d_new = f->bytes; break;
    default: break;
    }
}

/* How many vanilla proofs there are, and whether the whole is well-formed. */
static cuzk_status count_proofs(size_t *out, struct bytes wire, cuzk_error *err)
{
    *out = 0;
    struct reader r = reader_over(wire.data, wire.size);
    while (reader_left(&r)) {
        struct wire_field f;
        cuzk_status status = read_field(&r, &f, err);
        if (status != CUZK_OK) return cuzk_within(err, status, "request");
        *out += f.number == VANILLA_PROOFS && f.type == WIRE_BYTES;
    }
    return CUZK_OK;
}

cuzk_status request_wire(struct request *out, struct arena *arena, struct bytes wire, cuzk_error *err)
{
    *out = (struct request){ 0 };
    size_t count;
    cuzk_status status = count_proofs(&count, wire, err);
    if (status != CUZK_OK) return status;
    struct bytes *proofs = arena_take(arena, count, sizeof *proofs);
    if (!proofs) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a request");
    struct reader r = reader_over(wire.data, wire.size);
    while (reader_left(&r)) {
        struct wire_field f;
        status = read_field(&r, &f, err);
        if (status != CUZK_OK) return status;
        if (f.type == WIRE_VARINT) set_number(out, &f);
        if (f.type == WIRE_BYTES) set_bytes(out, proofs, &f);
    }
    out->vanilla_proofs = proofs;
    return CUZK_OK;
}
