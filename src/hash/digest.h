/* Streaming digests of long inputs, through libcrypto: SHA-256 (files, payloads) and BLAKE2s-256
 * (circuit fingerprints, spec §8.2). The algorithm is fetched and the context allocated once, at
 * digest_open; both are then used for any number of messages. For short messages see sha256.h, for
 * BLAKE2b blake2b.h.
 *
 *     struct digest d;
 *     status = digest_open(&d, DIGEST_SHA256, err);
 *     digest_put(&d, …); digest_put(&d, …);
 *     status = digest_end(&d, out, err);          // and the next message may begin
 *     digest_close(&d);
 *
 * One thread at a time per struct.
 */
#ifndef CUZK_HASH_DIGEST_H
#define CUZK_HASH_DIGEST_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum digest_kind { DIGEST_SHA256, DIGEST_BLAKE2S256 };

enum { DIGEST_BYTES = 32 }; /* of either kind */

struct digest {
    void *algorithm; /* EVP_MD */
    void *context;   /* EVP_MD_CTX */
    bool failed;     /* of the current message: reported by digest_end */
};

/* CUZK_ERR_UNAVAILABLE if libcrypto does not offer the algorithm, CUZK_ERR_RESOURCE without memory;
 * *d may then still be closed. After success a message has begun. */
cuzk_status digest_open(struct digest *d, enum digest_kind kind, cuzk_error *err);
void digest_close(struct digest *d); /* harmless on a zeroed struct and when repeated */

/* Failures are remembered until digest_end or digest_restart. */
void digest_put(struct digest *d, const void *data, size_t size);

/* Ends the message and begins the next one. CUZK_ERR_INTERNAL if libcrypto failed at any step since
 * the message began; out is then zero. */
cuzk_status digest_end(struct digest *d, uint8_t out[DIGEST_BYTES], cuzk_error *err);

/* Drops what was put and begins a message. */
void digest_restart(struct digest *d);

#endif
