/* cuzk submit and cuzk await. */
#include "cli/client.h"
#include "cli/client_proof.h"
#include "cli/request_options.h"

#include <stdio.h>
#include <string.h>

struct submit_options {
    struct request_options request;
    struct client_options client;
    const char *id, *output, *job;
    int priority;
    bool no_wait;
};

enum { KEY_OUTPUT = 'o', KEY_ID = 256, KEY_PRIORITY, KEY_NO_WAIT };

static const struct argp_option submit_arguments[] = {
    { "output", KEY_OUTPUT, "FILE", 0, "write the raw proof there, 192 bytes per partition", 0 },
    { "id", KEY_ID, "TEXT", 0, "request id; without it the daemon makes one", 0 },
    { "priority", KEY_PRIORITY, "PRIORITY", 0, "low, normal, high or critical; default by kind", 0 },
    { "no-wait", KEY_NO_WAIT, NULL, 0, "only queue the job and print its id", 0 },
    { 0 },
};

static const struct argp_option await_arguments[] = {
    { "output", KEY_OUTPUT, "FILE", 0, "write the raw proof there, 192 bytes per partition", 0 },
    { 0 },
};

static int parse_priority(struct argp_state *state, const char *text)
{
    static const char *const names[] = { "low", "normal", "high", "critical" };
    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], text) == 0) return i + 1;
    argp_error(state, "--priority: '%s' is not low, normal, high or critical", text);
    return 0;
}

static error_t parse_submit(int key, char *arg, struct argp_state *state)
{
    struct submit_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->client;
        return 0;
    case KEY_OUTPUT: o->output = arg; return 0;
    case KEY_ID: o->id = arg; return 0;
    case KEY_PRIORITY: o->priority = parse_priority(state, arg); return 0;
    case KEY_NO_WAIT: o->no_wait = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_await(int key, char *arg, struct argp_state *state)
{
    struct submit_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->client; return 0;
    case KEY_OUTPUT: o->output = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->job) argp_error(state, "one job id is expected");
        o->job = arg;
        return 0;
    case ARGP_KEY_END:
        if (!o->job) argp_error(state, "a job id is expected");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static cuzk_status queue_only(struct channel *c, const Cuzk__V1__SubmitProofRequest *message,
                              const struct submit_options *o, cuzk_error *err)
{
    ProtobufCMessage *m;
    cuzk_status status = channel_call(&m, c, "SubmitProof", &message->base,
                                      &cuzk__v1__submit_proof_response__descriptor, o->client.timeout, err);
    if (status != CUZK_OK) return status;
    const Cuzk__V1__SubmitProofResponse *r = (const Cuzk__V1__SubmitProofResponse *)m;
    if (o->client.json) {
        status = print_json(
            json_pack("{s:o, s:I}", "job_id", json_id(r->job_id), "queue_position", (json_int_t)r->queue_position),
            JSON_INDENT(1), err);
    } else if (fwrite(r->job_id.data, 1, r->job_id.len, stdout) != r->job_id.len || putchar('\n') == EOF) {
        status = cuzk_fail(err, CUZK_ERR_WRITE, "stdout is broken");
    }
    protobuf_c_message_free_unpacked(m, NULL);
    return status;
}

static cuzk_status prove(struct channel *c, Cuzk__V1__SubmitProofRequest *message, const struct submit_options *o,
                         cuzk_error *err)
{
    Cuzk__V1__ProveRequest request = CUZK__V1__PROVE_REQUEST__INIT;
    ProtobufCMessage *m;
    request.submit = message;
    cuzk_status status =
        channel_call(&m, c, "Prove", &request.base, &cuzk__v1__prove_response__descriptor, o->client.timeout, err);
    if (status != CUZK_OK) return status;
    const Cuzk__V1__ProveResponse *r = (const Cuzk__V1__ProveResponse *)m;
    status = r->result ? result_print(r->result, o->output, o->client.json, err)
                       : cuzk_fail(err, CUZK_ERR_INTERNAL, "the server's reply holds no result");
    protobuf_c_message_free_unpacked(m, NULL);
    return status;
}

static cuzk_status submit(const struct submit_options *o, cuzk_error *err)
{
    struct arena memory = { 0 };
    struct request request;
    struct channel *c = NULL;
    Cuzk__V1__SubmitProofRequest message;
    cuzk_status status = request_from_options(&request, &memory, &o->request, err);
    if (status == CUZK_OK) status = message_of_request(&message, &memory, &request, err);
    if (status == CUZK_OK) {
        if (o->id) message_set_id(&message, o->id);
        if (o->priority) message.priority = (Cuzk__V1__Priority)o->priority;
        status = channel_open(&c, &o->client.channel, err);
    }
    if (status == CUZK_OK) status = o->no_wait ? queue_only(c, &message, o, err) : prove(c, &message, o, err);
    channel_close(c);
    arena_release(&memory);
    return status;
}

int command_submit(int argc, char **argv)
{
    static const struct argp_child children[] = { { &request_argp, 0, NULL, 0 },
                                                  { &client_argp, 0, NULL, 0 },
                                                  { 0 } };
    static const struct argp argp = { submit_arguments,
                                      parse_submit,
                                      "[VANILLA...]",
                                      "Has a daemon prove a request and prints the proof.",
                                      children,
                                      0,
                                      0 };
    static struct submit_options o; /* large: it lists files */
    cuzk_error err = { "" };
    client_options_init(&o.client);
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    return command_result(submit(&o, &err), &err);
}

static cuzk_status await(const struct submit_options *o, cuzk_error *err)
{
    struct channel *c;
    ProtobufCMessage *m;
    cuzk_status status = channel_open(&c, &o->client.channel, err);
    if (status != CUZK_OK) return status;
    Cuzk__V1__AwaitProofRequest request = CUZK__V1__AWAIT_PROOF_REQUEST__INIT;
    request.job_id = (ProtobufCBinaryData){ strlen(o->job), (uint8_t *)(uintptr_t)o->job };
    request.timeout_ms = o->client.timeout; /* the daemon says TIMEOUT; the call itself has no deadline */
    status = channel_call(&m, c, "AwaitProof", &request.base, &cuzk__v1__await_proof_response__descriptor, 0, err);
    if (status == CUZK_OK) {
        status = result_print((const Cuzk__V1__AwaitProofResponse *)m, o->output, o->client.json, err);
        protobuf_c_message_free_unpacked(m, NULL);
    }
    channel_close(c);
    return status;
}

int command_await(int argc, char **argv)
{
    static const struct argp_child children[] = { { &client_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = {
        await_arguments, parse_await, "JOB", "Waits for a job's end and prints its proof.", children, 0, 0
    };
    static struct submit_options o;
    cuzk_error err = { "" };
    client_options_init(&o.client);
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    return command_result(await(&o, &err), &err);
}
