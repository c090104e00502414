/* Addresses as people write them: "unix:///run/cuzk/cuzk.sock" (also "unix:PATH"), "HOST:PORT",
 * "http://HOST:PORT", with "[…]" around an IPv6 host. Used for listening and for connecting. */
#ifndef CUZK_DAEMON_ADDRESS_H
#define CUZK_DAEMON_ADDRESS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { ADDRESS_TEXT = 300 };

struct address {
    bool unix_socket;
    char host[256]; /* unix: the path; otherwise without brackets */
    uint16_t port;
    bool tls; /* was written with https:// */
};

/* CUZK_ERR_CONFIG says what is wrong. A port of 0 is accepted: any free one. */
cuzk_status address_parse(struct address *out, const char *text, cuzk_error *err);

/* A unix socket, 127.0.0.0/8, ::1 or the name localhost. */
bool address_is_local(const struct address *a);

/* As gRPC wants it: "unix:/path", "host:port", "[::1]:port". */
void address_target(char out[ADDRESS_TEXT], const struct address *a);

#endif
