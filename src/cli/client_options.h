/* The options that all client commands share. */
#ifndef CUZK_CLI_CLIENT_OPTIONS_H
#define CUZK_CLI_CLIENT_OPTIONS_H

#include "cli/command.h"
#include "daemon/channel.h"

struct client_options {
    struct channel_options channel;
    uint64_t timeout; /* ms, 0: none */
    bool json;
};

/* Starts from CUZK_ADDR or the default socket. A child for a command's argp; its input is a struct client_options. */
void client_options_init(struct client_options *o);
extern const struct argp client_argp;

#endif
