#include "cli/client_options.h"

#include "daemon/units.h"

#include <stdlib.h>

enum { KEY_ADDRESS = 'a', KEY_JSON = 2000, KEY_TIMEOUT, KEY_CA, KEY_CERT, KEY_KEY, KEY_TOKEN };

static const struct argp_option options[] = {
    { 0, 0, 0, 0, "The daemon:", 2 },
    { "addr", KEY_ADDRESS, "ADDR", 0,
      "unix:///PATH, HOST:PORT or http[s]://HOST:PORT; default $CUZK_ADDR, else unix:///run/cuzk/cuzk.sock", 2 },
    { "timeout", KEY_TIMEOUT, "TIME", 0, "Give up after TIME (30s, 5m, …; 0 = never)", 2 },
    { "token-file", KEY_TOKEN, "FILE", 0, "Bearer token to show", 2 },
    { "tls-ca", KEY_CA, "FILE", 0, "Use TLS and trust these authorities (PEM)", 2 },
    { "tls-cert", KEY_CERT, "FILE", 0, "Certificate to show (PEM)", 2 },
    { "tls-key", KEY_KEY, "FILE", 0, "Its private key (PEM)", 2 },
    { "json", KEY_JSON, NULL, 0, "Machine-readable result", 2 },
    { 0 },
};

void client_options_init(struct client_options *o)
{
    const char *address = getenv("CUZK_ADDR");
    *o = (struct client_options){ .channel.address = address && *address ? address : "unix:///run/cuzk/cuzk.sock" };
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct client_options *o = state->input;
    switch (key) {
    case KEY_ADDRESS: o->channel.address = arg; return 0;
    case KEY_JSON: o->json = true; return 0;
    case KEY_CA: o->channel.tls_ca = arg; return 0;
    case KEY_CERT: o->channel.tls_cert = arg; return 0;
    case KEY_KEY: o->channel.tls_key = arg; return 0;
    case KEY_TOKEN: o->channel.token_file = arg; return 0;
    case KEY_TIMEOUT:
        if (!duration_parse(&o->timeout, arg)) argp_error(state, "--timeout: '%s' is no duration like 30s", arg);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp client_argp = { options, parse_option, NULL, NULL, NULL, NULL, NULL };
