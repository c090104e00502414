#include "hash/digest.h"

#include <openssl/evp.h>
#include <string.h>

void digest_restart(struct digest *d)
{
    d->failed = EVP_DigestInit_ex2(d->context, d->algorithm, NULL) != 1;
}

cuzk_status digest_open(struct digest *d, enum digest_kind kind, cuzk_error *err)
{
    const char *name = kind == DIGEST_SHA256 ? "SHA2-256" : "BLAKE2S-256";
    *d = (struct digest){ 0 };
    d->algorithm = EVP_MD_fetch(NULL, name, NULL);
    if (!d->algorithm) {
        return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "libcrypto does not offer %s", name);
    }
    d->context = EVP_MD_CTX_new();
    if (!d->context) {
        digest_close(d);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a %s context", name);
    }
    digest_restart(d);
    return CUZK_OK;
}

void digest_close(struct digest *d)
{
    EVP_MD_CTX_free(d->context);
    EVP_MD_free(d->algorithm);
    *d = (struct digest){ 0 };
}

void digest_put(struct digest *d, const void *data, size_t size)
{
    if (!d->failed) d->failed = EVP_DigestUpdate(d->context, data, size) != 1;
}

cuzk_status digest_end(struct digest *d, uint8_t out[DIGEST_BYTES], cuzk_error *err)
{
    unsigned length = 0;
    bool done =
        !d->failed && EVP_DigestFinal_ex(d->context, out, &length) == 1 && length == DIGEST_BYTES;
    digest_restart(d);
    if (done) return CUZK_OK;
    memset(out, 0, DIGEST_BYTES);
    return cuzk_fail(err, CUZK_ERR_INTERNAL, "libcrypto failed in a message digest");
}
