/* cuzk status, metrics, cancel, preload, evict. */
#include "cli/client.h"
#include "cli/client_proof.h"
#include "cli/client_status.h"
#include "daemon/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct admin_options {
    struct client_options client;
    const char *what; /* the name of the argument, NULL: none is wanted */
    const char *argument;
};

static error_t parse_admin(int key, char *arg, struct argp_state *state)
{
    struct admin_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->client; return 0;
    case ARGP_KEY_ARG:
        if (!o->what || o->argument) argp_error(state, "unexpected argument '%s'", arg);
        o->argument = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->what && !o->argument) argp_error(state, "%s is expected", o->what);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Parses the options, opens the channel, runs the command. */
static int admin(int argc, char **argv, const char *what, const char *usage, const char *doc,
                 cuzk_status (*run)(struct channel *c, const struct admin_options *o, cuzk_error *err))
{
    static const struct argp_child children[] = { { &client_argp, 0, NULL, 0 }, { 0 } };
    const struct argp argp = { NULL, parse_admin, usage, doc, children, 0, 0 };
    struct admin_options o = { .what = what };
    struct channel *c;
    cuzk_error err = { "" };
    client_options_init(&o.client);
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    cuzk_status status = channel_open(&c, &o.client.channel, &err);
    if (status == CUZK_OK) {
        status = run(c, &o, &err);
        channel_close(c);
    }
    if (status == CUZK_OK && fflush(stdout) != 0) status = cuzk_fail(&err, CUZK_ERR_WRITE, "stdout is broken");
    return command_result(status, &err);
}

static cuzk_status show_status(struct channel *c, const struct admin_options *o, cuzk_error *err)
{
    Cuzk__V1__GetStatusResponse *s;
    cuzk_status status = status_fetch(&s, c, o->client.timeout, err);
    if (status != CUZK_OK) return status;
    if (o->client.json) {
        status = print_json(status_to_json(s), JSON_INDENT(1), err);
    } else {
        status_to_text(stdout, s);
    }
    protobuf_c_message_free_unpacked(&s->base, NULL);
    return status;
}

static cuzk_status show_metrics(struct channel *c, const struct admin_options *o, cuzk_error *err)
{
    Cuzk__V1__GetMetricsRequest request = CUZK__V1__GET_METRICS_REQUEST__INIT;
    ProtobufCMessage *m;
    cuzk_status status = channel_call(&m, c, "GetMetrics", &request.base, &cuzk__v1__get_metrics_response__descriptor,
                                      o->client.timeout, err);
    if (status != CUZK_OK) return status;
    fputs(((Cuzk__V1__GetMetricsResponse *)m)->prometheus_text, stdout);
    protobuf_c_message_free_unpacked(m, NULL);
    return CUZK_OK;
}

static cuzk_status cancel(struct channel *c, const struct admin_options *o, cuzk_error *err)
{
    Cuzk__V1__CancelProofRequest request = CUZK__V1__CANCEL_PROOF_REQUEST__INIT;
    ProtobufCMessage *m;
    request.job_id = (ProtobufCBinaryData){ strlen(o->argument), (uint8_t *)(uintptr_t)o->argument };
    cuzk_status status = channel_call(&m, c, "CancelProof", &request.base,
                                      &cuzk__v1__cancel_proof_response__descriptor, o->client.timeout, err);
    if (status != CUZK_OK) return status;
    bool running = ((Cuzk__V1__CancelProofResponse *)m)->was_running;
    protobuf_c_message_free_unpacked(m, NULL);
    if (o->client.json) return print_json(json_pack("{s:b}", "was_running", running), JSON_INDENT(1), err);
    puts(running ? "cancelled while it ran" : "it did not run");
    return CUZK_OK;
}

static cuzk_status preload(struct channel *c, const struct admin_options *o, cuzk_error *err)
{
    Cuzk__V1__PreloadSrsRequest request = CUZK__V1__PRELOAD_SRS_REQUEST__INIT;
    ProtobufCMessage *m;
    request.circuit_id = (char *)(uintptr_t)o->argument;
    cuzk_status status = channel_call(&m, c, "PreloadSRS", &request.base, &cuzk__v1__preload_srs_response__descriptor,
                                      o->client.timeout, err);
    if (status != CUZK_OK) return status;
    const Cuzk__V1__PreloadSrsResponse *r = (const Cuzk__V1__PreloadSrsResponse *)m;
    if (o->client.json) {
        status = print_json(json_pack("{s:b, s:I}", "already_loaded", (int)r->already_loaded, "load_time_ms",
                                      (json_int_t)r->load_time_ms),
                            JSON_INDENT(1), err);
    } else if (r->already_loaded) {
        puts("already loaded");
    } else {
        printf("loaded in %" PRIu64 " ms\n", r->load_time_ms);
    }
    protobuf_c_message_free_unpacked(m, NULL);
    return status;
}

static cuzk_status evict(struct channel *c, const struct admin_options *o, cuzk_error *err)
{
    Cuzk__V1__EvictSrsRequest request = CUZK__V1__EVICT_SRS_REQUEST__INIT;
    ProtobufCMessage *m;
    request.circuit_id = (char *)(uintptr_t)o->argument;
    cuzk_status status = channel_call(&m, c, "EvictSRS", &request.base, &cuzk__v1__evict_srs_response__descriptor,
                                      o->client.timeout, err);
    if (status != CUZK_OK) return status;
    const Cuzk__V1__EvictSrsResponse *r = (const Cuzk__V1__EvictSrsResponse *)m;
    if (o->client.json) {
        status = print_json(
            json_pack("{s:b, s:I}", "was_loaded", (int)r->was_loaded, "freed_bytes", (json_int_t)r->freed_bytes),
            JSON_INDENT(1), err);
    } else if (r->was_loaded) {
        char size[UNIT_TEXT];
        size_approximate(size, r->freed_bytes);
        printf("unloaded, %s\n", size);
    } else {
        puts("was not loaded");
    }
    protobuf_c_message_free_unpacked(m, NULL);
    return status;
}

int command_status(int argc, char **argv)
{
    return admin(argc, argv, NULL, NULL, "Shows a daemon's devices, queues and parameters.", show_status);
}

int command_metrics(int argc, char **argv)
{
    return admin(argc, argv, NULL, NULL, "Prints a daemon's metrics in Prometheus' text format.", show_metrics);
}

int command_cancel(int argc, char **argv)
{
    return admin(argc, argv, "a job id", "JOB", "Drops a waiting or running job.", cancel);
}

int command_preload(int argc, char **argv)
{
    return admin(argc, argv, "a circuit id", "CIRCUIT", "Loads a circuit's parameters ahead of their use.", preload);
}

int command_evict(int argc, char **argv)
{
    return admin(argc, argv, "a circuit id", "CIRCUIT", "Unloads a circuit's parameters.", evict);
}
