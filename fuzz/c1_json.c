/* SealCommitPhase1Output as JSON. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_job(&(struct request){ .kind = PROOF_POREP, .vanilla_proof = { data, size } });
    return 0;
}
