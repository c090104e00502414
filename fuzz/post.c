/* A sector's proof, taken for every kind of PoSt of the smallest and of the usual size. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        enum proof_kind kind;
        uint64_t proof;
    } as[] = { { PROOF_WINDOW, 10 }, { PROOF_WINNING, 0 }, { PROOF_WINDOW, 13 }, { PROOF_WINDOW, 14 } };
    static const uint8_t randomness[NODE_BYTES];
    struct bytes part = { data, size };
    for (size_t i = 0; i < sizeof as / sizeof as[0]; i++) {
        fuzz_job(&(struct request){ .kind = as[i].kind,
                                    .registered_proof = as[i].proof,
                                    .randomness = { randomness, sizeof randomness },
                                    .vanilla_proofs = &part,
                                    .vanilla_proof_count = 1 });
    }
    return 0;
}
