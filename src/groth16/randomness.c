#include "groth16/randomness.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

cuzk_status random_bytes(void *out, size_t n, cuzk_error *err)
{
    uint8_t *at = out;
    while (n > 0) {
        ssize_t got = getrandom(at, n, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "no randomness from the system: %s", strerror(errno));
        }
        at += got;
        n -= (size_t)got;
    }
    return CUZK_OK;
}

/* Rejection sampling of 255 bits: accepted with probability r/2^255 > 0.9. */
static cuzk_status scalar_draw(fr_t *out, cuzk_error *err)
{
    uint8_t bytes[32];
    do {
        cuzk_status status = random_bytes(bytes, sizeof bytes, err);
        if (status != CUZK_OK) return status;
        bytes[31] &= 0x7f;
    } while (!fr_from_bytes(out, bytes));
    return CUZK_OK;
}

cuzk_status proof_randomness_draw(struct proof_randomness *out, cuzk_error *err)
{
    cuzk_status status = scalar_draw(&out->r, err);
    return status == CUZK_OK ? scalar_draw(&out->s, err) : status;
}

cuzk_status proof_randomness_from_tag(struct proof_randomness *out, const char *tag, size_t partition,
                                      cuzk_error *err)
{
    if (strlen(tag) > LABEL_MAX) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "randomness tag: %zu characters, at most %d expected", strlen(tag),
                         LABEL_MAX);
    }
    for (int i = 0; i < 2; i++) {
        char label[LABEL_MAX + 64];
        int n = snprintf(label, sizeof label, "cuzk-test-proof/v1/%c/%s", "rs"[i], tag);
        if (partition > 0) snprintf(label + n, sizeof label - (size_t)n, "/%zu", partition);
        scalar_from_label(i == 0 ? &out->r : &out->s, label);
    }
    return CUZK_OK;
}
