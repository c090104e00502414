#include "backend/sealed_cases.h"

#include "backend/folder.h"
#include "base/clock.h"
#include "circuit/catalogue.h"
#include "circuit/compile.h"
#include "groth16/vectors.h"
#include "groth16/verifier.h"
#include "witness/sealed.h"

static double seconds_since(uint64_t start) { return (double)(clock_now() - start) * 1e-9; }

static const json_t *find(const json_t *list, const char *id)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (strcmp(text_at(json_array_get(list, i), "circuit"), id) == 0) return json_array_get(list, i);
    }
    fail_msg("no vector for %s", id);
    return NULL;
}

static void compare_parameters(const char *id, const char *folder, const struct params_file *file)
{
    json_t *list = vectors_load("params.json");
    const json_t *x = find(list, id);
    char hash[65], vk[512];
    assert_int_equal(file->map.size, json_integer_value(json_object_get(x, "params_bytes")));
    file_sha256(hash, file->path);
    assert_string_equal(hash, text_at(x, "params_sha256"));
    snprintf(vk, sizeof vk, "%s/%s.vk", folder, id);
    file_sha256(hash, vk);
    assert_string_equal(hash, text_at(x, "vk_sha256"));
    json_decref(list);
}

static void compare_proof(const json_t *x, const char *key, const struct proof_sums *sums, const struct verifier *v,
                          const struct proof_randomness *random, struct pool *pool)
{
    struct proof proof;
    uint8_t want[PROOF_BYTES], got[PROOF_BYTES];
    size_t count;
    fr_t *inputs = frs_at(&count, x, "inputs");
    proof_assemble(&proof, sums, &v->vk, random);
    proof_encode(got, &proof);
    hex_at(want, PROOF_BYTES, x, key);
    if (memcmp(want, got, PROOF_BYTES) != 0) fail_msg("%s, %s: another proof", text_at(x, "tag"), key);
    uint64_t start = clock_now();
    assert_int_equal(verifier_check(v, &proof, inputs, count, pool, NULL), CUZK_OK);
    print_message("%s: verified in %.2f ms\n", text_at(x, "tag"), 1e3 * seconds_since(start));
    free(inputs);
}

static void print_timings(const char *tag, double total, const struct prove_timings *t)
{
    const struct {
        const char *name;
        uint64_t ns;
    } spans[] = { { "evaluate", t->evaluate },
                  { "quotient", t->quotient },
                  { "h", t->h },
                  { "l", t->l },
                  { "a", t->a },
                  { "b_g1", t->b_g1 },
                  { "b_g2", t->b_g2 },
                  { "memory", t->memory } };
    print_message("%s: proved in %.2f s:", tag, total);
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        print_message(" %s %.2f", spans[i].name, (double)spans[i].ns * 1e-9);
    }
    print_message("\n");
}

/* A tag is the name of a case with the sector size in the middle: "porep-2KiB-s42",
 * "window-2KiB-42-43". */
static struct vanilla_job *job_of(const char *tag)
{
    char name[64];
    const char *rest = strstr(tag, "-2KiB");
    snprintf(name, sizeof name, "%.*s%s", (int)(rest - tag), tag, rest + 5);
    char *s = strstr(name, "-s4");
    if (s)
        memmove(s + 1, s + 2, strlen(s + 1));
    else if (!strstr(name, "-42"))
        strcat(name, "-42");
    return sealed_job(name);
}

static void prove_case(const json_t *x, const struct backend_circuit *c, const struct backend_srs *s,
                       const struct verifier *v, struct pool *pool)
{
    const char *tag = text_at(x, "tag");
    struct vanilla_job *job = job_of(tag);
    struct witness w;
    cuzk_error err = { "" };
    assert_int_equal(witness_create(&w, c->circuit, &err), CUZK_OK);
    if (circuit_fill(&w, &job->inputs[0], pool, &err) != CUZK_OK) fail_msg("%s", err.detail);

    struct proof_sums sums;
    struct prove_timings timings;
    uint64_t start = clock_now();
    if (backend_prove(&sums, &timings, c, s, &w, &err) != CUZK_OK) fail_msg("%s", err.detail);
    print_timings(tag, seconds_since(start), &timings);

    struct proof_randomness random;
    assert_int_equal(proof_randomness_from_tag(&random, tag, 0, &err), CUZK_OK);
    compare_proof(x, "proof", &sums, v, &random, pool);
    random = (struct proof_randomness){ FR_ZERO, FR_ZERO };
    compare_proof(x, "proof_r0_s0", &sums, v, &random, pool);
    witness_destroy(&w);
    vanilla_job_free(job);
}

void sealed_circuit(const char *id, unsigned threads)
{
    const struct circuit_entry *entry = catalogue_by_id(id);
    static struct verifier v;
    struct pool *pool;
    struct backend b;
    struct circuit *circuit;
    struct backend_circuit c;
    struct backend_srs s;
    struct params_file file;
    struct verifying_key vk;
    cuzk_error err = { "" };
    assert_int_equal(pool_create(&pool, threads, &err), CUZK_OK);
    assert_int_equal(cpu_backend_open(&b, pool, &err), CUZK_OK);
    assert_int_equal(circuit_compile(&circuit, entry->kind, catalogue_shape(entry), &err), CUZK_OK);
    assert_int_equal(backend_circuit_load(&c, &b, circuit, &err), CUZK_OK);
    assert_int_equal(srs_params_bytes(&c.layout.counts), catalogue_params_bytes(entry));

    uint64_t start = clock_now();
    char *folder = test_params_make(&file, &c, id);
    print_message("%s: parameters in %.2f s\n", id, seconds_since(start));
    compare_parameters(id, folder, &file);

    vector_key(&vk, id);
    verifier_create(&v, &vk);
    assert_int_equal(backend_srs_load(&s, &b, &file, NULL, &err), CUZK_OK);
    json_t *list = vectors_load("proofs.json"), *x;
    size_t i;
    json_array_foreach(list, i, x)
    {
        if (strcmp(text_at(x, "circuit"), id) == 0) prove_case(x, &c, &s, &v, pool);
    }
    json_decref(list);

    backend_srs_drop(&s);
    backend_circuit_drop(&c);
    test_params_remove(folder, &file, id);
    verifier_release(&v);
    circuit_free(circuit);
    backend_close(&b);
    pool_destroy(pool);
}
