/* Reading parameter files (spec §4.2): a verifying key and five lists of uncompressed points, each
 * after its length as u32 BE:  h | l | a | b_g1 | b_g2.
 *
 * The file stays mapped; only the verifying key and the lengths are looked at when it is opened.
 * Points are decoded where and when they are needed.
 *
 * Thread safety: an open file is constant.
 */
#ifndef CUZK_GROTH16_PARAMS_FILE_H
#define CUZK_GROTH16_PARAMS_FILE_H

#include "base/file.h"
#include "groth16/srs_layout.h"
#include "groth16/vk.h"
#include "math/point_codec.h"

struct params_file {
    struct mapping map;
    char *path;
    struct verifying_key vk;
    struct srs_counts counts;
    uint64_t offset[SRS_SECTIONS]; /* of a section's first point */
};

/* CUZK_ERR_MISSING or CUZK_ERR_DATA if the file cannot be used: a malformed key, a section that
 * goes past the end, bytes behind the last one, or counts other than *expected (NULL: any).
 * Messages name the path, the section, the offset and both numbers. */
cuzk_status params_open(struct params_file *out, const char *path, const struct srs_counts *expected,
                        struct pool *pool, cuzk_error *err);
void params_close(struct params_file *file); /* harmless on a zeroed struct and when repeated */

/* Bytes of one encoded point of a section: 96 or 192. */
size_t srs_point_bytes(enum srs_section section);

/* Where point i is encoded, i ≤ count. */
const uint8_t *params_point(const struct params_file *file, enum srs_section section, uint64_t i);

/* Says what is wrong with a point that could not be decoded: its section, number, offset and fault.
 * CUZK_OK if nothing is. */
cuzk_status params_point_error(const struct params_file *file, enum srs_section section, uint64_t i,
                               enum point_check check, cuzk_error *err);

/* Decodes points [begin, end) of a section; `section` is any but SRS_B_G2 in G1. CUZK_ERR_DATA
 * names the first bad point, its offset and what is wrong with it. Infinity is refused. */
cuzk_status params_decode_g1(g1_affine_t *out, const struct params_file *file, enum srs_section section,
                             uint64_t begin, uint64_t end, enum point_check check, struct pool *pool,
                             cuzk_error *err);
cuzk_status params_decode_g2(g2_affine_t *out, const struct params_file *file, uint64_t begin, uint64_t end,
                             enum point_check check, struct pool *pool, cuzk_error *err);

/* Decodes every point of every section and keeps none: CUZK_ERR_DATA names the first bad one. */
cuzk_status params_check_points(const struct params_file *file, enum point_check check, struct pool *pool,
                                cuzk_error *err);

#endif
