#include "daemon/rpc_listen.h"

#include "daemon/rpc_call.h"
#include "daemon/rpc_log.h"
#include "daemon/unix_socket.h"

#include <grpc/grpc_security.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static grpc_server_credentials *make_credentials(const struct rpc_options *o, const struct address *a)
{
    if (a->unix_socket || !o->tls_cert) return grpc_insecure_server_credentials_create();
    grpc_ssl_pem_key_cert_pair pair = { o->tls_key, o->tls_cert };
    grpc_ssl_client_certificate_request_type ask = o->tls_client_ca
                                                       ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                                                       : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE;
    return grpc_ssl_server_credentials_create_ex(o->tls_client_ca, &pair, 1, ask, NULL);
}

/* gRPC says why only in its log. */
static cuzk_status bind_failed(const char *target, bool tls, cuzk_error *err)
{
    const char *why = rpc_log_last_error();
    static const char *const known[] = { "Address already in use", "Permission denied",
                                         "Cannot assign requested address", "No such file or directory",
                                         "Read-only file system" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strstr(why, known[i]))
            return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "cannot listen on %s: %s", target, known[i]);
    }
    if (tls && (strstr(why, "handshaker") || strstr(why, "SSL") || strstr(why, "Invalid"))) {
        return cuzk_fail(err, CUZK_ERR_CONFIG, "cannot listen on %s: the certificate or key is unusable: %.200s",
                         target, why);
    }
    return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "cannot listen on %s: %.300s", target, why);
}

static cuzk_status bind_one(struct rpc_server *s, size_t i, cuzk_error *err)
{
    const struct rpc_options *o = &s->options;
    const struct address *a = &o->listen[i];
    char target[ADDRESS_TEXT];
    address_target(target, a);
    cuzk_status status = a->unix_socket ? unix_socket_claim(&s->locks[i], a->host, err) : CUZK_OK;
    if (status != CUZK_OK) return status;
    grpc_server_credentials *credentials = make_credentials(o, a);
    if (!credentials) return cuzk_fail(err, CUZK_ERR_CONFIG, "the TLS certificate or key is unusable");
    rpc_log_forget();
    mode_t before = umask(0177); /* nobody else connects until the permissions are right */
    int port = grpc_server_add_http2_port(s->server, target, credentials);
    umask(before);
    grpc_server_credentials_release(credentials);
    if (port == 0) return bind_failed(target, !a->unix_socket && o->tls_cert, err);
    if (a->unix_socket) return unix_socket_share(a->host, o->socket_mode, o->socket_group, err);
    s->ports[i] = (unsigned)port;
    return CUZK_OK;
}

cuzk_status rpc_listen(struct rpc_server *s, cuzk_error *err)
{
    size_t count = s->options.listen_count;
    s->ports = calloc(count, sizeof *s->ports);
    s->locks = calloc(count, sizeof *s->locks);
    if (!s->ports || !s->locks) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    for (size_t i = 0; i < count; i++) s->locks[i] = -1;
    for (size_t i = 0; i < count; i++) {
        cuzk_status status = bind_one(s, i, err);
        if (status != CUZK_OK) return status;
    }
    return CUZK_OK;
}

void rpc_unlisten(struct rpc_server *s)
{
    for (size_t i = 0; s->locks && i < s->options.listen_count; i++) {
        if (s->locks[i] >= 0) close(s->locks[i]);
    }
    free(s->locks);
    free(s->ports);
}
