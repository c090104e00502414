/* cuzk bench ntt, msm --device cuda[:N]: primitives where a device has its data. */
#include "cli/bench/bench_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "NTT, coset forward", "MSM G1", "MSM G2" };

static void report(const struct bench_options *o, const char *device, enum primitive what, unsigned k,
                   double *seconds, double *fraction)
{
    uint64_t n = UINT64_C(1) << k;
    bench_report(o, names[what], device, n, 1, n, seconds, o->repeat); /* sorts */
    double best = 0;
    for (unsigned i = 0; i < o->repeat; i++) best = fraction[i] > best ? fraction[i] : best;
    if (o->json) {
        json_t *last = json_array_get(o->results, json_array_size(o->results) - 1);
        json_object_set_new(last, "units_per_s", json_real((double)n / seconds[o->repeat / 2]));
        json_object_set_new(last, "fraction_of_arithmetic_ceiling", json_real(best));
    } else {
        printf("%-24s %.1f M %s per second, %.0f %% of the arithmetic ceiling at best\n", "",
               (double)n / seconds[o->repeat / 2] / 1e6, what == PRIMITIVE_NTT ? "elements" : "points", 100 * best);
        fflush(stdout);
    }
}

static cuzk_status measure_sizes(const struct bench_options *o, const struct backend *b, enum primitive what,
                                 cuzk_error *err)
{
    struct backend_description d;
    double *seconds = calloc(o->repeat, sizeof *seconds), *fraction = calloc(o->repeat, sizeof *fraction);
    cuzk_status status = CUZK_OK;
    if (!seconds || !fraction) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %u times", o->repeat);
    backend_describe(&d, b);
    for (unsigned k = o->log_min; k <= o->log_max && status == CUZK_OK; k += 2) {
        status = backend_measure(seconds, fraction, what, k, o->repeat, b, err);
        if (status == CUZK_OK) report(o, d.device, what, k, seconds, fraction);
        if (k < o->log_max && k + 2 > o->log_max) k = o->log_max - 2; /* the largest is always among them */
    }
    free(seconds);
    free(fraction);
    return status;
}

bool bench_wants_device(const struct bench_options *o)
{
    return o->device.device && strncmp(o->device.device, "cuda", 4) == 0;
}

cuzk_status bench_on_device(const struct bench_options *o, const enum primitive *what, size_t count, cuzk_error *err)
{
    struct pool *pool;
    struct backend b = { 0 };
    cuzk_status status = pool_create(&pool, o->device.threads, err);
    if (status != CUZK_OK) return status;
    status = device_open(&b, &o->device, pool, err);
    for (size_t i = 0; i < count && status == CUZK_OK; i++) status = measure_sizes(o, &b, what[i], err);
    backend_close(&b);
    pool_destroy(pool);
    return status;
}
