/* What the engine charges for a circuit before it is loaded bounds what it takes afterwards: witnesses and provers'
 * memory of all circuits of the catalogue, on the CPU. */
#include "backend/cpu/cpu.h"
#include "circuit/compile.h"
#include "engine/pipeline.h"
#include "test.h"

static void must(cuzk_status status, const cuzk_error *err)
{
    if (status != CUZK_OK) fail_msg("%s: %s", cuzk_status_text(status), err->detail);
}

static void estimates__bound_what_circuits_take(void **state)
{
    (void)state;
    const char *const none[] = { "none" };
    struct engine_config config;
    struct steps steps;
    struct pool *pool;
    struct backend backend;
    cuzk_error err = { "" };
    engine_config_default(&config);
    config.devices = none;
    config.device_count = 1;
    config.threads = 3;
    must(pipeline_open(&steps, &config, &err), &err);
    must(pool_create(&pool, 3, &err), &err);
    must(cpu_backend_open(&backend, pool, &err), &err);
    for (size_t i = 0; catalogue_at(i); i++) {
        const struct circuit_entry *e = catalogue_at(i);
        struct circuit *circuit;
        struct backend_circuit loaded;
        struct circuit_needs needs;
        must(circuit_compile(&circuit, e->kind, catalogue_shape(e), &err), &err);
        must(backend_circuit_load(&loaded, &backend, circuit, &err), &err);
        steps.needs(steps.context, &needs, i);
        uint64_t prove = backend_prove_bytes(&loaded), witness = backend_witness_bytes(&backend, circuit);
        print_message("%s: proof %llu of %llu, witness %llu of %llu bytes\n", e->id, (unsigned long long)prove,
                      (unsigned long long)needs.prove, (unsigned long long)witness,
                      (unsigned long long)needs.witness);
        assert_true(prove <= needs.prove);
        assert_true(witness <= needs.witness);
        backend_circuit_drop(&loaded);
        circuit_free(circuit);
    }
    backend_close(&backend);
    pool_destroy(pool);
    steps.close(steps.context);
}

int main(void)
{
    const struct CMUnitTest tests[] = { test(estimates__bound_what_circuits_take) };
    return run_tests(tests);
}
