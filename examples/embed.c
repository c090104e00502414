/* The engine inside a program of one's own: proves one request and prints the proof.
 *
 *     embed PARAMETERS REQUEST.json
 *
 * REQUEST.json is a cuzk.v1.SubmitProofRequest in proto3 JSON. Parameters that are not the published ones are
 * accepted here, since this is an example.
 */
#include "cuzk/engine.h"

#include <stdio.h>
#include <stdlib.h>

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long length = -1;
    if (f && fseek(f, 0, SEEK_END) == 0 && (length = ftell(f)) >= 0) {
        rewind(f);
        text = malloc((size_t)length + 1);
        if (text && fread(text, 1, (size_t)length, f) != (size_t)length) {
            free(text);
            text = NULL;
        }
    }
    if (f) fclose(f);
    *size = length > 0 ? (size_t)length : 0;
    return text;
}

static void print_result(const cuzk_result *r)
{
    for (size_t i = 0; i < r->proof.size; i++) printf("%02x", r->proof.data[i]);
    if (r->proof.size) putchar('\n');
    fprintf(stderr, "%s%s total=%llu ms (queue=%llu, srs=%llu, synth=%llu, gpu=%llu, finish=%llu)\n",
            r->state == CUZK_JOB_COMPLETED ? "completed" : "failed: ", r->error, (unsigned long long)r->timings.total,
            (unsigned long long)r->timings.queue, (unsigned long long)r->timings.srs,
            (unsigned long long)r->timings.synth, (unsigned long long)r->timings.gpu,
            (unsigned long long)r->timings.finish);
}

static cuzk_status prove(cuzk_engine *engine, const char *json, size_t size, cuzk_error *err)
{
    char *job_id;
    size_t job_id_size;
    cuzk_result *result;
    cuzk_status status = cuzk_engine_submit_json(engine, &job_id, &job_id_size, json, size, err);
    if (status != CUZK_OK) return status;
    status = cuzk_engine_await(engine, &result, job_id, job_id_size, 0, err);
    free(job_id);
    if (status != CUZK_OK) return status;
    print_result(result);
    if (result->state != CUZK_JOB_COMPLETED) status = CUZK_REFUSED;
    cuzk_result_free(result);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s PARAMETERS REQUEST.json\n", argv[0]);
        return 64;
    }
    size_t size;
    char *json = read_file(argv[2], &size);
    if (!json) {
        fprintf(stderr, "%s: cannot be read\n", argv[2]);
        return 66;
    }
    cuzk_engine_config config;
    cuzk_engine *engine;
    cuzk_error err = { "" };
    cuzk_engine_config_default(&config);
    config.param_cache = argv[1];
    config.allow_test_parameters = 1;
    cuzk_status status = cuzk_engine_create(&engine, &config, &err);
    if (status == CUZK_OK) status = prove(engine, json, size, &err);
    if (status != CUZK_OK && err.detail[0]) fprintf(stderr, "%s: %s\n", cuzk_status_text(status), err.detail);
    cuzk_engine_destroy(engine);
    free(json);
    return cuzk_status_exit_code(status);
}
