#include "vanilla/sample_source.h"

#include "base/bytes.h"
#include "hash/sha256.h"

static const char domain[] = "cuzk-sample/v1";

void sample_source_init(struct sample_source *out, const char *seed)
{
    struct sha256 h;
    sha256_begin(&h);
    sha256_put(&h, domain, sizeof domain); /* with its NUL */
    sha256_put(&h, seed, strlen(seed));
    sha256_end(&h, out->key);
}

void sample_source_derive(struct sample_source *out, const struct sample_source *from, const char *label,
                          uint64_t number)
{
    uint8_t bytes[8];
    struct sha256 h;
    store_le64(bytes, number);
    sha256_begin(&h);
    sha256_put(&h, from->key, sizeof from->key);
    sha256_put(&h, bytes, sizeof bytes);
    sha256_put(&h, label, strlen(label));
    sha256_end(&h, out->key);
}

void sample_value(struct node *out, const struct sample_source *source, uint64_t a, uint64_t b)
{
    uint8_t message[sizeof source->key + 16];
    memcpy(message, source->key, sizeof source->key);
    store_le64(message + sizeof source->key, a);
    store_le64(message + sizeof source->key + 8, b);
    sha256(out->b, message, sizeof message);
    sha256_truncate(out->b);
}

void sample_named(struct node *out, const struct sample_source *source, const char *label)
{
    struct sample_source named;
    sample_source_derive(&named, source, label, 0);
    sample_value(out, &named, 0, 0);
}
