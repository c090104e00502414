/* SubmitProofRequest as proto3 JSON, and the job in it. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request;
    struct arena arena = { 0 };
    if (request_json(&request, &arena, (struct bytes){ data, size }, NULL) == CUZK_OK) fuzz_job(&request);
    arena_release(&arena);
    return 0;
}
