/* Whole PoRep jobs through the engine on real devices: C1 output in, verified proofs out, with the figures of issue
 * and design: milliseconds for each phase, partitions per second, host memory beside the parameters' mapping, device
 * memory.
 *
 *   device_jobs --params DIR [--devices 0,1] [--memory GB] [--lanes N] [--jobs N] [--lose DEVICE@MS]
 *               [--trap DEVICE@MS] C1.json
 *
 * One job warms up; then N are submitted at once. So many milliseconds after that --lose has a device lost for good,
 * as far as the engine can tell (lose.h), and --trap puts one really out of order (fault.h), which takes the others
 * of the process along. Driver 580 gives none of them back to the process: the jobs fail after the recovery time, and
 * the process goes on. Exit status 0 only if every job completed. */
#include "base/clock.h"
#include "base/file.h"
#include "engine/engine.h"
#include "engine/pipeline.h"
#include "engine/snapshot.h"
#include "fault.h"
#include "lose.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_JOBS = 64, MAX_DEVICES = 8 };

struct options {
    const char *params, *c1, *devices[MAX_DEVICES];
    size_t device_count;
    unsigned memory, lanes, jobs;
    int lose, lose_after, trap, trap_after; /* ordinals, or -1; milliseconds */
};

static void require(cuzk_status status, const cuzk_error *err, const char *what)
{
    if (status == CUZK_OK) return;
    fprintf(stderr, "%s: %s: %s\n", what, cuzk_status_text(status), err->detail);
    exit(1);
}

/* A line of /proc/self/status, in MB. */
static double status_mb(const char *name)
{
    char line[256];
    double kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, name, strlen(name)) == 0) kb = atof(line + strlen(name) + 1);
    }
    if (f) fclose(f);
    return kb / 1000;
}

static void print_memory(const char *when, const struct options *o)
{
    printf("%s: host anonymous %.0f MB, mapped files %.0f MB", when, status_mb("RssAnon"), status_mb("RssFile"));
    for (size_t i = 0; i < o->device_count; i++) {
        size_t unused = 0, total = 0;
        if (cudaSetDevice(atoi(o->devices[i])) == cudaSuccess) (void)cudaMemGetInfo(&unused, &total);
        printf("; device %s uses %.2f of %.2f GB", o->devices[i], (double)(total - unused) / 1e9, (double)total / 1e9);
    }
    putchar('\n');
    fflush(stdout);
}

static bool parse(struct options *o, int argc, char **argv)
{
    *o = (struct options){ .jobs = 1, .lose = -1, .trap = -1 };
    for (int i = 1; i < argc; i++) {
        char *value = i + 1 < argc ? argv[i + 1] : "";
        if (argv[i][0] != '-') {
            o->c1 = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--params") == 0)
            o->params = value;
        else if (strcmp(argv[i], "--memory") == 0)
            o->memory = (unsigned)atoi(value);
        else if (strcmp(argv[i], "--lanes") == 0)
            o->lanes = (unsigned)atoi(value);
        else if (strcmp(argv[i], "--jobs") == 0)
            o->jobs = (unsigned)atoi(value);
        else if (strcmp(argv[i], "--lose") == 0)
            sscanf(value, "%d@%d", &o->lose, &o->lose_after);
        else if (strcmp(argv[i], "--trap") == 0)
            sscanf(value, "%d@%d", &o->trap, &o->trap_after);
        else if (strcmp(argv[i], "--devices") == 0)
            for (char *d = strtok(value, ","); d && o->device_count < MAX_DEVICES; d = strtok(NULL, ","))
                o->devices[o->device_count++] = d;
        else
            return false;
        i++;
    }
    if (o->device_count == 0) o->devices[o->device_count++] = "0";
    return o->params && o->c1 && o->jobs >= 1 && o->jobs <= MAX_JOBS;
}

static void submit(char **job_id, size_t *size, struct engine *e, struct bytes c1, unsigned number)
{
    char id[32];
    struct accepted accepted;
    cuzk_error err = { "" };
    snprintf(id, sizeof id, "job-%u", number);
    struct request r = { .kind = PROOF_POREP, .vanilla_proof = c1 };
    r.request_id = (struct bytes){ (const uint8_t *)id, strlen(id) };
    struct submission s = { .request = &r };
    require(engine_submit(e, &accepted, &s, &err), &err, id);
    *job_id = accepted.job_id;
    *size = accepted.job_id_size;
}

static bool await(struct engine *e, char *job_id, size_t size, size_t *partitions)
{
    struct outcome *outcome;
    cuzk_error err = { "" };
    require(engine_await(e, &outcome, (struct bytes){ (uint8_t *)job_id, size }, 0, &err), &err, job_id);
    bool completed = outcome->state == JOB_COMPLETED;
    char timings[256];
    timings_text(timings, sizeof timings, &outcome->timings);
    printf("%s: %s%s, %zu proofs; %s\n", job_id, job_state_name(outcome->state), outcome->error,
           outcome->proof.size / 192, timings);
    fflush(stdout);
    *partitions += outcome->proof.size / 192;
    outcome_free(outcome);
    free(job_id);
    return completed;
}

static void wait_ms(int ms)
{
    struct timespec t = { ms / 1000, ms % 1000 * 1000000L };
    nanosleep(&t, NULL);
}

/* Both at their time after now, whichever comes first. */
static void put_out_of_order(const struct options *o)
{
    int waited = 0, after = 0;
    for (int turn = 0; turn < 2; turn++) {
        bool trap = (o->trap_after < o->lose_after) == (turn == 0);
        int ordinal = trap ? o->trap : o->lose;
        if (ordinal < 0) continue;
        after = trap ? o->trap_after : o->lose_after;
        wait_ms(after - waited);
        waited = after;
        printf("device %d is %s now\n", ordinal, trap ? "put out of order" : "lost for good");
        fflush(stdout);
        if (trap) device_trap(ordinal);
        for (size_t d = 0; !trap && d < o->device_count; d++) {
            if (atoi(o->devices[d]) == ordinal) losing_lose(d);
        }
    }
}

static size_t healthy_devices(struct engine *e)
{
    struct engine_metrics m;
    size_t healthy = 0;
    engine_metrics(e, &m);
    for (size_t d = 0; d < m.device_count; d++) healthy += m.device[d].healthy;
    return healthy;
}

static bool run(struct engine *e, struct bytes c1, const struct options *o)
{
    char *id[MAX_JOBS];
    size_t size[MAX_JOBS], partitions = 0;
    bool completed = true;
    submit(&id[0], &size[0], e, c1, 0);
    completed = await(e, id[0], size[0], &partitions);
    print_memory("after the first job", o);
    partitions = 0;
    uint64_t start = clock_now();
    for (unsigned i = 0; i < o->jobs; i++) submit(&id[i], &size[i], e, c1, i + 1);
    put_out_of_order(o);
    for (unsigned i = 0; i < o->jobs; i++) completed = await(e, id[i], size[i], &partitions) && completed;
    double seconds = (double)(clock_now() - start) / 1e9;
    printf("%u jobs, %zu partitions in %.3f s: %.3f s each\n", o->jobs, partitions, seconds,
           seconds / (double)(partitions ? partitions : 1));
    printf("%zu of %zu devices are healthy\n", healthy_devices(e), o->device_count);
    print_memory("in the end", o);
    printf("host peak %.0f MB with mapped files\n", status_mb("VmHWM"));
    return completed;
}

static void open_engine(struct engine **e, const struct engine_config *config)
{
    struct steps steps;
    cuzk_error err = { "" };
    require(pipeline_open(&steps, config, &err), &err, "devices");
    losing_wrap(&steps);
    require(engine_create_with(e, config, &steps, &err), &err, "engine");
}

int main(int argc, char **argv)
{
    struct options o;
    struct engine_config config;
    struct engine *e;
    struct mapping map;
    struct log *log;
    cuzk_error err = { "" };
    if (!parse(&o, argc, argv)) return 64;
    engine_config_default(&config);
    require(log_create(&log, 2, false, LOG_INFO, &err), &err, "log");
    config.log = log;
    config.param_cache = o.params;
    config.verify = SRS_VERIFY_TRUST;
    config.allow_test_parameters = true;
    config.devices = o.devices;
    config.device_count = o.device_count;
    config.device_memory_limit = (uint64_t)o.memory * 1000000000;
    config.partitions_in_flight = o.lanes;
    require(mapping_open(&map, o.c1, &err), &err, o.c1);
    open_engine(&e, &config);
    print_memory("opened", &o);
    bool completed = run(e, (struct bytes){ map.data, map.size }, &o);
    engine_destroy(e);
    log_destroy(log);
    mapping_close(&map);
    return completed ? 0 : 1;
}
