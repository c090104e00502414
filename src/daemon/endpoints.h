/* Where the daemon listens and what clients must show there: the configuration's addresses and files, read and
 * checked.
 */
#ifndef CUZK_DAEMON_ENDPOINTS_H
#define CUZK_DAEMON_ENDPOINTS_H

#include "daemon/address.h"
#include "daemon/config.h"

struct endpoints {
    struct address *grpc;
    size_t grpc_count;
    struct address http;
    bool has_http;
    char *tls_cert, *tls_key, *tls_client_ca, *token; /* NULL: none */
};

/* CUZK_ERR_CONFIG names the key: an address that is none, a file that cannot be read, an address beyond the host with
 * neither TLS nor a token and without daemon.allow_insecure. What is allowed but weak goes to `warn`. */
cuzk_status endpoints_plan(struct endpoints *out, const struct config *config, config_warn *warn, void *context,
                           cuzk_error *err);
void endpoints_free(struct endpoints *e);

#endif
