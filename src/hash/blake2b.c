#include "hash/blake2b.h"

#include <assert.h>
#include <pthread.h>
#include <sodium/core.h>

/* libsodium picks its fastest implementation at sodium_init; until then, and if that fails, it uses
 * the portable one, so the result needs no attention. */
static void choose_implementation(void)
{
    if (sodium_init() < 0) return;
}

static void prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose_implementation);
}

void blake2b(uint8_t *out, size_t out_size, const void *data, size_t size, const void *key,
             size_t key_size)
{
    prepare();
    int result = crypto_generichash_blake2b(out, out_size, data, size, key, key_size);
    assert(result == 0);
    (void)result;
}

void blake2b_begin(struct blake2b *h, size_t out_size, const void *key, size_t key_size)
{
    prepare();
    int result = crypto_generichash_blake2b_init(&h->state, key, key_size, out_size);
    assert(result == 0);
    (void)result;
    h->out_size = out_size;
}

void blake2b_put(struct blake2b *h, const void *data, size_t size)
{
    (void)crypto_generichash_blake2b_update(&h->state, data, size);
}

void blake2b_end(struct blake2b *h, uint8_t *out)
{
    int result = crypto_generichash_blake2b_final(&h->state, out, h->out_size);
    assert(result == 0);
    (void)result;
}
