/* SealCommitPhase1Output as bincode: 2 KiB and, for its larger counts, 32 GiB. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t proofs[] = { 5, 8 };
    for (size_t i = 0; i < 2; i++) {
        fuzz_job(
            &(struct request){ .kind = PROOF_POREP, .registered_proof = proofs[i], .vanilla_proof = { data, size } });
    }
    return 0;
}
