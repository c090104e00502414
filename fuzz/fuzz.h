/* One entry point per parser of outside bytes: libFuzzer's contract. A target must survive any input; what it
 * answers is the tests' business. */
#ifndef CUZK_FUZZ_FUZZ_H
#define CUZK_FUZZ_FUZZ_H

#include "vanilla/job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Parses, checks what could be parsed, and drops it. */
static inline void fuzz_job(const struct request *request)
{
    struct vanilla_job *job;
    cuzk_error err = { "" };
    if (vanilla_parse(&job, request, &err) != CUZK_OK) return;
    (void)vanilla_check(job, NULL, &err);
    vanilla_job_free(job);
}

#endif
