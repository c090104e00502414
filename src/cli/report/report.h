/* The report of `cuzk bench all`: figures drawn from the JSON files that the benchmarks have left in a folder. One file
 * for each kind of figure; each draws nothing and returns false if its data is not there. */
#ifndef CUZK_CLI_REPORT_H
#define CUZK_CLI_REPORT_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

bool chart_waterfall(FILE *out, const json_t *prove); /* cuzk prove --json, one partition */
bool chart_ghost(FILE *out, const json_t *dealloc);   /* cuzk bench dealloc --json */

/* cuzk bench msm --json, ntt --json: one operation by size, beside the peers. */
bool chart_sizes(FILE *out, const json_t *bench, const char *name, const char *title);

bool chart_memory(FILE *out, const json_t *job);                 /* cuzk bench job --json */
bool chart_witness(FILE *out, const json_t *const *bench, size_t count); /* cuzk bench witness --json, one each */

/* What a page says about where its figures come from. */
struct report_setting {
    const char *version, *processor, *system, *compiler, *date;
    unsigned cpus;
    double memory_bytes, load_before, load_after;
    const json_t *commands; /* [{"file", "command", "seconds", "exit"}] */
};

/* Writes DIR/index.html from the files of the folder. */
cuzk_status report_write(const char *dir, const struct report_setting *setting, cuzk_error *err);

/* ---- for the charts ---- */

static inline double report_number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static inline const char *report_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

#endif
