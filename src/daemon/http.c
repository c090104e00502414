#include "daemon/http.h"

#include "daemon/built_in.h"
#include "daemon/metrics.h"
#include "daemon/status_json.h"
#include "engine/snapshot.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HTTP_THREADS = 2, HTTP_TIMEOUT_S = 15, HTTP_CONNECTIONS = 128, BACKLOG = 64 };

struct http_server {
    struct MHD_Daemon *daemon;
    struct engine *engine;
    struct log *log;
    unsigned port;
};

/* What a route answers with. */
struct answer {
    unsigned code;
    const char *type;
    char *text; /* freed after it was sent; NULL: `fixed` */
    const void *fixed;
    size_t size;
};

static void answer_text(struct answer *a, unsigned code, const char *type, char *text)
{
    *a = (struct answer){ .code = code, .type = type, .text = text, .size = text ? strlen(text) : 0 };
    if (!text) *a = (struct answer){ .code = 503, .type = "text/plain", .fixed = "no memory\n", .size = 10 };
}

static void get_health(struct answer *a, struct http_server *h)
{
    (void)h;
    *a = (struct answer){ .code = 200, .type = "text/plain", .fixed = "ok\n", .size = 3 };
}

static void get_readiness(struct answer *a, struct http_server *h)
{
    struct engine_readiness *r = calloc(1, sizeof *r);
    char *text = r ? malloc(sizeof r->reason + READINESS_REASONS + 8) : NULL;
    bool ready = false;
    if (text) {
        engine_readiness(h->engine, r);
        ready = r->ready;
        size_t used = 0;
        for (size_t i = 0; i < r->count; i++) used += (size_t)sprintf(text + used, "%s\n", r->reason[i]);
        if (ready) strcpy(text, "ready\n");
    }
    free(r);
    answer_text(a, ready ? 200 : 503, "text/plain; charset=utf-8", text);
}

static void get_status(struct answer *a, struct http_server *h)
{
    answer_text(a, 200, "application/json", status_json(h->engine));
}

static void get_metrics(struct answer *a, struct http_server *h)
{
    answer_text(a, 200, "text/plain; version=0.0.4; charset=utf-8", metrics_text(h->engine));
}

static void get_page(struct answer *a, struct http_server *h)
{
    (void)h;
    *a = (struct answer){
        .code = 200, .type = "text/html; charset=utf-8", .fixed = status_page, .size = status_page_size
    };
}

static const struct {
    const char *path;
    void (*get)(struct answer *a, struct http_server *h);
} routes[] = {
    { "/", get_page },         { "/healthz", get_health },  { "/readyz", get_readiness },
    { "/status", get_status }, { "/metrics", get_metrics },
};

static void find_answer(struct answer *a, struct http_server *h, const char *path, const char *method)
{
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        if (strcmp(routes[i].path, path) != 0) continue;
        if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0) {
            routes[i].get(a, h);
        } else {
            *a = (struct answer){ .code = 405, .type = "text/plain", .fixed = "GET only\n", .size = 9 };
        }
        return;
    }
    *a = (struct answer){ .code = 404, .type = "text/plain", .fixed = "not found\n", .size = 10 };
}

static struct MHD_Response *make_response(const struct answer *a)
{
    struct MHD_Response *r =
        a->text ? MHD_create_response_from_buffer(a->size, a->text, MHD_RESPMEM_MUST_FREE)
                : MHD_create_response_from_buffer(a->size, (void *)(uintptr_t)a->fixed, MHD_RESPMEM_PERSISTENT);
    if (!r) {
        free(a->text);
        return NULL;
    }
    MHD_add_response_header(r, "Content-Type", a->type);
    MHD_add_response_header(r, "Cache-Control", "no-store");
    MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
    if (strncmp(a->type, "text/html", 9) == 0) {
        MHD_add_response_header(r, "Content-Security-Policy",
                                "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                                "connect-src 'self'; img-src data:");
    }
    if (strcmp(a->type, "application/json") == 0) MHD_add_response_header(r, "Access-Control-Allow-Origin", "*");
    if (a->code == 405) MHD_add_response_header(r, "Allow", "GET, HEAD");
    return r;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *upload, size_t *upload_size,
                                  void **state)
{
    static int seen; /* only its address is used */
    (void)version;
    (void)upload;
    if (!*state) { /* headers are here; a body, if any, follows and is passed over */
        *state = &seen;
        return MHD_YES;
    }
    if (*upload_size) {
        *upload_size = 0;
        return MHD_YES;
    }
    struct http_server *h = context;
    struct answer a;
    find_answer(&a, h, path, method);
    log_debug(h->log, LOG_HTTP, "%s %.200s: %u", method, path, a.code);
    struct MHD_Response *r = make_response(&a);
    if (!r) return MHD_NO;
    enum MHD_Result result = MHD_queue_response(connection, a.code, r);
    MHD_destroy_response(r);
    return result;
}

/* A listening socket of our own: errors are then known by their number. */
static cuzk_status open_listener(int *out, const struct address *a, cuzk_error *err)
{
    char port[8];
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV }, *found = NULL;
    snprintf(port, sizeof port, "%u", a->port);
    int bad = getaddrinfo(a->host, port, &hints, &found);
    if (bad) {
        return cuzk_fail(err, CUZK_ERR_CONFIG, "daemon.status_listen: \"%s\": %s", a->host, gai_strerror(bad));
    }
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
    bool good = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
                bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0;
    int why = errno;
    freeaddrinfo(found);
    if (!good) {
        if (fd >= 0) close(fd);
        return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "daemon.status_listen: cannot listen on %s:%u: %s", a->host,
                         a->port, strerror(why));
    }
    *out = fd;
    return CUZK_OK;
}

static unsigned port_of(int fd)
{
    struct sockaddr_storage s;
    socklen_t size = sizeof s;
    char port[8] = "0";
    if (getsockname(fd, (struct sockaddr *)&s, &size) == 0) {
        getnameinfo((struct sockaddr *)&s, size, NULL, 0, port, sizeof port, NI_NUMERICSERV);
    }
    return (unsigned)atoi(port);
}

cuzk_status http_server_create(struct http_server **out, const struct address *listen_on, struct engine *engine,
                               struct log *log, cuzk_error *err)
{
    *out = NULL;
    int fd = -1;
    cuzk_status status = open_listener(&fd, listen_on, err);
    if (status != CUZK_OK) return status;
    struct http_server *h = calloc(1, sizeof *h);
    if (h) {
        h->engine = engine;
        h->log = log;
        h->port = port_of(fd);
        h->daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_request, h,
                                     MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_THREAD_POOL_SIZE,
                                     (unsigned)HTTP_THREADS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)HTTP_TIMEOUT_S,
                                     MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_CONNECTIONS, MHD_OPTION_END);
    }
    if (!h || !h->daemon) {
        free(h);
        close(fd);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "cannot start the HTTP server");
    }
    *out = h;
    return CUZK_OK;
}

unsigned http_server_port(const struct http_server *h) { return h->port; }

void http_server_destroy(struct http_server *h)
{
    if (!h) return;
    MHD_stop_daemon(h->daemon);
    free(h);
}
