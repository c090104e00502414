#include "groth16/params_file.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH_BYTES = 4, POINTS_PER_PIECE = 1 << 12, POINTS_CHECKED_AT_ONCE = 1 << 16 };

size_t srs_point_bytes(enum srs_section section) { return section == SRS_B_G2 ? G2_BYTES : G1_BYTES; }

static cuzk_status read_section(struct params_file *file, struct reader *r, enum srs_section s,
                                const struct srs_counts *expected, cuzk_error *err)
{
    const uint8_t *bytes;
    char what[32];
    snprintf(what, sizeof what, "length of section %s", srs_section_name(s));
    cuzk_status status = reader_take(r, LENGTH_BYTES, &bytes, what, err);
    if (status != CUZK_OK) return status;
    uint64_t count = load_be32(bytes), size = count * srs_point_bytes(s);
    size_t position = reader_position(r) - LENGTH_BYTES;
    if (expected && count != expected->section[s]) {
        return cuzk_fail(err, CUZK_ERR_DATA, "section %s at byte %zu: %" PRIu64 " points, %" PRIu64 " expected",
                         srs_section_name(s), position, count, expected->section[s]);
    }
    if (size > reader_left(r)) {
        return cuzk_fail(err, CUZK_ERR_DATA,
                         "section %s at byte %zu: %" PRIu64 " points take %" PRIu64 " bytes, %zu left",
                         srs_section_name(s), position, count, size, reader_left(r));
    }
    file->counts.section[s] = count;
    file->offset[s] = reader_position(r);
    return reader_take(r, (size_t)size, &bytes, srs_section_name(s), err);
}

static cuzk_status read_sections(struct params_file *file, const struct srs_counts *expected, struct pool *pool,
                                 cuzk_error *err)
{
    struct reader r = reader_over(file->map.data, file->map.size);
    cuzk_status status = vk_read(&file->vk, &r, pool, err);
    if (status != CUZK_OK) return status;
    file->counts.inputs = file->vk.ic_count;
    if (expected && expected->inputs != file->counts.inputs) {
        return cuzk_fail(err, CUZK_ERR_DATA, "verifying key: %" PRIu64 " ic points, %" PRIu64 " expected",
                         file->counts.inputs, expected->inputs);
    }
    for (int s = 0; s < SRS_SECTIONS; s++) {
        status = read_section(file, &r, (enum srs_section)s, expected, err);
        if (status != CUZK_OK) return status;
    }
    if (file->counts.section[SRS_B_G1] != file->counts.section[SRS_B_G2]) {
        return cuzk_fail(err, CUZK_ERR_DATA,
                         "section b_g1 has %" PRIu64 " points and b_g2 %" PRIu64 ", equal numbers expected",
                         file->counts.section[SRS_B_G1], file->counts.section[SRS_B_G2]);
    }
    return reader_finish(&r, "parameters", err);
}

cuzk_status params_open(struct params_file *out, const char *path, const struct srs_counts *expected,
                        struct pool *pool, cuzk_error *err)
{
    *out = (struct params_file){ 0 };
    cuzk_status status = mapping_open(&out->map, path, err);
    if (status != CUZK_OK) return status;
    out->path = strdup(path);
    if (!out->path) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    if (status == CUZK_OK) status = read_sections(out, expected, pool, err);
    if (status != CUZK_OK) params_close(out);
    return cuzk_within(err, status, "%s", path);
}

void params_close(struct params_file *file)
{
    mapping_close(&file->map);
    vk_release(&file->vk);
    free(file->path);
    *file = (struct params_file){ 0 };
}

const uint8_t *params_point(const struct params_file *file, enum srs_section section, uint64_t i)
{
    return file->map.data + file->offset[section] + i * srs_point_bytes(section);
}

struct decoding {
    const struct params_file *file;
    enum srs_section section;
    enum point_check check;
    uint64_t begin;
    g1_affine_t *g1; /* one of the two */
    g2_affine_t *g2;
    atomic_size_t first_bad; /* SIZE_MAX = none */
};

static cuzk_status decode_one(struct decoding *d, size_t i, cuzk_error *err)
{
    const uint8_t *bytes = params_point(d->file, d->section, d->begin + i);
    if (d->g1) return g1_decode(&d->g1[i], bytes, d->check, POINT_INFINITY_REFUSED, err);
    return g2_decode(&d->g2[i], bytes, d->check, POINT_INFINITY_REFUSED, err);
}

static void decode_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct decoding *d = context;
    for (size_t i = begin; i < end; i++) {
        if (decode_one(d, i, NULL) == CUZK_OK) continue;
        size_t seen = atomic_load(&d->first_bad);
        while (i < seen && !atomic_compare_exchange_weak(&d->first_bad, &seen, i)) continue;
        return;
    }
}

static cuzk_status decode(struct decoding *d, uint64_t end, struct pool *pool, cuzk_error *err)
{
    if (d->begin > end || end > d->file->counts.section[d->section]) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "points %" PRIu64 " to %" PRIu64 " of section %s, which has %" PRIu64,
                         d->begin, end, srs_section_name(d->section), d->file->counts.section[d->section]);
    }
    atomic_init(&d->first_bad, SIZE_MAX);
    pool_for(pool, (size_t)(end - d->begin), POINTS_PER_PIECE, decode_piece, d);
    size_t bad = atomic_load(&d->first_bad);
    if (bad == SIZE_MAX) return CUZK_OK;
    return params_point_error(d->file, d->section, d->begin + bad, d->check, err);
}

cuzk_status params_point_error(const struct params_file *file, enum srs_section section, uint64_t i,
                               enum point_check check, cuzk_error *err)
{
    g1_affine_t g1;
    g2_affine_t g2;
    const uint8_t *bytes = params_point(file, section, i);
    cuzk_status status = section == SRS_B_G2 ? g2_decode(&g2, bytes, check, POINT_INFINITY_REFUSED, err)
                                             : g1_decode(&g1, bytes, check, POINT_INFINITY_REFUSED, err);
    return cuzk_within(err, status, "%s: section %s, point %" PRIu64 " at byte %" PRIu64, file->path,
                       srs_section_name(section), i, file->offset[section] + i * srs_point_bytes(section));
}

cuzk_status params_decode_g1(g1_affine_t *out, const struct params_file *file, enum srs_section section,
                             uint64_t begin, uint64_t end, enum point_check check, struct pool *pool, cuzk_error *err)
{
    struct decoding d = { .file = file, .section = section, .check = check, .begin = begin, .g1 = out };
    return decode(&d, end, pool, err);
}

cuzk_status params_decode_g2(g2_affine_t *out, const struct params_file *file, uint64_t begin, uint64_t end,
                             enum point_check check, struct pool *pool, cuzk_error *err)
{
    struct decoding d = { .file = file, .section = SRS_B_G2, .check = check, .begin = begin, .g2 = out };
    return decode(&d, end, pool, err);
}

static cuzk_status check_section(const struct params_file *file, enum srs_section section, enum point_check check,
                                 void *points, struct pool *pool, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    uint64_t count = file->counts.section[section];
    for (uint64_t at = 0; at < count && status == CUZK_OK; at += POINTS_CHECKED_AT_ONCE) {
        uint64_t left = count - at;
        uint64_t end = at + (left < POINTS_CHECKED_AT_ONCE ? left : POINTS_CHECKED_AT_ONCE);
        status = section == SRS_B_G2 ? params_decode_g2(points, file, at, end, check, pool, err)
                                     : params_decode_g1(points, file, section, at, end, check, pool, err);
    }
    return status;
}

cuzk_status params_check_points(const struct params_file *file, enum point_check check, struct pool *pool,
                                cuzk_error *err)
{
    void *points = malloc(POINTS_CHECKED_AT_ONCE * sizeof(g2_affine_t));
    if (!points) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to decode points");
    cuzk_status status = CUZK_OK;
    for (int s = 0; s < SRS_SECTIONS && status == CUZK_OK; s++) {
        status = check_section(file, (enum srs_section)s, check, points, pool, err);
    }
    free(points);
    return status;
}
