#include "groth16/proof.h"

#include "math/point_codec.h"

void proof_assemble(struct proof *out, const struct proof_sums *sums, const struct verifying_key *vk,
                    const struct proof_randomness *random)
{
    g1_t a, c, t, delta;
    g1_from_affine(&delta, &vk->delta_g1);

    g1_mul_fr_var(&a, &delta, &random->r);
    g1_add(&a, &a, &sums->a);
    g1_add_mixed(&a, &a, &vk->alpha_g1);

    g2_t b;
    g2_from_affine(&b, &vk->delta_g2);
    g2_mul_fr_var(&b, &b, &random->s);
    g2_add(&b, &b, &sums->b_g2);
    g2_add_mixed(&b, &b, &vk->beta_g2);

    /* s·A holds s·Aq + r·s·delta + s·alpha; then r·(B1 + beta), H and L. */
    g1_mul_fr_var(&c, &a, &random->s);
    g1_add_mixed(&t, &sums->b_g1, &vk->beta_g1);
    g1_mul_fr_var(&t, &t, &random->r);
    g1_add(&c, &c, &t);
    g1_add(&c, &c, &sums->h);
    g1_add(&c, &c, &sums->l);

    g1_to_affine_var(&out->a, &a);
    g2_to_affine_var(&out->b, &b);
    g1_to_affine_var(&out->c, &c);
}

void proof_encode(uint8_t out[PROOF_BYTES], const struct proof *proof)
{
    g1_encode_compressed(out, &proof->a);
    g2_encode_compressed(out + G1_COMPRESSED_BYTES, &proof->b);
    g1_encode_compressed(out + G1_COMPRESSED_BYTES + G2_COMPRESSED_BYTES, &proof->c);
}

cuzk_status proof_decode(struct proof *out, const uint8_t in[PROOF_BYTES], cuzk_error *err)
{
    cuzk_status status = g1_decode_compressed(&out->a, in, POINT_CHECK_SUBGROUP, POINT_INFINITY_REFUSED, err);
    if (status != CUZK_OK) return cuzk_within(err, status, "proof, A");
    in += G1_COMPRESSED_BYTES;
    status = g2_decode_compressed(&out->b, in, POINT_CHECK_SUBGROUP, POINT_INFINITY_REFUSED, err);
    if (status != CUZK_OK) return cuzk_within(err, status, "proof, B");
    in += G2_COMPRESSED_BYTES;
    status = g1_decode_compressed(&out->c, in, POINT_CHECK_SUBGROUP, POINT_INFINITY_REFUSED, err);
    return cuzk_within(err, status, "proof, C");
}

cuzk_status proof_decode_all(struct proof *out, size_t count, const uint8_t *in, size_t size, cuzk_error *err)
{
    if (size % PROOF_BYTES != 0 || size / PROOF_BYTES != count) {
        return cuzk_fail(err, CUZK_ERR_DATA, "proof: %zu bytes, %d for each of %zu partitions expected", size,
                         PROOF_BYTES, count);
    }
    for (size_t i = 0; i < count; i++) {
        cuzk_status status = proof_decode(&out[i], in + i * PROOF_BYTES, err);
        if (status != CUZK_OK) return cuzk_within(err, status, "partition %zu", i);
    }
    return CUZK_OK;
}
