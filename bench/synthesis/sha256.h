/* SHA-256 over bit objects (bellperson: gadgets/sha256.rs; spec §1.1.4). */
#ifndef CUZK_BENCH_SYNTHESIS_SHA256_H
#define CUZK_BENCH_SYNTHESIS_SHA256_H

#include "synthesis/uint32.h"

void objects_sha256_initial(struct constraint_system *cs, struct uint32 state[8]);

/* One compression: the words of `state` are replaced, those of `block` stay the caller's. */
void objects_sha256_block(struct constraint_system *cs, struct uint32 state[8], const struct uint32 block[16]);

#endif
