#include "daemon/endpoints.h"

#include "base/file.h"

#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

enum { SECRET_LIMIT = 1 << 20, TOKEN_LEAST = 16 };

static cuzk_status read_file(char **out, const char *key, const char *path, cuzk_error *err)
{
    uint8_t *text = NULL;
    size_t size = 0;
    *out = NULL;
    if (!*path) return CUZK_OK;
    cuzk_status status = file_read(&text, &size, path, SECRET_LIMIT, err);
    if (status != CUZK_OK) {
        cuzk_within(err, status, "%s", key);
        return CUZK_ERR_CONFIG;
    }
    *out = (char *)text;
    return CUZK_OK;
}

/* The first line, without the blanks around it. */
static cuzk_status read_token(char **out, const char *path, cuzk_error *err)
{
    cuzk_status status = read_file(out, "daemon.token_file", path, err);
    if (status != CUZK_OK || !*out) return status;
    char *token = *out, *begin = token + strspn(token, " \t");
    size_t n = strcspn(begin, "\r\n");
    while (n > 0 && (begin[n - 1] == ' ' || begin[n - 1] == '\t')) n--;
    memmove(token, begin, n);
    token[n] = '\0';
    if (n < TOKEN_LEAST) {
        return cuzk_fail(err, CUZK_ERR_CONFIG, "daemon.token_file: %s: the token is shorter than %d characters", path,
                         TOKEN_LEAST);
    }
    return CUZK_OK;
}

static cuzk_status read_addresses(struct endpoints *out, const struct config *c, cuzk_error *err)
{
    out->grpc = calloc(c->listen.count, sizeof *out->grpc);
    if (!out->grpc) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    out->grpc_count = c->listen.count;
    for (size_t i = 0; i < c->listen.count; i++) {
        cuzk_status status = address_parse(&out->grpc[i], c->listen.at[i], err);
        if (status != CUZK_OK) return cuzk_within(err, status, "daemon.listen");
    }
    out->has_http = *c->status_listen != '\0';
    if (!out->has_http) return CUZK_OK;
    cuzk_status status = address_parse(&out->http, c->status_listen, err);
    if (status == CUZK_OK && out->http.unix_socket) {
        status = cuzk_fail(err, CUZK_ERR_CONFIG, "HOST:PORT is expected, not a unix socket");
    }
    return cuzk_within(err, status, "daemon.status_listen");
}

static cuzk_status check_reach(const struct endpoints *e, const struct config *c, config_warn *warn, void *context,
                               cuzk_error *err)
{
    bool beyond = false;
    for (size_t i = 0; i < e->grpc_count; i++) {
        if (address_is_local(&e->grpc[i])) continue;
        beyond = true;
        if (e->tls_cert || e->token || c->allow_insecure) continue;
        return cuzk_fail(err, CUZK_ERR_CONFIG,
                         "daemon.listen: %s is reachable from other hosts: set daemon.tls_cert and tls_key, "
                         "daemon.token_file, or daemon.allow_insecure = true",
                         c->listen.at[i]);
    }
    if (e->has_http && !address_is_local(&e->http) && !c->allow_insecure) {
        return cuzk_fail(
            err, CUZK_ERR_CONFIG,
            "daemon.status_listen: %s is reachable from other hosts and knows no passwords: use a loopback "
            "address, or set daemon.allow_insecure = true",
            c->status_listen);
    }
    if (!beyond || !warn) return CUZK_OK;
    if (!e->tls_client_ca && !e->token) warn(context, "anybody who reaches daemon.listen may submit proofs");
    if (!e->tls_cert) warn(context, "what goes through daemon.listen is not encrypted");
    return CUZK_OK;
}

cuzk_status endpoints_plan(struct endpoints *out, const struct config *c, config_warn *warn, void *context,
                           cuzk_error *err)
{
    memset(out, 0, sizeof *out);
    cuzk_status status = read_addresses(out, c, err);
    if (status == CUZK_OK) status = read_file(&out->tls_cert, "daemon.tls_cert", c->tls_cert, err);
    if (status == CUZK_OK) status = read_file(&out->tls_key, "daemon.tls_key", c->tls_key, err);
    if (status == CUZK_OK) status = read_file(&out->tls_client_ca, "daemon.tls_client_ca", c->tls_client_ca, err);
    if (status == CUZK_OK) status = read_token(&out->token, c->token_file, err);
    if (status == CUZK_OK) status = check_reach(out, c, warn, context, err);
    if (status != CUZK_OK) endpoints_free(out);
    return status;
}

static void free_secret(char **text)
{
    if (*text) OPENSSL_cleanse(*text, strlen(*text));
    free(*text);
    *text = NULL;
}

void endpoints_free(struct endpoints *e)
{
    free(e->grpc);
    e->grpc = NULL;
    free_secret(&e->tls_cert);
    free_secret(&e->tls_key);
    free_secret(&e->tls_client_ca);
    free_secret(&e->token);
}
