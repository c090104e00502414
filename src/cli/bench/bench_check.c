/* cuzk bench check: a few ratios against a committed baseline; names what moved. Exit code 1 if anything moved further
 * than its tolerance, in either direction: a change for the better wants a new baseline.
 *
 * The baseline has an object for each level of arithmetic (math/cpu.h), since a machine with AVX-512 IFMA has other
 * ratios than one without: {"adx": {"NAME": {"value": 1.5, "tolerance": 0.2}, …}, …}. Tolerances are relative. */
#include "cli/bench/bench_check.h"

#include "cli/bench/bench_ratios.h"
#include "cli/command.h"
#include "cli/report/report.h"
#include "math/cpu.h"

#include <stdio.h>
#include <string.h>

struct check_options {
    const char *baseline;
    bool update;
};

enum { KEY_BASELINE = 256, KEY_UPDATE };

static const struct argp_option options[] = {
    { "baseline", KEY_BASELINE, "FILE", 0, "what to compare with (bench/baseline.json)", 0 },
    { "update", KEY_UPDATE, NULL, 0, "write what was measured there, keeping tolerances", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct check_options *o = state->input;
    switch (key) {
    case KEY_BASELINE: o->baseline = arg; break;
    case KEY_UPDATE: o->update = true; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const double default_tolerance = 0.25;

static double tolerance_of(const json_t *expected)
{
    double tolerance = report_number(expected, "tolerance");
    return tolerance > 0 ? tolerance : default_tolerance;
}

/* Prints one line; true if it moved too far. */
static bool compare(const char *name, double measured, const json_t *expected)
{
    double value = report_number(expected, "value"), tolerance = tolerance_of(expected);
    double moved = value > 0 ? measured / value : 0;
    bool far = moved > 1 + tolerance || moved < 1 / (1 + tolerance);
    if (!expected) printf("%-46s %9.3f   not in the baseline\n", name, measured);
    else if (measured == 0) printf("%-46s       ---   baseline %.3f   NOT MEASURED\n", name, value);
    else
        printf("%-46s %9.3f   baseline %9.3f  %+6.1f %% (allowed %.0f %%)%s\n", name, measured, value,
               100 * (moved - 1), 100 * tolerance, far ? "   MOVED" : "");
    return expected && far;
}

static unsigned compare_all(const json_t *measured, const json_t *expected)
{
    const char *name;
    json_t *value;
    unsigned far = 0;
    json_object_foreach((json_t *)measured, name, value) {
        far += compare(name, json_number_value(value), json_object_get(expected, name));
    }
    json_object_foreach((json_t *)expected, name, value) {
        if (!json_object_get(measured, name)) far += compare(name, 0, value);
    }
    return far;
}

static cuzk_status update(json_t *baseline, const char *level, const json_t *measured, const char *path,
                          cuzk_error *err)
{
    const json_t *old = json_object_get(baseline, level);
    const char *name;
    json_t *value, *fresh = json_object();
    json_object_foreach((json_t *)measured, name, value) {
        json_object_set_new(fresh, name, json_pack("{s:f, s:f}", "value", json_number_value(value), "tolerance",
                                                   tolerance_of(json_object_get(old, name))));
    }
    json_object_set_new(baseline, level, fresh);
    int bad = json_dump_file(baseline, path, JSON_INDENT(1) | JSON_REAL_PRECISION(4));
    return bad ? cuzk_fail(err, CUZK_ERR_WRITE, "%s cannot be written", path) : CUZK_OK;
}

static cuzk_status check(const struct check_options *o, cuzk_error *err)
{
    json_error_t why = { .text = "" };
    const char *level = cpu_level_name(cpu_level());
    json_t *baseline = json_load_file(o->baseline, 0, &why), *measured = json_object();
    if (!baseline && o->update) baseline = json_object();
    cuzk_status status = baseline ? CUZK_OK : cuzk_fail(err, CUZK_ERR_MISSING, "%s: %s", o->baseline, why.text);
    const json_t *expected = json_object_get(baseline, level);
    if (status == CUZK_OK && !expected && !o->update) {
        status = cuzk_fail(err, CUZK_ERR_MISSING, "%s has no ratios for %s; --update makes them", o->baseline, level);
    }
    if (status == CUZK_OK) status = ratios_arithmetic(measured, err);
    if (status == CUZK_OK) status = ratios_of_commands(measured, err);
    if (status == CUZK_OK) {
        unsigned far = compare_all(measured, expected);
        if (o->update) status = update(baseline, level, measured, o->baseline, err);
        else if (far) status = cuzk_fail(err, CUZK_REFUSED, "%u ratios moved beyond their tolerance", far);
    }
    json_decref(measured);
    json_decref(baseline);
    return status;
}

int command_bench_check(int argc, char **argv)
{
    static const struct argp argp = { options, parse_option, NULL, "Ratios against a baseline.", NULL, NULL, NULL };
    struct check_options o = { .baseline = "bench/baseline.json" };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    cuzk_error err = { "" };
    return command_result(check(&o, &err), &err);
}
