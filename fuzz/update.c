/* One part of an update, raw or as a JSON array, as partition 0 of the smallest and of the usual size. The
 * commitments are those of tests/data/sealed-2kib, so that its parts get through. */
#include "fuzz.h"

static const char *const commitments[] = {
    "091912d1148b560dba265ab0b3a19367c3b26263cb67039a4e20bc99ab9dd335",
    "b8dea90eb2ebeb7c472755d843a6549a2a2e465a7c8410e1646a85d5f7112a6a",
    "9298a8ccd1aa0c561829957c17d54218c31c95e30a270ccd604bcdfa6e101310",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t proofs[] = { 0, 3 };
    struct node nodes[3];
    struct bytes part = { data, size };
    for (size_t i = 0; i < 3; i++) (void)hex_decode(nodes[i].b, NODE_BYTES, commitments[i], 2 * NODE_BYTES);
    for (size_t i = 0; i < 2; i++) {
        fuzz_job(&(struct request){ .kind = PROOF_UPDATE,
                                    .registered_proof = proofs[i],
                                    .one_partition = true,
                                    .comm_r_old = { nodes[0].b, NODE_BYTES },
                                    .comm_r_new = { nodes[1].b, NODE_BYTES },
                                    .comm_d_new = { nodes[2].b, NODE_BYTES },
                                    .vanilla_proofs = &part,
                                    .vanilla_proof_count = 1 });
    }
    return 0;
}
