/* compare-blst [--json] [--quick] [--log-max K] [--repeat N] [--seconds S] [--threads N] */
#include "compare/contest.h"

#include "math/cpu.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEY_JSON = 256, KEY_QUICK, KEY_LOG_MAX, KEY_REPEAT, KEY_SECONDS, KEY_THREADS };

static const struct argp_option options[] = {
    { "json", KEY_JSON, NULL, 0, "an array of {name, size, threads, ours_ms, blst_ms, ratio}", 0 },
    { "quick", KEY_QUICK, NULL, 0, "small sizes, few rounds: a minute's look", 0 },
    { "log-max", KEY_LOG_MAX, "K", 0, "the largest G1 sum is 2^K, the largest G2 sum 2^(K-2) (20)", 0 },
    { "repeat", KEY_REPEAT, "N", 0, "rounds of a comparison (11)", 0 },
    { "seconds", KEY_SECONDS, "S", 0, "no further round of a comparison after S seconds (20)", 0 },
    { "threads", KEY_THREADS, "N", 0, "compare with one thread and with N (2)", 0 },
    { 0 },
};

static unsigned number(struct argp_state *state, const char *name, const char *text, unsigned least, unsigned most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*end || end == text || value < least || value > most) {
        argp_error(state, "%s: a number from %u to %u expected, not '%s'", name, least, most, text);
    }
    return (unsigned)value;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct settings *s = state->input;
    switch (key) {
    case KEY_JSON: s->json = true; break;
    case KEY_QUICK:
        s->log_max = 16;
        s->repeat = 5;
        s->seconds = 3;
        break;
    case KEY_LOG_MAX: s->log_max = number(state, "--log-max", arg, 10, 22); break;
    case KEY_REPEAT: s->repeat = number(state, "--repeat", arg, 1, 1000); break;
    case KEY_SECONDS: s->seconds = number(state, "--seconds", arg, 1, 3600); break;
    case KEY_THREADS: s->threads = number(state, "--threads", arg, 1, 256); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct argp argp = { options, parse_option, NULL, "Compares our arithmetic with blst's, turn by turn.",
                               NULL, NULL, NULL };
    struct settings s = { .repeat = 11, .seconds = 20, .log_max = 20, .threads = 2 };
    argp_parse(&argp, argc, argv, 0, NULL, &s);
    if (!s.json) printf("our level: %s\n", cpu_level_name(cpu_level()));
    compare_fields(&s);
    compare_pairings(&s);
    compare_sums(&s);
    if (s.json) printf("\n]\n");
    return 0;
}
