/* cuzk bench load: drives a daemon with many requests at once. */
#include "cli/client.h"
#include "cli/client_proof.h"
#include "cli/request_options.h"

#include "base/clock.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CONCURRENT = 1024 };

struct load_options {
    struct request_options request;
    struct client_options client;
    uint64_t count, concurrent;
};

static const struct argp_option arguments[] = {
    { "count", 'c', "N", 0, "How many requests, default 3", 0 },
    { "concurrency", 'j', "N", 0, "How many at once, default 1", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct load_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->client;
        return 0;
    case 'c': o->count = parse_number(state, "-c", arg, 10000000); return 0;
    case 'j': o->concurrent = parse_number(state, "-j", arg, MAX_CONCURRENT); return 0;
    case ARGP_KEY_END:
        if (o->count == 0 || o->concurrent == 0) argp_error(state, "-c and -j start at 1");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Shared by the threads: each takes the next number until all are taken. */
struct load {
    const struct load_options *o;
    struct channel *channel;
    const Cuzk__V1__SubmitProofRequest *message;
    uint64_t stamp;  /* makes ids new in every run */
    double *seconds; /* by request; negative: failed */
    atomic_ullong next, failed;
    pthread_mutex_t lock;
    cuzk_status status; /* of the first that failed */
    cuzk_error error;
};

static cuzk_status prove_once(struct load *l, uint64_t number, cuzk_error *err)
{
    char id[96];
    Cuzk__V1__SubmitProofRequest message = *l->message;
    Cuzk__V1__ProveRequest request = CUZK__V1__PROVE_REQUEST__INIT;
    ProtobufCMessage *m;
    snprintf(id, sizeof id, "load-%ld-%" PRIu64 "-%" PRIu64, (long)getpid(), l->stamp, number);
    message_set_id(&message, id);
    request.submit = &message;
    cuzk_status status = channel_call(&m, l->channel, "Prove", &request.base, &cuzk__v1__prove_response__descriptor,
                                      l->o->client.timeout, err);
    if (status != CUZK_OK) return status;
    const Cuzk__V1__AwaitProofResponse *r = ((const Cuzk__V1__ProveResponse *)m)->result;
    if (!r || r->status != CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED) {
        status = cuzk_fail(err, CUZK_REFUSED, "a job failed: %s", r ? r->error_message : "no result");
    }
    protobuf_c_message_free_unpacked(m, NULL);
    return status;
}

static void *load_main(void *context)
{
    struct load *l = context;
    for (;;) {
        uint64_t number = atomic_fetch_add(&l->next, 1);
        if (number >= l->o->count) return NULL;
        cuzk_error err = { "" };
        uint64_t begin = clock_now();
        cuzk_status status = prove_once(l, number, &err);
        l->seconds[number] = 1e-9 * (double)(clock_now() - begin);
        if (status == CUZK_OK) continue;
        l->seconds[number] = -1;
        atomic_fetch_add(&l->failed, 1);
        pthread_mutex_lock(&l->lock);
        if (l->status == CUZK_OK) {
            l->status = status;
            l->error = err;
        }
        pthread_mutex_unlock(&l->lock);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of `count` sorted values. */
static double quantile(const double *sorted, size_t count, double q)
{
    return count ? sorted[(size_t)(q * (double)(count - 1) + 0.5)] : 0;
}

static cuzk_status print_report(struct load *l, double total, cuzk_error *err)
{
    size_t count = l->o->count, failed = l->failed, good = count - failed;
    qsort(l->seconds, count, sizeof *l->seconds, ascending);
    const double *s = l->seconds + failed; /* failures sort to the front */
    double p50 = quantile(s, good, 0.5), p95 = quantile(s, good, 0.95), p99 = quantile(s, good, 0.99);
    double per_second = total > 0 ? (double)good / total : 0;
    if (l->o->client.json) {
        return print_json(json_pack("[{s:s, s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f}]", "name",
                                    "load", "device", "daemon", "size", (json_int_t)count, "threads",
                                    (json_int_t)l->o->concurrent, "repeat", (json_int_t)good, "failed",
                                    (json_int_t)failed, "median_s", p50, "min_s", quantile(s, good, 0), "max_s",
                                    quantile(s, good, 1), "p95_s", p95, "p99_s", p99, "total_s", total,
                                    "proofs_per_s", per_second),
                          JSON_INDENT(1), err);
    }
    printf("load  %s  %zu requests, %" PRIu64 " at once: %zu completed, %zu failed in %.2f s, %.2f proofs/s\n",
           l->o->client.channel.address, count, l->o->concurrent, good, failed, total, per_second);
    printf("latency  median %.3f s, 95 %% %.3f s, 99 %% %.3f s, least %.3f s, most %.3f s\n", p50, p95, p99,
           quantile(s, good, 0), quantile(s, good, 1));
    return fflush(stdout) == 0 ? CUZK_OK : cuzk_fail(err, CUZK_ERR_WRITE, "stdout is broken");
}

static cuzk_status run_threads(struct load *l, cuzk_error *err)
{
    pthread_t threads[MAX_CONCURRENT];
    size_t started = 0, wanted = l->o->concurrent < l->o->count ? l->o->concurrent : l->o->count;
    uint64_t begin = clock_now();
    while (started < wanted && pthread_create(&threads[started], NULL, load_main, l) == 0) started++;
    for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    if (started == 0) return cuzk_fail(err, CUZK_ERR_RESOURCE, "cannot start a thread");
    cuzk_status status = print_report(l, 1e-9 * (double)(clock_now() - begin), err);
    if (status != CUZK_OK || l->status == CUZK_OK) return status;
    return cuzk_fail(err, l->status, "%s", l->error.detail);
}

static cuzk_status run(const struct load_options *o, cuzk_error *err)
{
    struct arena memory = { 0 };
    struct request request;
    Cuzk__V1__SubmitProofRequest message;
    struct load l = { .o = o, .message = &message, .stamp = (uint64_t)clock_calendar_ms() };
    pthread_mutex_init(&l.lock, NULL);
    cuzk_status status = request_from_options(&request, &memory, &o->request, err);
    if (status == CUZK_OK) status = message_of_request(&message, &memory, &request, err);
    if (status == CUZK_OK) status = channel_open(&l.channel, &o->client.channel, err);
    l.seconds = calloc(o->count, sizeof *l.seconds);
    if (status == CUZK_OK && !l.seconds) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    if (status == CUZK_OK) status = run_threads(&l, err);
    free(l.seconds);
    channel_close(l.channel);
    arena_release(&memory);
    pthread_mutex_destroy(&l.lock);
    return status;
}

int command_bench_load(int argc, char **argv)
{
    static const struct argp_child children[] = { { &request_argp, 0, NULL, 0 },
                                                  { &client_argp, 0, NULL, 0 },
                                                  { 0 } };
    static const struct argp argp = { arguments,
                                      parse_option,
                                      "[VANILLA...]",
                                      "Sends the same request many times, under ids of its own, and measures.",
                                      children,
                                      0,
                                      0 };
    static struct load_options o = { .count = 3, .concurrent = 1 };
    cuzk_error err = { "" };
    client_options_init(&o.client);
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    return command_result(run(&o, &err), &err);
}
