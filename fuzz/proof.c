/* Proof bytes: one to three partitions; what decodes must encode to the same bytes. */
#include "fuzz.h"

#include "groth16/proof.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct proof proofs[3];
    for (size_t count = 1; count <= 3; count++) {
        if (proof_decode_all(proofs, count, data, size, NULL) != CUZK_OK) continue;
        for (size_t i = 0; i < count; i++) {
            uint8_t again[PROOF_BYTES];
            proof_encode(again, &proofs[i]);
            if (memcmp(again, data + i * PROOF_BYTES, PROOF_BYTES) != 0) abort();
        }
    }
    return 0;
}
