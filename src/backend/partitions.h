/* All partitions of a job on one backend, as many at once as its device takes: while some are proved, the next are
 * filled and the last assembled. */
#ifndef CUZK_BACKEND_PARTITIONS_H
#define CUZK_BACKEND_PARTITIONS_H

#include "backend/prover.h"

/* Writes `count` proofs. `timings` gets the sums over the partitions; done[i] (unless NULL) is the clock when proof i
 * was there. On failure *failed is the partition that failed first, counted from 0. Which witnesses share the device at
 * any time does not change the proofs. Host memory: at most one witness more than the device works on at once. */
cuzk_status partitions_prove(struct proof *out, uint64_t *done, const struct prover *p,
                             const struct partition_input *inputs, const struct proof_randomness *random, size_t count,
                             struct partition_timings *timings, size_t *failed, cuzk_error *err);

#endif
