/* From the sectors of a window or winning PoSt to a job. */
#include "vanilla/job_build.h"
#include "vanilla/place.h"
#include "vanilla/post_bincode.h"

/* Each of winning's 66 openings becomes a slot of its own. */
static cuzk_status unroll(struct post_input *out, struct vanilla_job *job, const struct post_slot *sector,
                          cuzk_error *err)
{
    struct post_slot *slots = arena_take(&job->arena, WINNING_SLOTS, sizeof *slots);
    if (!slots) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %d slots", WINNING_SLOTS);
    for (size_t i = 0; i < WINNING_SLOTS; i++) {
        slots[i] = *sector;
        slots[i].challenge_count = 1;
        slots[i].challenges = &sector->challenges[i];
    }
    *out = (struct post_input){ WINNING_SLOTS, slots };
    return CUZK_OK;
}

static cuzk_status read_sectors(struct vanilla_job *job, struct post_slot *slots, struct statement_sector *sectors,
                                const struct bytes *parts, size_t count, cuzk_error *err)
{
    size_t challenges = job->kind == PROOF_WINNING ? WINNING_SLOTS : POST_CHALLENGES;
    for (size_t i = 0; i < count; i++) {
        struct post_sector sector;
        cuzk_status status = post_bincode(&sector, &job->arena, job->shape, challenges, parts[i], err);
        if (status != CUZK_OK) return place_member(place_index(status, err, i), err, "vanilla_proofs");
        slots[i] = sector.slot;
        sectors[i] = (struct statement_sector){ sector.number, sector.slot.comm_r };
    }
    return CUZK_OK;
}

static cuzk_status build_slots(struct vanilla_job *job, const struct bytes *parts, size_t count,
                               const struct node *randomness, uint32_t partition, cuzk_error *err)
{
    struct post_slot *slots = arena_take(&job->arena, count, sizeof *slots);
    struct statement_sector *sectors = arena_take(&job->arena, count, sizeof *sectors);
    struct partition_input *input = job_take_inputs(job, err);
    if (!slots || !sectors || !input) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu sectors", count);
    }
    cuzk_status status = read_sectors(job, slots, sectors, parts, count, err);
    if (status != CUZK_OK) return status;
    input->post = (struct post_input){ count, slots };
    if (job->kind == PROOF_WINNING) status = unroll(&input->post, job, &slots[0], err);
    if (status != CUZK_OK) return status;
    return statement_post(&job->statement, job->proof, randomness, partition, sectors, count, err);
}

cuzk_status job_build_post(struct vanilla_job *job, const struct request *request, cuzk_error *err)
{
    const struct registered_proof *proof = NULL;
    const struct bytes *parts = NULL;
    size_t count = 0;
    struct node randomness;
    bool window = job->kind == PROOF_WINDOW;
    cuzk_status status = registered_check(&proof, job->kind, request->registered_proof, err);
    if (status == CUZK_OK) status = job_set_proof(job, proof, request, err);
    if (status == CUZK_OK) status = job_read_node(&randomness, request->randomness, "randomness", err);
    if (status == CUZK_OK) status = job_payloads(&parts, &count, job, request, err);
    if (status != CUZK_OK) return status;
    size_t most = window ? job->shape->window_sectors : 1;
    if (count == 0 || count > most) {
        return cuzk_fail(err, CUZK_ERR_DATA, "vanilla_proofs: 1 to %zu sectors expected, %zu found", most, count);
    }
    if (!window && request->one_partition && request->partition != 0) {
        return cuzk_fail(err, CUZK_ERR_DATA, "partition %u asked for, %s has only 0", request->partition,
                         proof->name);
    }
    /* The sectors sent are the whole partition, whatever its number. */
    uint32_t partition = !window ? 0 : request->one_partition ? request->partition : request->partition_index;
    job->first_partition = request->one_partition ? partition : 0;
    job->partition_count = 1;
    job->input_count = 1;
    return build_slots(job, parts, count, &randomness, partition, err);
}
