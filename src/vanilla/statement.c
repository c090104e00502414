#include "vanilla/statement.h"

#include "vanilla/node.h"
#include "vanilla/place.h"

static void begin(struct statement *out, const struct registered_proof *proof)
{
    *out = (struct statement){ .kind = proof->kind, .proof = proof, .shape = registered_shape(proof) };
    out->partitions = proof->mode == POREP_NON_INTERACTIVE ? out->shape->ni_partitions
                                                           : partition_count(proof->kind, out->shape, 1);
}

static cuzk_status canonical(const struct node *n, const char *field, cuzk_error *err)
{
    if (node_is_canonical(n)) return CUZK_OK;
    cuzk_fail(err, CUZK_ERR_DATA, "%s is not below r", node_hex(n).text);
    return place_member(CUZK_ERR_DATA, err, field);
}

static cuzk_status not_zero(const void *value, const char *field, cuzk_error *err)
{
    static const uint8_t zero[32];
    if (memcmp(value, zero, sizeof zero) != 0) return CUZK_OK;
    cuzk_fail(err, CUZK_ERR_DATA, "all zero");
    return place_member(CUZK_ERR_DATA, err, field);
}

cuzk_status statement_porep(struct statement *out, const struct registered_proof *proof,
                            const struct node *replica_id, const struct node *comm_d, const struct node *comm_r,
                            const uint8_t seed[32], cuzk_error *err)
{
    begin(out, proof);
    out->porep.replica_id = *replica_id;
    out->porep.comm_d = *comm_d;
    out->porep.comm_r = *comm_r;
    memcpy(out->porep.seed, seed, sizeof out->porep.seed);
    cuzk_status status = canonical(replica_id, "replica_id", err);
    if (status == CUZK_OK) status = canonical(comm_d, "comm_d", err);
    if (status == CUZK_OK) status = canonical(comm_r, "comm_r", err);
    if (status == CUZK_OK) status = not_zero(comm_d, "comm_d", err);
    if (status == CUZK_OK) status = not_zero(comm_r, "comm_r", err);
    if (status == CUZK_OK) status = not_zero(seed, "seed", err);
    return status;
}

cuzk_status statement_post(struct statement *out, const struct registered_proof *proof, const struct node *randomness,
                           uint32_t partition, const struct statement_sector *sectors, size_t count, cuzk_error *err)
{
    begin(out, proof);
    out->post.randomness = *randomness;
    out->post.partition = partition;
    out->post.sector_count = count;
    out->post.sectors = sectors;
    size_t most = proof->kind == PROOF_WINDOW ? out->shape->window_sectors : 1;
    cuzk_status status = canonical(randomness, "randomness", err);
    if (status == CUZK_OK && (count == 0 || count > most)) {
        status =
            cuzk_fail(err, CUZK_ERR_DATA, "%zu given, a partition of %s proves 1 to %zu", count, proof->name, most);
        status = place_member(status, err, "sectors");
    }
    for (size_t i = 0; status == CUZK_OK && i < count; i++) {
        status = canonical(&sectors[i].comm_r, "comm_r", err);
        if (status != CUZK_OK) status = place_member(place_index(status, err, i), err, "sectors");
    }
    return status;
}

cuzk_status statement_update(struct statement *out, const struct registered_proof *proof,
                             const struct node *comm_r_old, const struct node *comm_d_new,
                             const struct node *comm_r_new, cuzk_error *err)
{
    begin(out, proof);
    out->update.comm_r_old = *comm_r_old;
    out->update.comm_d_new = *comm_d_new;
    out->update.comm_r_new = *comm_r_new;
    cuzk_status status = canonical(comm_r_old, "comm_r_old", err);
    if (status == CUZK_OK) status = canonical(comm_d_new, "comm_d_new", err);
    if (status == CUZK_OK) status = canonical(comm_r_new, "comm_r_new", err);
    return status;
}
