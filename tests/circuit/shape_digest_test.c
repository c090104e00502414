/* Compiled circuits against the digests of Filecoin's own (tests/data/shapes.txt). Circuits up to a number of rows
 * given as an argument (default 3 million, what `make test` has time for). */
#include "base/bytes.h"
#include "circuit/compile.h"
#include "r1cs/circuit_digest.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t max_rows = 3000000;

struct expected {
    char id[32], a_bitmap[65], b_bitmap[65], rows_digest[65], fingerprint[65];
    unsigned inputs, aux, constraints, dense_a, dense_b, chunk;
    unsigned long long nonzero[MATRICES];
};

static void assert_hex(const char *expected, const uint8_t *digest)
{
    char text[65];
    hex_encode(text, digest, 32);
    assert_string_equal(text, expected);
}

static void compare(const struct expected *e, struct pool *pool)
{
    static const struct {
        const char *name;
        enum proof_kind kind;
    } kinds[] = { { "porep", PROOF_POREP }, { "snap", PROOF_UPDATE }, { "wpost", PROOF_WINDOW }, { "winning", PROOF_WINNING } };
    struct circuit *c = NULL;
    cuzk_error err = { "" };
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    for (size_t i = 0; i < 4; i++) {
        size_t n = strlen(kinds[i].name);
        if (strncmp(e->id, kinds[i].name, n) != 0) continue;
        cuzk_status status = circuit_compile(&c, kinds[i].kind, sector_shape_by_id(e->id + n + 1), &err);
        if (status != CUZK_OK) fail_msg("%s: %s", e->id, err.detail);
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    assert_non_null(c);
    print_message("%s: %zu templates, %zu instances, %zu KB, compiled in %ld ms\n", e->id, c->template_count,
                  c->instance_count, circuit_bytes(c) / 1000,
                  (t1.tv_sec - t0.tv_sec) * 1000 + (t1.tv_nsec - t0.tv_nsec) / 1000000);
    assert_int_equal(c->inputs, e->inputs);
    assert_int_equal(c->aux, e->aux);
    assert_int_equal(c->constraints, e->constraints);
    for (int m = 0; m < MATRICES; m++) assert_int_equal(c->nonzero[m], e->nonzero[m]);
    assert_int_equal(c->dense[MATRIX_A].total, e->dense_a);
    assert_int_equal(c->dense[MATRIX_B].total, e->dense_b);
    uint8_t digest[32];
    circuit_density_digest(digest, c, MATRIX_A);
    assert_hex(e->a_bitmap, digest);
    circuit_density_digest(digest, c, MATRIX_B);
    assert_hex(e->b_bitmap, digest);
    struct chunk_digests rows;
    assert_int_equal(circuit_rows_digest(&rows, c, e->chunk, true, pool, &err), CUZK_OK);
    assert_hex(e->rows_digest, rows.digest);
    chunk_digests_free(&rows);
    if (e->fingerprint[0] != '-' && c->rows < 1000000) {
        assert_int_equal(circuit_fingerprint(digest, c, &err), CUZK_OK);
        assert_hex(e->fingerprint, digest);
    }
    circuit_free(c);
}

static void circuits__equal_filecoins(void **state)
{
    (void)state;
    FILE *f = fopen(CUZK_TEST_DATA "/shapes.txt", "r");
    assert_non_null(f);
    struct pool *pool;
    assert_int_equal(pool_create(&pool, 0, NULL), CUZK_OK);
    char line[1024];
    int compared = 0;
    while (fgets(line, sizeof line, f)) {
        struct expected e;
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%31s %u %u %u %llu %llu %llu %u %u %u %64s %64s %64s %64s", e.id, &e.inputs,
                                &e.aux, &e.constraints, &e.nonzero[0], &e.nonzero[1], &e.nonzero[2], &e.dense_a,
                                &e.dense_b, &e.chunk, e.a_bitmap, e.b_bitmap, e.rows_digest, e.fingerprint),
                         14);
        if (e.constraints > max_rows) continue;
        compare(&e, pool);
        compared++;
    }
    fclose(f);
    pool_destroy(pool);
    assert_true(compared >= 4);
}

int main(int argc, char **argv)
{
    if (argc > 1) max_rows = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = { test(circuits__equal_filecoins) };
    return run_tests(tests);
}
