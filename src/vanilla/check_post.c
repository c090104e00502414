/* vanilla_check of a window or winning PoSt (spec §1.3, §3.3). */
#include "vanilla/check.h"
#include "vanilla/node.h"
#include "vanilla/path.h"
#include "vanilla/place.h"
#include "vanilla/public_inputs.h"

/* The slots of a winning PoSt are openings of one sector. */
static size_t sector_of(const struct vanilla_job *job, size_t slot) { return job->kind == PROOF_WINNING ? 0 : slot; }

static cuzk_status check_commitment(const struct post_slot *slot, cuzk_error *err)
{
    struct node made;
    comm_r_make(&made, &slot->comm_c, &slot->comm_r_last);
    if (node_equal(&made, &slot->comm_r)) return CUZK_OK;
    cuzk_fail(err, CUZK_ERR_DATA, "%s found, but comm_c and comm_r_last give %s", node_hex(&slot->comm_r).text,
              node_hex(&made).text);
    return place_member(CUZK_ERR_DATA, err, "comm_r");
}

static cuzk_status check_opening(const struct vanilla_job *job, const struct post_slot *slot, size_t i, size_t n,
                                 cuzk_error *err)
{
    const struct post_challenge *c = &slot->challenges[n];
    uint64_t expected = statement_post_challenge(&job->statement, i, n);
    cuzk_status status = check_index(c->path.index, expected, "path", err);
    if (status == CUZK_OK) {
        fr_t leaf;
        node_to_fr(&leaf, &c->leaf);
        status = check_path(&job->shape->tree_r, &c->path, &leaf, &slot->comm_r_last, "path", err);
    }
    if (status == CUZK_OK) return status;
    status = place_index(status, err, job->kind == PROOF_WINNING ? i : n);
    return place_member(status, err, "inclusion_proofs");
}

static cuzk_status check_slot(const void *context, size_t i, cuzk_error *err)
{
    const struct vanilla_job *job = context;
    const struct post_slot *slot = &job->inputs[0].post.slots[i];
    size_t sector = sector_of(job, i);
    cuzk_status status = CUZK_OK;
    if (i == sector) status = check_commitment(slot, err); /* once per sector */
    for (size_t n = 0; status == CUZK_OK && n < slot->challenge_count; n++) {
        status = check_opening(job, slot, i, n, err);
    }
    if (status == CUZK_OK) return status;
    status = place_member(place_index(status, err, sector), err, "vanilla_proofs");
    (void)place_finish(status, err);
    return cuzk_within(err, status, "sector %llu", (unsigned long long)job->statement.post.sectors[sector].number);
}

cuzk_status check_post(const struct vanilla_job *job, struct pool *pool, cuzk_error *err)
{
    return check_all(pool, job->inputs[0].post.slot_count, check_slot, job, err);
}
