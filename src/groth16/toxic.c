#include "groth16/toxic.h"

#include "hash/sha256.h"

#include <stdio.h>
#include <string.h>

void scalar_from_label(fr_t *out, const char *label)
{
    uint8_t digest[32];
    sha256(digest, label, strlen(label));
    sha256_truncate(digest);
    fr_from_bytes_reduced(out, digest);
}

cuzk_status toxic_from_insecure_seed(struct toxic *out, const char *seed, cuzk_error *err)
{
    if (strlen(seed) > LABEL_MAX) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "insecure seed: %zu characters, at most %d expected", strlen(seed),
                         LABEL_MAX);
    }
    const struct {
        const char *name;
        fr_t *value;
    } parts[] = {
        { "alpha", &out->alpha }, { "beta", &out->beta }, { "gamma", &out->gamma },
        { "delta", &out->delta }, { "tau", &out->tau },
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char label[LABEL_MAX + 16];
        snprintf(label, sizeof label, "%s/%s", seed, parts[i].name);
        scalar_from_label(parts[i].value, label);
        if (fr_is_zero(parts[i].value)) {
            return cuzk_fail(err, CUZK_ERR_DATA, "insecure seed \"%s\": %s is zero", seed, parts[i].name);
        }
    }
    return CUZK_OK;
}
