#include "daemon/address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

static bool strip(const char **text, const char *prefix)
{
    size_t n = strlen(prefix);
    if (strncmp(*text, prefix, n) != 0) return false;
    *text += n;
    return true;
}

static cuzk_status parse_path(struct address *out, const char *path, cuzk_error *err)
{
    const size_t limit = sizeof((struct sockaddr_un *)NULL)->sun_path - 1;
    if (!*path) return cuzk_fail(err, CUZK_ERR_CONFIG, "the path of the unix socket is missing");
    if (strlen(path) > limit) {
        return cuzk_fail(err, CUZK_ERR_CONFIG, "the path of the unix socket is longer than %zu bytes", limit);
    }
    out->unix_socket = true;
    snprintf(out->host, sizeof out->host, "%s", path);
    return CUZK_OK;
}

static bool parse_port(uint16_t *out, const char *text)
{
    size_t n = strlen(text);
    unsigned long v = 0;
    if (n == 0 || n > 5 || strspn(text, "0123456789") != n) return false;
    for (; *text; text++) v = v * 10 + (unsigned long)(*text - '0');
    *out = (uint16_t)v;
    return v <= UINT16_MAX;
}

static cuzk_status parse_host_port(struct address *out, const char *text, cuzk_error *err)
{
    const char *colon = strrchr(text, ':');
    if (!colon || !parse_port(&out->port, colon + 1)) {
        return cuzk_fail(err, CUZK_ERR_CONFIG, "\"%s\" has no port: HOST:PORT or unix:///PATH is expected", text);
    }
    size_t n = (size_t)(colon - text);
    bool bracketed = n >= 2 && text[0] == '[' && text[n - 1] == ']';
    if (bracketed) {
        text++;
        n -= 2;
    }
    if (n == 0 || n >= sizeof out->host || (!bracketed && memchr(text, ':', n)) || memchr(text, '/', n)) {
        return cuzk_fail(err, CUZK_ERR_CONFIG, "\"%.*s\" is no host name or address", (int)n, text);
    }
    memcpy(out->host, text, n);
    out->host[n] = '\0';
    return CUZK_OK;
}

cuzk_status address_parse(struct address *out, const char *text, cuzk_error *err)
{
    memset(out, 0, sizeof *out);
    if (strip(&text, "unix://") || strip(&text, "unix:")) return parse_path(out, text, err);
    if (strip(&text, "https://")) {
        out->tls = true;
    } else {
        strip(&text, "http://");
    }
    char plain[ADDRESS_TEXT];
    size_t n = strlen(text);
    if (n > 0 && text[n - 1] == '/') n--;
    if (n >= sizeof plain) return cuzk_fail(err, CUZK_ERR_CONFIG, "the address is too long");
    memcpy(plain, text, n);
    plain[n] = '\0';
    return parse_host_port(out, plain, err);
}

bool address_is_local(const struct address *a)
{
    struct in_addr v4;
    struct in6_addr v6;
    if (a->unix_socket || strcmp(a->host, "localhost") == 0) return true;
    if (inet_pton(AF_INET, a->host, &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
    if (inet_pton(AF_INET6, a->host, &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
    return false;
}

void address_target(char out[ADDRESS_TEXT], const struct address *a)
{
    if (a->unix_socket) {
        snprintf(out, ADDRESS_TEXT, "unix:%s", a->host);
    } else {
        snprintf(out, ADDRESS_TEXT, strchr(a->host, ':') ? "[%s]:%u" : "%s:%u", a->host, a->port);
    }
}
