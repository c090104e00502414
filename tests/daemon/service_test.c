/* The whole daemon but its command line, in this process: an engine over stub steps, the gRPC service and the HTTP
 * side, with clients of the project's own. tests/interop/daemon has the same and more with clients that share no
 * code. */
#include "cuzk.pb-c.h"
#include "daemon/channel.h"
#include "daemon/http.h"
#include "daemon/service.h"
#include "engine/guest.h"
#include "engine/stub.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct house {
    struct stub stub;
    struct service service;
    struct rpc_server *rpc;
    struct http_server *http;
    struct address address;
    struct channel *channel;
};

static bool charge(void *memory, uint64_t bytes) { return engine_charge(((struct service *)memory)->engine, bytes); }
static void credit(void *memory, uint64_t bytes) { engine_credit(((struct service *)memory)->engine, bytes); }

static void house_open(struct house *h)
{
    cuzk_error err = { "" };
    memset(h, 0, sizeof *h);
    stub_create(&h->stub);
    health_init(&h->service.health);
    h->service.engine = stub_engine(&h->stub, NULL);
    h->address = (struct address){ .host = "127.0.0.1" };
    struct rpc_options o = { .listen = &h->address,
                             .listen_count = 1,
                             .socket_group = "",
                             .max_message = 16 << 20,
                             .charge = charge,
                             .credit = credit,
                             .memory = &h->service,
                             .context = &h->service };
    o.methods = service_methods(&o.method_count);
    if (rpc_server_create(&h->rpc, &o, &err) != CUZK_OK) fail_msg("%s", err.detail);
    assert_int_equal(rpc_server_start(h->rpc, 64 << 20, &err), CUZK_OK);
    assert_int_equal(http_server_create(&h->http, &h->address, h->service.engine, NULL, &err), CUZK_OK);
    health_set(&h->service.health, true);
    char text[64];
    snprintf(text, sizeof text, "127.0.0.1:%u", rpc_server_port(h->rpc, 0));
    assert_int_equal(channel_open(&h->channel, &(struct channel_options){ .address = text }, &err), CUZK_OK);
}

static void hold(struct house *h, bool on)
{
    stub_lock(&h->stub);
    h->stub.hold_prove = on;
    stub_unlock(&h->stub);
}

static void house_close(struct house *h)
{
    hold(h, false);
    channel_close(h->channel);
    rpc_server_stop(h->rpc, 500);
    http_server_destroy(h->http);
    rpc_server_destroy(h->rpc);
    engine_destroy(h->service.engine);
    health_destroy(&h->service.health);
    stub_destroy(&h->stub);
}

static ProtobufCBinaryData data_of(const char *text, size_t size)
{
    return (ProtobufCBinaryData){ size, (uint8_t *)(uintptr_t)text };
}

static ProtobufCBinaryData text_data(const char *text) { return data_of(text, strlen(text)); }

static Cuzk__V1__SubmitProofRequest make_request(enum proof_kind kind, const char *id, const char *name)
{
    Cuzk__V1__SubmitProofRequest r = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    r.proof_kind = (Cuzk__V1__ProofKind)kind;
    r.request_id = text_data(id);
    r.randomness = text_data(name);
    return r;
}

/* The reply of Prove, to be freed; NULL with *status. */
static Cuzk__V1__ProveResponse *prove(struct house *h, Cuzk__V1__SubmitProofRequest *submit, uint64_t timeout,
                                      cuzk_status *status)
{
    Cuzk__V1__ProveRequest q = CUZK__V1__PROVE_REQUEST__INIT;
    ProtobufCMessage *m;
    cuzk_error err = { "" };
    q.submit = submit;
    *status = channel_call(&m, h->channel, "Prove", &q.base, &cuzk__v1__prove_response__descriptor, timeout, &err);
    return (Cuzk__V1__ProveResponse *)m;
}

static void assert_proved(Cuzk__V1__ProveResponse *r, const char *name, size_t partitions)
{
    assert_non_null(r);
    struct outcome o = { .state = JOB_COMPLETED,
                         .error = r->result->error_message,
                         .proof = { r->result->proof.data, r->result->proof.len } };
    assert_int_equal(r->result->status, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED);
    assert_stub_proof(&o, name, partitions);
    protobuf_c_message_free_unpacked(&r->base, NULL);
}

static ProtobufCMessage *call(struct house *h, const char *method, const ProtobufCMessage *q,
                              const ProtobufCMessageDescriptor *type)
{
    ProtobufCMessage *m;
    cuzk_error err = { "" };
    if (channel_call(&m, h->channel, method, q, type, 20000, &err) != CUZK_OK) fail_msg("%s: %s", method, err.detail);
    return m;
}

static void prove__answers_every_kind(void **state)
{
    (void)state;
    struct house h;
    cuzk_status status;
    house_open(&h);
    for (enum proof_kind kind = PROOF_POREP; kind <= PROOF_WINNING; kind++) {
        char id[16];
        snprintf(id, sizeof id, "job-%d", (int)kind);
        Cuzk__V1__SubmitProofRequest q = make_request(kind, id, id);
        Cuzk__V1__ProveResponse *r = prove(&h, &q, 0, &status);
        assert_int_equal(r->result->job_id.len, strlen(id));
        assert_memory_equal(r->result->job_id.data, id, strlen(id));
        assert_proved(r, id, h.stub.partitions[kind]);
    }
    Cuzk__V1__SubmitProofRequest q = make_request(7, "x", "x");
    assert_null(prove(&h, &q, 0, &status));
    assert_int_equal(status, CUZK_ERR_DATA);
    q = make_request(PROOF_WINNING, "\xff\xfe", "x");
    assert_null(prove(&h, &q, 0, &status));
    assert_int_equal(status, CUZK_ERR_DATA);
    house_close(&h);
}

static void prove__gone_client_leaves_and_joins_again(void **state)
{
    (void)state;
    struct house h;
    cuzk_status status;
    house_open(&h);
    hold(&h, true);
    Cuzk__V1__SubmitProofRequest q = make_request(PROOF_WINNING, "retry", "r");
    assert_null(prove(&h, &q, 200, &status));
    assert_int_equal(status, CUZK_ERR_RESOURCE); /* its deadline */
    hold(&h, false);
    assert_proved(prove(&h, &q, 0, &status), "r", 1);
    house_close(&h);
}

static void submit_await_cancel__say_what_became_of_it(void **state)
{
    (void)state;
    struct house h;
    house_open(&h);
    hold(&h, true);
    Cuzk__V1__SubmitProofRequest q = make_request(PROOF_WINNING, "", "n");
    q.request_id = data_of("a\0b", 3);
    ProtobufCMessage *m = call(&h, "SubmitProof", &q.base, &cuzk__v1__submit_proof_response__descriptor);
    assert_int_equal(((Cuzk__V1__SubmitProofResponse *)m)->job_id.len, 3);
    protobuf_c_message_free_unpacked(m, NULL);

    Cuzk__V1__AwaitProofRequest wait = CUZK__V1__AWAIT_PROOF_REQUEST__INIT;
    wait.job_id = q.request_id;
    wait.timeout_ms = 50;
    m = call(&h, "AwaitProof", &wait.base, &cuzk__v1__await_proof_response__descriptor);
    assert_int_equal(((Cuzk__V1__AwaitProofResponse *)m)->status, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT);
    protobuf_c_message_free_unpacked(m, NULL);

    stub_wait_proving(&h.stub, 1);
    Cuzk__V1__CancelProofRequest cancel = CUZK__V1__CANCEL_PROOF_REQUEST__INIT;
    cancel.job_id = q.request_id;
    m = call(&h, "CancelProof", &cancel.base, &cuzk__v1__cancel_proof_response__descriptor);
    assert_true(((Cuzk__V1__CancelProofResponse *)m)->was_running);
    protobuf_c_message_free_unpacked(m, NULL);
    m = call(&h, "AwaitProof", &wait.base, &cuzk__v1__await_proof_response__descriptor);
    assert_int_equal(((Cuzk__V1__AwaitProofResponse *)m)->status, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED);
    protobuf_c_message_free_unpacked(m, NULL);

    wait.job_id = text_data("nobody");
    assert_int_equal(
        channel_call(&m, h.channel, "AwaitProof", &wait.base, &cuzk__v1__await_proof_response__descriptor, 0, NULL),
        CUZK_ERR_MISSING);
    house_close(&h);
}

static void parameters__are_loaded_and_dropped(void **state)
{
    (void)state;
    struct house h;
    house_open(&h);
    Cuzk__V1__PreloadSrsRequest load = CUZK__V1__PRELOAD_SRS_REQUEST__INIT;
    Cuzk__V1__EvictSrsRequest drop = CUZK__V1__EVICT_SRS_REQUEST__INIT;
    load.circuit_id = drop.circuit_id = (char *)(uintptr_t) "winning-2k";
    for (int i = 0; i < 2; i++) {
        ProtobufCMessage *m = call(&h, "PreloadSRS", &load.base, &cuzk__v1__preload_srs_response__descriptor);
        assert_int_equal(((Cuzk__V1__PreloadSrsResponse *)m)->already_loaded, i == 1);
        protobuf_c_message_free_unpacked(m, NULL);
    }
    for (int i = 0; i < 2; i++) {
        ProtobufCMessage *m = call(&h, "EvictSRS", &drop.base, &cuzk__v1__evict_srs_response__descriptor);
        assert_int_equal(((Cuzk__V1__EvictSrsResponse *)m)->was_loaded, i == 0);
        protobuf_c_message_free_unpacked(m, NULL);
    }
    house_close(&h);
}

/* The body of a GET; to be freed. */
static char *http_get(const struct house *h, const char *path, int *code)
{
    static char all[1 << 20];
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)http_server_port(h->http)) };
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
    int n = snprintf(all, sizeof all, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path);
    assert_int_equal(write(fd, all, (size_t)n), n);
    size_t used = 0;
    ssize_t got;
    while ((got = read(fd, all + used, sizeof all - 1 - used)) > 0) used += (size_t)got;
    close(fd);
    all[used] = '\0';
    assert_int_equal(sscanf(all, "HTTP/1.1 %d", code), 1);
    return strdup(strstr(all, "\r\n\r\n") + 4);
}

static void http__shows_a_running_job(void **state)
{
    (void)state;
    struct house h;
    int code;
    house_open(&h);
    hold(&h, true);
    Cuzk__V1__SubmitProofRequest q = make_request(PROOF_POREP, "[1 2 3]", "n");
    ProtobufCMessage *m = call(&h, "SubmitProof", &q.base, &cuzk__v1__submit_proof_response__descriptor);
    protobuf_c_message_free_unpacked(m, NULL);
    stub_wait_proving(&h.stub, 1);
    char *text = http_get(&h, "/status", &code);
    json_t *j = json_loads(text, 0, NULL);
    assert_int_equal(code, 200);
    assert_non_null(j);
    json_t *pipeline = json_array_get(json_object_get(j, "pipelines"), 0);
    assert_string_equal(json_string_value(json_object_get(pipeline, "job_id")), "[1 2 3]");
    assert_int_equal(json_integer_value(json_object_get(pipeline, "total_partitions")), 10);
    json_decref(j);
    free(text);
    static const struct {
        const char *path, *part;
        int code;
    } cases[] = { { "/healthz", "ok", 200 },
                  { "/readyz", "ready", 200 },
                  { "/metrics", "cuzk_jobs_in_progress{proof_kind=\"porep_c2\"} 1\n", 200 },
                  { "/", "<title>cuzk</title>", 200 },
                  { "/etc/passwd", "not found", 404 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text = http_get(&h, cases[i].path, &code);
        assert_int_equal(code, cases[i].code);
        if (!strstr(text, cases[i].part)) fail_msg("%s: %s", cases[i].path, text);
        free(text);
    }
    Cuzk__V1__GetStatusRequest ask = CUZK__V1__GET_STATUS_REQUEST__INIT;
    m = call(&h, "GetStatus", &ask.base, &cuzk__v1__get_status_response__descriptor);
    const Cuzk__V1__GetStatusResponse *s = (const Cuzk__V1__GetStatusResponse *)m;
    assert_int_equal(s->n_queues, 1);
    assert_string_equal(s->queues[0]->proof_kind, "porep-c2");
    assert_int_equal(s->queues[0]->in_progress, 1);
    protobuf_c_message_free_unpacked(m, NULL);
    house_close(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(prove__answers_every_kind),
        test(prove__gone_client_leaves_and_joins_again),
        test(submit_await_cancel__say_what_became_of_it),
        test(parameters__are_loaded_and_dropped),
        test(http__shows_a_running_job),
    };
    return run_tests(tests);
}
