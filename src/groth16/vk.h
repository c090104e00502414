/* The verifying key and its encoding, which is both a `.vk` file and the beginning of a `.params`
 * file (spec §4.2):
 *
 *   alpha_g1 96 | beta_g1 96 | beta_g2 192 | gamma_g2 192 | delta_g1 96 | delta_g2 192
 *   u32 BE n_ic | n_ic × G1 96
 *
 * Points are uncompressed. A verifying key is always fully checked when it is read: every point is
 * on the curve, in the subgroup, and not infinity.
 */
#ifndef CUZK_GROTH16_VK_H
#define CUZK_GROTH16_VK_H

#include "base/bytes.h"
#include "base/pool.h"
#include "math/g1.h"
#include "math/g2.h"

enum {
    VK_FIXED_BYTES = 3 * 96 + 3 * 192,
    VK_MAX_BYTES = 1 << 28, /* limit for reading whole files: 100 times the largest published one */
};

struct verifying_key {
    g1_affine_t alpha_g1, beta_g1, delta_g1;
    g2_affine_t beta_g2, gamma_g2, delta_g2;
    g1_affine_t *ic; /* one point per public input, ONE first */
    size_t ic_count; /* at least 1 */
};

/* Reads a key from a reader, which then stands behind it. CUZK_ERR_DATA names the point and what is
 * wrong. */
cuzk_status vk_read(struct verifying_key *out, struct reader *r, struct pool *pool, cuzk_error *err);

/* A whole `.vk` file; trailing bytes are refused. `inputs`, if not 0, is the number of ic points
 * expected. */
cuzk_status vk_open(struct verifying_key *out, const char *path, uint64_t inputs, struct pool *pool, cuzk_error *err);

void vk_release(struct verifying_key *vk); /* harmless on a zeroed struct and when repeated */

size_t vk_bytes(const struct verifying_key *vk);

/* Writes vk_bytes(vk) bytes. */
void vk_encode(uint8_t *out, const struct verifying_key *vk);

#endif
