#include "groth16/vk.h"

#include "base/file.h"
#include "math/point_codec.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { IC_PER_PIECE = 64 };

static cuzk_status read_g1(g1_affine_t *out, struct reader *r, const char *what, cuzk_error *err)
{
    const uint8_t *bytes;
    cuzk_status status = reader_take(r, G1_BYTES, &bytes, what, err);
    if (status != CUZK_OK) return status;
    status = g1_decode(out, bytes, POINT_CHECK_SUBGROUP, POINT_INFINITY_REFUSED, err);
    return cuzk_within(err, status, "%s at byte %zu", what, reader_position(r) - G1_BYTES);
}

static cuzk_status read_g2(g2_affine_t *out, struct reader *r, const char *what, cuzk_error *err)
{
    const uint8_t *bytes;
    cuzk_status status = reader_take(r, G2_BYTES, &bytes, what, err);
    if (status != CUZK_OK) return status;
    status = g2_decode(out, bytes, POINT_CHECK_SUBGROUP, POINT_INFINITY_REFUSED, err);
    return cuzk_within(err, status, "%s at byte %zu", what, reader_position(r) - G2_BYTES);
}

struct ic_points {
    const uint8_t *bytes;
    g1_affine_t *out;
    atomic_size_t first_bad; /* SIZE_MAX = none */
};

static void read_ic_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct ic_points *ic = context;
    for (size_t i = begin; i < end; i++) {
        if (g1_decode(&ic->out[i], ic->bytes + i * G1_BYTES, POINT_CHECK_SUBGROUP, POINT_INFINITY_REFUSED, NULL) ==
            CUZK_OK) {
            continue;
        }
        size_t seen = atomic_load(&ic->first_bad);
        while (i < seen && !atomic_compare_exchange_weak(&ic->first_bad, &seen, i)) continue;
        return;
    }
}

static cuzk_status read_ic(struct verifying_key *vk, struct reader *r, struct pool *pool, cuzk_error *err)
{
    const uint8_t *bytes;
    cuzk_status status = reader_take(r, 4, &bytes, "number of ic points", err);
    if (status != CUZK_OK) return status;
    uint64_t count = load_be32(bytes);
    size_t position = reader_position(r);
    if (count == 0 || count > reader_left(r) / G1_BYTES) {
        return cuzk_fail(err, CUZK_ERR_DATA,
                         "number of ic points at byte %zu: %llu, from 1 to the %zu that can follow expected",
                         position - 4, (unsigned long long)count, reader_left(r) / G1_BYTES);
    }
    status = reader_take(r, (size_t)count * G1_BYTES, &bytes, "ic points", err);
    if (status != CUZK_OK) return status;
    vk->ic = malloc((size_t)count * sizeof *vk->ic);
    if (!vk->ic) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the verifying key");
    vk->ic_count = (size_t)count;

    struct ic_points ic = { .bytes = bytes, .out = vk->ic, .first_bad = SIZE_MAX };
    pool_for(pool, vk->ic_count, IC_PER_PIECE, read_ic_piece, &ic);
    size_t bad = atomic_load(&ic.first_bad);
    if (bad == SIZE_MAX) return CUZK_OK;
    status = g1_decode(&vk->ic[bad], bytes + bad * G1_BYTES, POINT_CHECK_SUBGROUP, POINT_INFINITY_REFUSED, err);
    return cuzk_within(err, status, "ic point %zu at byte %zu", bad, position + bad * G1_BYTES);
}

cuzk_status vk_read(struct verifying_key *out, struct reader *r, struct pool *pool, cuzk_error *err)
{
    *out = (struct verifying_key){ 0 };
    cuzk_status status = read_g1(&out->alpha_g1, r, "alpha_g1", err);
    if (status == CUZK_OK) status = read_g1(&out->beta_g1, r, "beta_g1", err);
    if (status == CUZK_OK) status = read_g2(&out->beta_g2, r, "beta_g2", err);
    if (status == CUZK_OK) status = read_g2(&out->gamma_g2, r, "gamma_g2", err);
    if (status == CUZK_OK) status = read_g1(&out->delta_g1, r, "delta_g1", err);
    if (status == CUZK_OK) status = read_g2(&out->delta_g2, r, "delta_g2", err);
    if (status == CUZK_OK) status = read_ic(out, r, pool, err);
    if (status != CUZK_OK) vk_release(out);
    return cuzk_within(err, status, "verifying key");
}

cuzk_status vk_open(struct verifying_key *out, const char *path, uint64_t inputs, struct pool *pool, cuzk_error *err)
{
    *out = (struct verifying_key){ 0 };
    uint8_t *data;
    size_t size;
    cuzk_status status = file_read(&data, &size, path, VK_MAX_BYTES, err);
    if (status != CUZK_OK) return status;
    struct reader r = reader_over(data, size);
    status = vk_read(out, &r, pool, err);
    if (status == CUZK_OK) status = reader_finish(&r, "verifying key", err);
    if (status == CUZK_OK && inputs != 0 && out->ic_count != inputs) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "verifying key: %zu ic points, %llu expected", out->ic_count,
                           (unsigned long long)inputs);
    }
    if (status != CUZK_OK) vk_release(out);
    free(data);
    return cuzk_within(err, status, "%s", path);
}

void vk_release(struct verifying_key *vk)
{
    free(vk->ic);
    *vk = (struct verifying_key){ 0 };
}

size_t vk_bytes(const struct verifying_key *vk) { return VK_FIXED_BYTES + 4 + vk->ic_count * G1_BYTES; }

void vk_encode(uint8_t *out, const struct verifying_key *vk)
{
    g1_encode(out, &vk->alpha_g1);
    g1_encode(out += G1_BYTES, &vk->beta_g1);
    g2_encode(out += G1_BYTES, &vk->beta_g2);
    g2_encode(out += G2_BYTES, &vk->gamma_g2);
    g1_encode(out += G2_BYTES, &vk->delta_g1);
    g2_encode(out += G1_BYTES, &vk->delta_g2);
    store_be32(out += G2_BYTES, (uint32_t)vk->ic_count);
    out += 4;
    for (size_t i = 0; i < vk->ic_count; i++) g1_encode(out + i * G1_BYTES, &vk->ic[i]);
}
