/* Writes FOLDER/ID.witness and FOLDER/ID.slots for the really sealed 2 KiB sectors: what `differential` and
 * `differential_fill` take on a machine without the daemon's libraries. */
#include "base/file.h"
#include "circuit/catalogue.h"
#include "circuit/compile.h"
#include "slots.h"
#include "test.h"
#include "witness/sealed.h"

#include <stdio.h>

static const char *folder;

static void write_witness(const char *case_name, const char *id)
{
    struct vanilla_job *job = sealed_job(case_name);
    struct circuit *circuit;
    struct witness w, deferred;
    char path[512];
    cuzk_error err = { "" };
    const struct circuit_entry *entry = catalogue_by_id(id);
    assert_non_null(entry);
    assert_int_equal(circuit_compile(&circuit, entry->kind, catalogue_shape(entry), &err), CUZK_OK);
    assert_int_equal(witness_create(&w, circuit, &err), CUZK_OK);
    assert_int_equal(circuit_fill(&w, &job->inputs[0], NULL, &err), CUZK_OK);
    snprintf(path, sizeof path, "%s/%s.witness", folder, id);
    assert_int_equal(file_write(path, w.memory, witness_value_bytes(circuit), true, &err), CUZK_OK);
    witness_destroy(&w);
    assert_int_equal(witness_create_deferred(&deferred, circuit, &err), CUZK_OK);
    assert_int_equal(circuit_fill(&deferred, &job->inputs[0], NULL, &err), CUZK_OK);
    snprintf(path, sizeof path, "%s/%s.slots", folder, id);
    assert_int_equal(slots_write(path, &deferred.given, &err), CUZK_OK);
    witness_destroy(&deferred);
    circuit_free(circuit);
    vanilla_job_free(job);
}

static void witnesses__are_written(void **state)
{
    (void)state;
    write_witness("winning-42", "winning-2k");
    write_witness("window-42-43", "wpost-2k");
    write_witness("porep-42", "porep-2k");
    write_witness("update-42", "snap-2k");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { test(witnesses__are_written) };
    if (argc != 2) return 64;
    folder = argv[1];
    return run_tests(tests);
}
