/* Times of other implementations, to be drawn beside ours.
 *
 * Source: this project's notes/cpu-peers.md, measured side by side on two cores of an AMD EPYC with ADX, BMI2 and
 * AVX-512 IFMA (medians of interleaved runs): blst 0.3.17, gnark-crypto (Go 1.26), arkworks (asm and parallel
 * features), bellperson 0.27. Another machine than the report's unless it says otherwise: compare slopes and ratios,
 * not single times. */
#ifndef CUZK_CLI_REPORT_PEERS_H
#define CUZK_CLI_REPORT_PEERS_H

#include <stddef.h>

struct peer_time {
    const char *peer, *operation; /* as bench names it */
    unsigned log2_size, threads;
    double seconds;
};

extern const struct peer_time peer_times[];
extern const size_t peer_time_count;
extern const char peers_source[];

#endif
