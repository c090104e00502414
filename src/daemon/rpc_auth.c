#include "daemon/rpc_auth.h"

#include <grpc/support/alloc.h>
#include <openssl/crypto.h>
#include <string.h>

static bool comes_over_unix_socket(grpc_call *call)
{
    char *peer = grpc_call_get_peer(call);
    bool yes = peer && strncmp(peer, "unix:", 5) == 0;
    gpr_free(peer);
    return yes;
}

static bool token_matches(grpc_slice value, const char *token)
{
    static const char scheme[] = "Bearer ";
    const size_t prefix = sizeof scheme - 1;
    size_t size = GRPC_SLICE_LENGTH(value);
    const uint8_t *bytes = GRPC_SLICE_START_PTR(value);
    if (size != prefix + strlen(token) || memcmp(bytes, scheme, prefix) != 0) return false;
    return CRYPTO_memcmp(bytes + prefix, token, size - prefix) == 0;
}

bool rpc_is_authorised(grpc_call *call, const grpc_metadata_array *metadata, const char *token)
{
    if (!token || comes_over_unix_socket(call)) return true;
    for (size_t i = 0; i < metadata->count; i++) {
        const grpc_metadata *m = &metadata->metadata[i];
        if (grpc_slice_str_cmp(m->key, "authorization") == 0 && token_matches(m->value, token)) return true;
    }
    return false;
}
