#include "daemon/daemon.h"

#include "base/clock.h"
#include "daemon/config_engine.h"
#include "daemon/endpoints.h"
#include "daemon/http.h"
#include "daemon/service.h"
#include "engine/guest.h"
#include "engine/snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#ifndef CUZK_VERSION
#define CUZK_VERSION "unknown"
#endif

enum {
    TICK_MS = 100,    /* between looks at the drain */
    LOOK_MS = 1000,   /* and at the devices */
    EXTEND_MS = 2000, /* between extensions of systemd's stop timeout */
    GRACE_MS = 2000,  /* for replies that are on their way at the end */
    HURRY_MS = 3000,  /* from the second signal to the hard end */
    UPLOAD_SHARE = 4  /* uploads may hold this part of the budget */
};

struct daemon {
    struct config *config;
    const struct overrides *overrides;
    const struct steps *steps; /* NULL: the real ones */
    struct log *log;
    struct endpoints endpoints;
    struct service service;
    struct rpc_server *rpc;
    struct http_server *http;
    sigset_t signals;
};

cuzk_status overrides_load(struct config *out, const struct overrides *o, config_warn *warn, void *context,
                           cuzk_error *err)
{
    cuzk_status status = o->file ? config_load(out, o->file, warn, context, err) : config_defaults(out, err);
    if (status != CUZK_OK) return status;
    enum log_level level;
    if (o->listen_count) status = config_set_listen(out, o->listen, o->listen_count, err);
    if (status == CUZK_OK && o->log_level) {
        if (log_level_parse(&level, o->log_level)) {
            out->log_level = level;
        } else {
            status = cuzk_fail(err, CUZK_ERR_CONFIG, "--log-level: \"%s\" is no level", o->log_level);
        }
    }
    if (status != CUZK_OK) config_free(out);
    return status;
}

static void log_warning(void *context, const char *text) { log_warn((struct log *)context, LOG_MAIN, "%s", text); }

/* ---- opening ---- */

static bool charge_upload(void *memory, uint64_t bytes)
{
    return engine_charge(((struct service *)memory)->engine, bytes);
}

static void credit_upload(void *memory, uint64_t bytes) { engine_credit(((struct service *)memory)->engine, bytes); }

static cuzk_status open_rpc(struct daemon *d, cuzk_error *err)
{
    const struct config *c = d->config;
    struct rpc_options options = {
        .log = d->log,
        .listen = d->endpoints.grpc,
        .listen_count = d->endpoints.grpc_count,
        .socket_mode = (unsigned)c->socket_mode,
        .socket_group = c->socket_group,
        .max_message = c->max_message,
        .tls_cert = d->endpoints.tls_cert,
        .tls_key = d->endpoints.tls_key,
        .tls_client_ca = d->endpoints.tls_client_ca,
        .token = d->endpoints.token,
        .charge = charge_upload,
        .credit = credit_upload,
        .context = &d->service,
        .memory = &d->service,
    };
    options.methods = service_methods(&options.method_count);
    return rpc_server_create(&d->rpc, &options, err);
}

static cuzk_status start_rpc(struct daemon *d, cuzk_error *err)
{
    struct engine_status *s = NULL;
    cuzk_status status = engine_status(d->service.engine, &s, err);
    if (status != CUZK_OK) return status;
    uint64_t upload_limit = s->budget_limit / UPLOAD_SHARE;
    engine_status_free(s);
    return rpc_server_start(d->rpc, upload_limit, err);
}

static void log_listeners(const struct daemon *d)
{
    char target[ADDRESS_TEXT];
    for (size_t i = 0; i < d->endpoints.grpc_count; i++) {
        struct address a = d->endpoints.grpc[i];
        if (!a.unix_socket) a.port = (uint16_t)rpc_server_port(d->rpc, i);
        address_target(target, &a);
        bool tls = !a.unix_socket && d->endpoints.tls_cert;
        log_info(d->log, LOG_RPC, "listening on %s%s%s", target, tls ? ", TLS" : "",
                 !a.unix_socket && d->endpoints.token ? ", token" : "");
    }
    if (d->http)
        log_info(d->log, LOG_HTTP, "status page at http://%s:%u/", d->endpoints.http.host, http_server_port(d->http));
}

/* The sockets are bound before the engine opens its journal and devices: a second daemon goes away unheard. */
static cuzk_status daemon_open(struct daemon *d, cuzk_error *err)
{
    struct engine_config engine;
    cuzk_status status = endpoints_plan(&d->endpoints, d->config, log_warning, d->log, err);
    if (status != CUZK_OK) return status;
    health_init(&d->service.health);
    d->service.log = d->log;
    status = open_rpc(d, err);
    if (status != CUZK_OK) return status;
    config_engine(&engine, d->config, d->log);
    status = d->steps ? engine_create_with(&d->service.engine, &engine, d->steps, err)
                      : engine_create(&d->service.engine, &engine, err);
    if (status != CUZK_OK) return status;
    if (d->endpoints.has_http) {
        status = http_server_create(&d->http, &d->endpoints.http, d->service.engine, d->log, err);
        if (status != CUZK_OK) return status;
    }
    status = start_rpc(d, err);
    if (status == CUZK_OK) health_set(&d->service.health, true);
    return status;
}

static void daemon_close(struct daemon *d)
{
    if (d->rpc) rpc_server_stop(d->rpc, GRACE_MS);
    http_server_destroy(d->http);
    rpc_server_destroy(d->rpc);
    engine_destroy(d->service.engine);
    health_destroy(&d->service.health);
    endpoints_free(&d->endpoints);
}

/* ---- signals ---- */

static int next_signal(const struct daemon *d, uint64_t timeout_ms)
{
    struct timespec t = { (time_t)(timeout_ms / 1000), (long)(timeout_ms % 1000) * 1000000 };
    return sigtimedwait(&d->signals, NULL, &t);
}

static void reload(struct daemon *d)
{
    struct config fresh;
    struct engine_config engine;
    cuzk_error err = { "" };
    sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, clock_now() / 1000);
    cuzk_status status = overrides_load(&fresh, d->overrides, log_warning, d->log, &err);
    if (status == CUZK_OK) {
        config_log_levels(d->log, &fresh);
        config_engine(&engine, &fresh, d->log);
        status = engine_reconfigure(d->service.engine, &engine, &err);
        config_free(&fresh);
    }
    if (status == CUZK_OK) {
        log_info(d->log, LOG_MAIN, "log levels and limits are read again; other keys need a restart");
    } else {
        log_error(d->log, LOG_MAIN, "the configuration stays as it was: %s", err.detail);
    }
    sd_notify(0, "READY=1");
}

struct drain {
    struct engine *engine;
    uint64_t timeout_ms;
    _Atomic bool done;
    bool clean;
};

static void *drain_main(void *context)
{
    struct drain *drain = context;
    drain->clean = engine_drain(drain->engine, drain->timeout_ms);
    drain->done = true;
    return NULL;
}

/* The second signal: at once, but in order if that takes no time. */
static void hurry(struct daemon *d, struct drain *drain, int signal)
{
    log_warn(d->log, LOG_MAIN, "second signal: ending now");
    engine_hurry(drain->engine);
    uint64_t until = clock_now() + HURRY_MS * CLOCK_MS;
    while (!drain->done && clock_now() < until) usleep(10000);
    if (!drain->done) _exit(128 + signal);
}

/* Lets running jobs end. New ones are refused, everything else is still answered. */
static void drain(struct daemon *d, int signal)
{
    struct drain drain = { .engine = d->service.engine, .timeout_ms = d->config->drain_timeout };
    pthread_t thread;
    log_info(d->log, LOG_MAIN, "%s: draining", strsignal(signal));
    health_set(&d->service.health, false);
    sd_notify(0, "STOPPING=1\nSTATUS=draining");
    if (pthread_create(&thread, NULL, drain_main, &drain) != 0) return;
    uint64_t extended = 0;
    while (!drain.done) {
        uint64_t now = clock_now();
        if (now - extended > EXTEND_MS * CLOCK_MS) {
            sd_notifyf(0, "EXTEND_TIMEOUT_USEC=%d", 5 * EXTEND_MS * 1000);
            extended = now;
        }
        int again = next_signal(d, TICK_MS);
        if (again == SIGTERM || again == SIGINT) hurry(d, &drain, again);
    }
    pthread_join(thread, NULL);
    log_info(d->log, LOG_MAIN, drain.clean ? "drained" : "drained: some jobs were cut short");
}

/* Until a signal ends it, or until only a new process can go on: systemd starts one (Restart=on-failure). */
static cuzk_status serve(struct daemon *d)
{
    uint64_t watchdog_us = 0, wait_ms = LOOK_MS;
    if (sd_watchdog_enabled(0, &watchdog_us) > 0 && watchdog_us / 2000 < wait_ms) wait_ms = watchdog_us / 2000;
    sd_notify(0, "READY=1\nSTATUS=serving");
    for (;;) {
        int signal = next_signal(d, wait_ms);
        if (signal == SIGTERM || signal == SIGINT) {
            drain(d, signal);
            return CUZK_OK;
        }
        if (signal == SIGHUP) reload(d);
        if (engine_lost(d->service.engine)) {
            health_set(&d->service.health, false);
            log_error(d->log, LOG_MAIN, "all devices are lost to this process: it ends, to be started again");
            return CUZK_ERR_UNAVAILABLE;
        }
        sd_notify(0, "WATCHDOG=1");
    }
}

/* Before any thread starts: only next_signal takes them. */
static void block_signals(struct daemon *d)
{
    sigemptyset(&d->signals);
    sigaddset(&d->signals, SIGTERM);
    sigaddset(&d->signals, SIGINT);
    sigaddset(&d->signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &d->signals, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int daemon_run(struct config *config, const struct overrides *overrides, const struct steps *steps)
{
    struct daemon d = { .config = config, .overrides = overrides, .steps = steps };
    cuzk_error err = { "" };
    block_signals(&d);
    cuzk_status status = log_create(&d.log, STDERR_FILENO, config->log_format == LOG_FORMAT_JSON,
                                    (enum log_level)config->log_level, &err);
    if (status != CUZK_OK) return cuzk_status_exit_code(status);
    config_log_levels(d.log, config);
    log_info(d.log, LOG_MAIN, "cuzkd " CUZK_VERSION ", process %ld", (long)getpid());
    status = daemon_open(&d, &err);
    if (status == CUZK_OK) {
        log_listeners(&d);
        status = serve(&d);
    } else {
        log_error(d.log, LOG_MAIN, "cannot start: %s", err.detail);
    }
    /* From here on a signal ends the process. */
    pthread_sigmask(SIG_UNBLOCK, &d.signals, NULL);
    daemon_close(&d);
    log_info(d.log, LOG_MAIN, "bye");
    log_destroy(d.log);
    return cuzk_status_exit_code(status);
}
