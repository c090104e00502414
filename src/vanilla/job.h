/* A job: a client's request with its vanilla proof read into typed inputs, ready to be checked and proved.
 *
 *     bytes → vanilla_parse → struct vanilla_job → vanilla_check → circuit/ fills witnesses from job->inputs
 *
 * All memory of a job is one arena; it does not refer to the request's bytes.
 */
#ifndef CUZK_VANILLA_JOB_H
#define CUZK_VANILLA_JOB_H

#include "base/pool.h"
#include "circuit/inputs.h"
#include "vanilla/c1.h"
#include "vanilla/request.h"
#include "vanilla/statement.h"

struct vanilla_job {
    enum proof_kind kind;
    const struct sector_shape *shape;
    const struct registered_proof *proof;

    /* What is to be proved: partitions first_partition … first_partition + input_count − 1 of
     * partition_count. All of them, unless the request asks for one. */
    size_t partition_count;
    size_t first_partition, input_count;
    const struct partition_input *inputs;

    /* Non-interactive PoRep: the whole proof would have to be an aggregate of its partitions' proofs, not
     * their concatenation. A single partition is as any other. */
    bool aggregated;

    struct statement statement;

    /* For vanilla_check. */
    const struct porep_claims *const *claims; /* PoRep: of each input's challenges */
    bool has_identity;                        /* PoRep: miner and sector are known */
    uint64_t miner_id, sector_number;
    uint8_t ticket[32];
    struct arena arena;
};

/* Reads and compares everything that needs no hash: types, lengths, ranges, canonical values, what the
 * payload says twice, and payload against request (registered proof, sector size and number, commitments,
 * number of partitions). CUZK_ERR_DATA in one line: field path, file position where there is one, what was
 * expected and what was found.
 *
 * PoRep: the registered proof is the JSON's, or the request's for bincode. Winning: one sector whose 66
 * openings become 66 slots. Window: the sectors sent are the whole partition, in the order given (a verifier
 * on chain sorts them by number). Update: all parts in order, or one part as the partition asked for. */
cuzk_status vanilla_parse(struct vanilla_job **out, const struct request *request, cuzk_error *err);
void vanilla_job_free(struct vanilla_job *job); /* NULL is allowed */

/* Checks the vanilla proof of job->inputs, so that damage is named before it makes a proof that does not
 * hold: every opening leads to its root, the roots to the commitments, and leaves, labels, columns, challenges
 * and parents are what they have to be. The error names partition, challenge and opening. Of several faults
 * the first in the order of the payload is named, on any number of threads; `pool` may be NULL. */
cuzk_status vanilla_check(const struct vanilla_job *job, struct pool *pool, cuzk_error *err);

#endif
