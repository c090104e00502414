/* cuzk top: a daemon's state, again and again. */
#include "cli/client.h"
#include "cli/client_status.h"

#include "base/clock.h"
#include "daemon/units.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SHOWN_TIMEOUT_MS = 5000, BAR = 40 };

struct top_options {
    struct client_options client;
    uint64_t delay; /* ms */
    uint64_t count; /* 0: for ever */
};

static const struct argp_option arguments[] = {
    { "delay", 'd', "TIME", 0, "Time between two looks, default 1s", 0 },
    { "count", 'n', "N", 0, "End after N looks", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct top_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->client; return 0;
    case 'd':
        if (!duration_parse(&o->delay, arg) || o->delay < 100)
            argp_error(state, "-d: '%s' is no time from 100ms on", arg);
        return 0;
    case 'n': o->count = parse_number(state, "-n", arg, UINT32_MAX); return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument '%s'", arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
    (void)signal;
    interrupted = 1;
}

/* Proofs of the last minute, from totals that were seen at known times. */
struct rate {
    struct {
        uint64_t time, done;
    } seen[64];
    size_t count;
};

static double rate_per_minute(struct rate *r, uint64_t done)
{
    uint64_t now = clock_now();
    const size_t room = sizeof r->seen / sizeof *r->seen;
    if (r->count == room) memmove(&r->seen[0], &r->seen[1], --r->count * sizeof r->seen[0]);
    while (r->count && (now - r->seen[0].time > 60 * CLOCK_SECOND || r->seen[0].done > done)) {
        memmove(&r->seen[0], &r->seen[1], --r->count * sizeof r->seen[0]);
    }
    r->seen[r->count].time = now;
    r->seen[r->count++].done = done;
    uint64_t passed = now - r->seen[0].time;
    return passed ? 60.0 * (double)CLOCK_SECOND * (double)(done - r->seen[0].done) / (double)passed : 0;
}

static void print_bar(FILE *out, const char *name, uint64_t used, uint64_t total)
{
    int filled = total ? (int)((double)BAR * (double)used / (double)total + 0.5) : 0;
    if (filled > BAR) filled = BAR;
    fprintf(out, "%-8s[", name);
    for (int i = 0; i < BAR; i++) fputc(i < filled ? '#' : '.', out);
    fprintf(out, "] %3.0f %%\n", total ? 100.0 * (double)used / (double)total : 0.0);
}

/* One picture as text, so that it reaches the terminal in one write. */
static void draw(struct rate *rate, const char *address, const Cuzk__V1__GetStatusResponse *s, bool terminal)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return;
    time_t now = time(NULL);
    char when[16];
    strftime(when, sizeof when, "%H:%M:%S", localtime(&now));
    if (terminal) fputs("\033[H\033[J", out);
    fprintf(out, "cuzk top  %s  %s  %.1f proofs/min\n", when, address,
            rate_per_minute(rate, s->total_proofs_completed));
    print_bar(out, "memory", s->pinned_memory_bytes, s->pinned_memory_limit_bytes);
    status_to_text(out, s);
    if (!terminal) fputc('\n', out);
    fclose(out);
    fwrite(text, 1, size, stdout);
    fflush(stdout);
    free(text);
}

static void pause_for(uint64_t ms)
{
    nanosleep(&(struct timespec){ (time_t)(ms / 1000), (long)(ms % 1000) * 1000000 }, NULL);
}

static cuzk_status watch(struct channel *c, const struct top_options *o, bool terminal, cuzk_error *err)
{
    struct rate rate = { .count = 0 };
    cuzk_status status = CUZK_OK;
    for (uint64_t i = 0; !interrupted && (o->count == 0 || i < o->count); i++) {
        Cuzk__V1__GetStatusResponse *s;
        if (i) pause_for(o->delay);
        status = status_fetch(&s, c, o->client.timeout ? o->client.timeout : SHOWN_TIMEOUT_MS, err);
        if (status != CUZK_OK) break;
        if (o->client.json) {
            status = print_json(status_to_json(s), JSON_COMPACT, err);
        } else {
            draw(&rate, o->client.channel.address, s, terminal);
        }
        protobuf_c_message_free_unpacked(&s->base, NULL);
        if (status != CUZK_OK) break;
    }
    return status;
}

int command_top(int argc, char **argv)
{
    static const struct argp_child children[] = { { &client_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = {
        arguments, parse_option, NULL, "A daemon's state, live; Ctrl-C ends it.", children, 0, 0
    };
    struct top_options o = { .delay = 1000 };
    struct channel *c;
    cuzk_error err = { "" };
    client_options_init(&o.client);
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    bool terminal = isatty(STDOUT_FILENO) && !o.client.json;
    cuzk_status status = channel_open(&c, &o.client.channel, &err);
    if (status != CUZK_OK) return command_result(status, &err);
    sigaction(SIGINT, &(struct sigaction){ .sa_handler = on_signal }, NULL);
    sigaction(SIGTERM, &(struct sigaction){ .sa_handler = on_signal }, NULL);
    if (terminal) fputs("\033[?1049h\033[?25l", stdout); /* another screen, no cursor */
    status = watch(c, &o, terminal, &err);
    if (terminal) {
        fputs("\033[?25h\033[?1049l", stdout);
        fflush(stdout);
    }
    channel_close(c);
    return command_result(status, &err);
}
