#include "daemon/wire.h"

enum { TYPE_VARINT = 0, TYPE_64 = 1, TYPE_BYTES = 2, TYPE_32 = 5 };

static cuzk_status read_varint(uint64_t *out, struct reader *r, cuzk_error *err)
{
    *out = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t *b;
        cuzk_status status = reader_take(r, 1, &b, "a varint", err);
        if (status != CUZK_OK) return status;
        *out |= (uint64_t)(*b & 0x7f) << shift;
        if (*b < 0x80) return CUZK_OK;
    }
    return cuzk_fail(err, CUZK_ERR_DATA, "a varint at byte %zu is too long", reader_position(r));
}

static cuzk_status read_value(struct wire_field *out, struct reader *r, cuzk_error *err)
{
    uint64_t v = 0;
    cuzk_status status;
    switch (out->type) {
    case TYPE_VARINT: return read_varint(&v, r, err);
    case TYPE_64: return reader_take(r, 8, &out->bytes.data, "a 64-bit value", err);
    case TYPE_32: return reader_take(r, 4, &out->bytes.data, "a 32-bit value", err);
    case TYPE_BYTES:
        status = read_varint(&v, r, err);
        if (status != CUZK_OK) return status;
        if (v > reader_left(r)) {
            return cuzk_fail(err, CUZK_ERR_DATA, "field %u at byte %zu is longer than the message", out->number,
                             reader_position(r));
        }
        out->bytes.size = (size_t)v;
        return reader_take(r, out->bytes.size, &out->bytes.data, "a field", err);
    default: break;
    }
    return cuzk_fail(err, CUZK_ERR_DATA, "wire type %u at byte %zu", out->type, reader_position(r));
}

bool wire_next(struct wire_field *out, struct reader *r, cuzk_status *status, cuzk_error *err)
{
    uint64_t key = 0;
    *status = CUZK_OK;
    if (reader_left(r) == 0) return false;
    *status = read_varint(&key, r, err);
    if (*status != CUZK_OK) return false;
    if (key >> 3 == 0 || key >> 3 > UINT32_MAX >> 3) {
        *status = cuzk_fail(err, CUZK_ERR_DATA, "a wrong field number before byte %zu", reader_position(r));
        return false;
    }
    *out = (struct wire_field){ .number = (uint32_t)(key >> 3), .type = key & 7 };
    *status = read_value(out, r, err);
    return *status == CUZK_OK;
}

cuzk_status wire_only_field(struct bytes *out, bool *present, struct bytes message, uint32_t number, cuzk_error *err)
{
    struct reader r = reader_over(message.data, message.size);
    struct wire_field field;
    cuzk_status status;
    *present = false;
    while (wire_next(&field, &r, &status, err)) {
        if (field.number != number) continue;
        if (*present || field.type != TYPE_BYTES) {
            return cuzk_fail(err, CUZK_ERR_DATA, "field %u comes twice or in a wrong form", number);
        }
        *present = true;
        *out = field.bytes;
    }
    return cuzk_within(err, status, "the message is no protobuf");
}
