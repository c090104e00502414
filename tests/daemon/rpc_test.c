/* The transport alone, over a toy service, with the client's side of the same library. */
#include "daemon/channel.h"
#include "daemon/rpc.h"
#include "health.pb-c.h"
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* The messages are HealthCheckRequest {service} and HealthCheckResponse {status}. */
typedef Grpc__Health__V1__HealthCheckRequest ask;
typedef Grpc__Health__V1__HealthCheckResponse answer;

struct toy {
    char folder[64], path[96];
    struct address address;
    struct rpc_server *server;
    _Atomic uint64_t charged, charged_most, budget;
    atomic_int gone;
    struct rpc_call *waiting; /* of Wait */
    pthread_mutex_t lock;
};

/* Answers with the size of the text. */
static void toy_size(struct rpc_call *call, void *context)
{
    (void)context;
    struct bytes m = rpc_message(call);
    ask *q = grpc__health__v1__health_check_request__unpack(NULL, m.size, m.data);
    if (!q) {
        rpc_fail(call, RPC_INVALID_ARGUMENT, "no message");
        return;
    }
    answer r = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__INIT;
    r.status = (Grpc__Health__V1__HealthCheckResponse__ServingStatus)strlen(q->service);
    grpc__health__v1__health_check_request__free_unpacked(q, NULL);
    rpc_reply(call, &r.base);
    rpc_reply(call, &r.base); /* ignored */
    rpc_fail(call, RPC_INTERNAL, "ignored too");
}

static void toy_gone(struct rpc_call *call)
{
    struct toy *t = rpc_context(call);
    atomic_fetch_add(&t->gone, 1);
    rpc_fail(call, RPC_CANCELLED, "gone");
}

/* Answers never. */
static void toy_wait(struct rpc_call *call, void *context)
{
    (void)context;
    rpc_on_gone(call, toy_gone);
}

static void toy_slow(struct rpc_call *call, void *context)
{
    usleep(300000);
    toy_size(call, context);
}

static const struct rpc_method methods[] = {
    { "/toy.Toy/Quick", RPC_QUICK, toy_size, NULL, NULL },
    { "/toy.Toy/Upload", RPC_UPLOAD, toy_size, NULL, NULL },
    { "/toy.Toy/Wait", RPC_UPLOAD, toy_wait, NULL, NULL },
    { "/toy.Toy/Slow", RPC_SLOW, toy_slow, NULL, NULL },
};

static bool charge(void *memory, uint64_t bytes)
{
    struct toy *t = memory;
    uint64_t now = atomic_fetch_add(&t->charged, bytes) + bytes;
    if (now > t->budget) {
        atomic_fetch_sub(&t->charged, bytes);
        return false;
    }
    if (now > t->charged_most) t->charged_most = now;
    return true;
}

static void credit(void *memory, uint64_t bytes)
{
    struct toy *t = memory;
    assert_true(atomic_fetch_sub(&t->charged, bytes) >= bytes);
}

enum { MAX_MESSAGE = 1 << 20 };

static struct rpc_options toy_options(struct toy *t)
{
    return (struct rpc_options){
        .listen = &t->address,
        .listen_count = 1,
        .socket_mode = 0600,
        .socket_group = "",
        .max_message = MAX_MESSAGE,
        .charge = charge,
        .credit = credit,
        .memory = t,
        .methods = methods,
        .method_count = sizeof methods / sizeof *methods,
        .context = t,
    };
}

static void toy_open(struct toy *t)
{
    memset(t, 0, sizeof *t);
    strcpy(t->folder, "/tmp/cuzk-rpc-XXXXXX");
    assert_non_null(mkdtemp(t->folder));
    snprintf(t->path, sizeof t->path, "%s/s", t->folder);
    t->budget = 8 * MAX_MESSAGE;
    pthread_mutex_init(&t->lock, NULL);
    t->address = (struct address){ .unix_socket = true };
    snprintf(t->address.host, sizeof t->address.host, "%s", t->path);
}

static void toy_serve(struct toy *t)
{
    cuzk_error err = { "" };
    struct rpc_options o = toy_options(t);
    if (rpc_server_create(&t->server, &o, &err) != CUZK_OK) fail_msg("%s", err.detail);
    assert_int_equal(rpc_server_start(t->server, 4 * MAX_MESSAGE, &err), CUZK_OK);
}

static void toy_close(struct toy *t)
{
    if (t->server) rpc_server_stop(t->server, 100);
    rpc_server_destroy(t->server);
    char name[128];
    snprintf(name, sizeof name, "%s.lock", t->path);
    unlink(name);
    unlink(t->path);
    rmdir(t->folder);
    pthread_mutex_destroy(&t->lock);
}

static struct channel *connect_to(const struct toy *t)
{
    char text[128];
    struct channel *c;
    snprintf(text, sizeof text, "unix://%s", t->path);
    struct channel_options o = { .address = text };
    assert_int_equal(channel_open(&c, &o, NULL), CUZK_OK);
    return c;
}

static cuzk_status call(struct channel *c, const char *method, size_t size, uint64_t timeout, int *out,
                        cuzk_error *err)
{
    char *text = malloc(size + 1);
    memset(text, 'x', size);
    text[size] = '\0';
    ask q = GRPC__HEALTH__V1__HEALTH_CHECK_REQUEST__INIT;
    q.service = text;
    ProtobufCMessage *m;
    cuzk_status status =
        channel_call(&m, c, method, &q.base, &grpc__health__v1__health_check_response__descriptor, timeout, err);
    free(text);
    if (status != CUZK_OK) return status;
    *out = (int)((answer *)m)->status;
    protobuf_c_message_free_unpacked(m, NULL);
    return CUZK_OK;
}

static void calls__are_answered_on_every_lane(void **state)
{
    (void)state;
    struct toy t;
    int size = 0;
    toy_open(&t);
    toy_serve(&t);
    struct channel *c = connect_to(&t);
    assert_int_equal(call(c, "/toy.Toy/Quick", 7, 0, &size, NULL), CUZK_OK);
    assert_int_equal(size, 7);
    assert_int_equal(call(c, "/toy.Toy/Upload", MAX_MESSAGE - 10, 0, &size, NULL), CUZK_OK);
    assert_int_equal(size, MAX_MESSAGE - 10);
    assert_int_equal(call(c, "/toy.Toy/Slow", 0, 0, &size, NULL), CUZK_OK);
    assert_int_equal(size, 0);
    cuzk_error err = { "" };
    assert_int_equal(call(c, "/toy.Toy/Nothing", 0, 0, &size, &err), CUZK_ERR_UNAVAILABLE);
    assert_non_null(strstr(err.detail, "unknown method"));
    channel_close(c);
    toy_close(&t);
    assert_int_equal(t.charged, 0);
}

static void upload__beyond_the_limit_is_refused(void **state)
{
    (void)state;
    struct toy t;
    int size;
    toy_open(&t);
    toy_serve(&t);
    struct channel *c = connect_to(&t);
    assert_int_equal(call(c, "/toy.Toy/Upload", MAX_MESSAGE + 1, 0, &size, NULL), CUZK_ERR_RESOURCE);
    assert_int_equal(call(c, "/toy.Toy/Upload", 1, 0, &size, NULL), CUZK_OK);
    channel_close(c);
    toy_close(&t);
    assert_int_equal(t.charged, 0);
}

static void deadline__ends_a_call_that_waits(void **state)
{
    (void)state;
    struct toy t;
    int size;
    toy_open(&t);
    toy_serve(&t);
    struct channel *c = connect_to(&t);
    assert_int_equal(call(c, "/toy.Toy/Wait", 1, 100, &size, NULL), CUZK_ERR_RESOURCE);
    for (int i = 0; i < 300 && !t.gone; i++) usleep(10000);
    assert_int_equal(t.gone, 1);
    channel_close(c);
    toy_close(&t);
}

struct many {
    struct toy *t;
    atomic_int good;
};

static void *many_main(void *context)
{
    struct many *m = context;
    struct channel *c = connect_to(m->t);
    int size = 0;
    for (int i = 0; i < 8; i++) {
        if (call(c, "/toy.Toy/Upload", 100000, 0, &size, NULL) == CUZK_OK && size == 100000)
            atomic_fetch_add(&m->good, 1);
    }
    channel_close(c);
    return NULL;
}

/* More at once than the budget holds: they wait their turn, and what is charged stays below it. */
static void uploads__share_the_budget(void **state)
{
    (void)state;
    struct toy t;
    toy_open(&t);
    t.budget = 2 * MAX_MESSAGE;
    toy_serve(&t);
    struct many m = { .t = &t };
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) assert_int_equal(pthread_create(&threads[i], NULL, many_main, &m), 0);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
    assert_int_equal(m.good, 64);
    toy_close(&t);
    assert_int_equal(t.charged, 0);
    assert_true(t.charged_most <= t.budget && t.charged_most > 0);
}

/* No budget at all: one at a time is let in. */
static void uploads__go_on_without_budget(void **state)
{
    (void)state;
    struct toy t;
    int size;
    toy_open(&t);
    t.budget = 0;
    toy_serve(&t);
    struct channel *c = connect_to(&t);
    assert_int_equal(call(c, "/toy.Toy/Upload", 5, 0, &size, NULL), CUZK_OK);
    channel_close(c);
    toy_close(&t);
}

static void socket__is_taken_by_one_server_only(void **state)
{
    (void)state;
    struct toy t, second;
    cuzk_error err = { "" };
    toy_open(&t);
    toy_serve(&t);
    struct stat s;
    assert_int_equal(stat(t.path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0600);
    second = t;
    struct rpc_options o = toy_options(&second);
    assert_int_equal(rpc_server_create(&second.server, &o, &err), CUZK_ERR_UNAVAILABLE);
    assert_null(second.server);
    assert_int_equal(stat(t.path, &s), 0); /* still there, still answers */
    struct channel *c = connect_to(&t);
    int size;
    assert_int_equal(call(c, "/toy.Toy/Quick", 1, 2000, &size, &err), CUZK_OK);
    channel_close(c);
    toy_close(&t);
}

static void socket__of_a_dead_server_is_replaced(void **state)
{
    (void)state;
    struct toy t;
    toy_open(&t);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    strcpy(a.sun_path, t.path);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    close(fd); /* the file stays */
    toy_serve(&t);
    struct channel *c = connect_to(&t);
    int size;
    assert_int_equal(call(c, "/toy.Toy/Quick", 1, 2000, &size, NULL), CUZK_OK);
    channel_close(c);
    toy_close(&t);
}

static void socket__never_replaces_a_file_or_a_foreign_server(void **state)
{
    (void)state;
    struct toy t;
    cuzk_error err = { "" };
    toy_open(&t);
    struct rpc_options o = toy_options(&t);
    int fd = open(t.path, O_CREAT | O_WRONLY, 0600);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
    assert_int_equal(rpc_server_create(&t.server, &o, &err), CUZK_ERR_CREATE);
    assert_non_null(strstr(err.detail, "not a socket"));
    unlink(t.path);

    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    strcpy(a.sun_path, t.path);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(listen(fd, 1), 0);
    assert_int_equal(rpc_server_create(&t.server, &o, &err), CUZK_ERR_UNAVAILABLE);
    close(fd);
    toy_close(&t);
}

static void tcp_port__is_not_shared(void **state)
{
    (void)state;
    struct toy t, second;
    cuzk_error err = { "" };
    toy_open(&t);
    t.address = (struct address){ .host = "127.0.0.1" };
    toy_serve(&t);
    unsigned port = rpc_server_port(t.server, 0);
    assert_true(port > 0);
    second = t;
    second.address.port = (uint16_t)port;
    struct rpc_options o = toy_options(&second);
    assert_int_equal(rpc_server_create(&second.server, &o, &err), CUZK_ERR_UNAVAILABLE);
    assert_non_null(strstr(err.detail, "already in use"));
    toy_close(&t);
}

static void token__is_wanted_over_tcp(void **state)
{
    (void)state;
    struct toy t;
    cuzk_error err = { "" };
    toy_open(&t);
    t.address = (struct address){ .host = "127.0.0.1" };
    struct rpc_options o = toy_options(&t);
    o.token = "0123456789abcdef";
    assert_int_equal(rpc_server_create(&t.server, &o, &err), CUZK_OK);
    assert_int_equal(rpc_server_start(t.server, MAX_MESSAGE, &err), CUZK_OK);
    char address[64], file[128];
    snprintf(address, sizeof address, "127.0.0.1:%u", rpc_server_port(t.server, 0));
    snprintf(file, sizeof file, "%s/token", t.folder);
    static const struct {
        const char *token;
        cuzk_status status;
    } cases[] = { { NULL, CUZK_ERR_UNAVAILABLE },
                  { "0123456789abcdeX", CUZK_ERR_UNAVAILABLE },
                  { "0123456789abcdef0", CUZK_ERR_UNAVAILABLE },
                  { "0123456789abcdef\n", CUZK_OK } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct channel_options co = { .address = address };
        struct channel *c;
        int size;
        if (cases[i].token) {
            FILE *f = fopen(file, "w");
            fputs(cases[i].token, f);
            fclose(f);
            co.token_file = file;
        }
        assert_int_equal(channel_open(&c, &co, &err), CUZK_OK);
        assert_int_equal(call(c, "/toy.Toy/Quick", 1, 5000, &size, &err), cases[i].status);
        channel_close(c);
    }
    unlink(file);
    toy_close(&t);
}

static void *waiting_main(void *context)
{
    struct channel *c = connect_to(context);
    int size;
    assert_int_equal(call(c, "/toy.Toy/Wait", 1, 0, &size, NULL), CUZK_ERR_UNAVAILABLE);
    channel_close(c);
    return NULL;
}

/* Calls that nobody answers end with the server's grace. */
static void stop__cancels_what_is_left(void **state)
{
    (void)state;
    struct toy t;
    pthread_t thread;
    toy_open(&t);
    toy_serve(&t);
    assert_int_equal(pthread_create(&thread, NULL, waiting_main, &t), 0);
    usleep(300000);
    rpc_server_stop(t.server, 50);
    pthread_join(thread, NULL);
    assert_int_equal(t.gone, 1);
    toy_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(calls__are_answered_on_every_lane),
        test(upload__beyond_the_limit_is_refused),
        test(deadline__ends_a_call_that_waits),
        test(uploads__share_the_budget),
        test(uploads__go_on_without_budget),
        test(socket__is_taken_by_one_server_only),
        test(socket__of_a_dead_server_is_replaced),
        test(socket__never_replaces_a_file_or_a_foreign_server),
        test(tcp_port__is_not_shared),
        test(token__is_wanted_over_tcp),
        test(stop__cancels_what_is_left),
    };
    signal(SIGPIPE, SIG_IGN);
    return run_tests(tests);
}
