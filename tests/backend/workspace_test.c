/* A prover's workspace: as large as promised, one for each proof at work at once, and used again. */
#include "backend/cpu/workspace.h"

#include "test.h"

#include <malloc.h>

static uint64_t heap_bytes(void)
{
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

/* Circuits of made-up sizes: only the counts matter. */
static void assert_promise(unsigned log2_domain, uint32_t wides, unsigned threads)
{
    struct circuit circuit = { .log2_domain = log2_domain, .inputs = 20, .wides = wides };
    struct backend_circuit c = { .circuit = &circuit };
    struct shelf shelf;
    struct workspace *w;
    struct pool *pool;
    assert_int_equal(pool_create(&pool, threads, NULL), CUZK_OK);
    struct workspace_shape shape = workspace_shape(&circuit, pool);
    shelf_create(&shelf);
    uint64_t before = heap_bytes();
    assert_int_equal(shelf_take(&w, &shelf, &c, pool, NULL), CUZK_OK);
    uint64_t taken = heap_bytes() - before + w->size;
    print_message("2^%u, %u wides, %u threads: %llu of %llu bytes\n", log2_domain, wides, threads,
                  (unsigned long long)taken, (unsigned long long)workspace_bytes(&shape));
    assert_true(taken <= workspace_bytes(&shape));
    assert_true(workspace_bytes(&shape) <= workspace_bound(&shape));
    shelf_put(&shelf, w);
    shelf_destroy(&shelf);
    pool_destroy(pool);
}

static void workspace__is_no_larger_than_promised(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        assert_promise(4, 3, threads);
        assert_promise(14, 10000, threads);
        assert_promise(17, 91014, threads);
        assert_promise(22, 43806, threads);
    }
    assert_promise(24, 1 << 22, 2);
}

static void bound__holds_for_fewer_wides(void **state)
{
    (void)state;
    for (unsigned k = 4; k < 28; k += 4) {
        for (uint64_t most = 1; most < UINT64_C(1) << k; most *= 3) {
            struct workspace_shape few = { UINT64_C(1) << k, 20, 0, 2 }, many = { few.domain, 20, most, 2 };
            for (few.wides = 0; few.wides <= most; few.wides += most / 7 + 1) {
                assert_true(workspace_bytes(&few) <= workspace_bound(&many));
            }
        }
    }
}

static void shelf__gives_again_what_was_put(void **state)
{
    (void)state;
    struct circuit circuit = { .log2_domain = 6, .inputs = 3, .wides = 20 };
    struct backend_circuit c = { .circuit = &circuit };
    struct shelf shelf;
    struct workspace *a, *b, *again;
    shelf_create(&shelf);
    assert_int_equal(shelf_take(&a, &shelf, &c, NULL, NULL), CUZK_OK);
    assert_int_equal(shelf_take(&b, &shelf, &c, NULL, NULL), CUZK_OK);
    assert_ptr_not_equal(a, b);
    shelf_put(&shelf, a);
    assert_int_equal(shelf_take(&again, &shelf, &c, NULL, NULL), CUZK_OK);
    assert_ptr_equal(again, a);
    shelf_put(&shelf, again);
    shelf_put(&shelf, b);
    struct workspace *spare = shelf_clear(&shelf);
    assert_non_null(spare);
    assert_non_null(spare->next);
    assert_null(shelf_clear(&shelf));
    workspaces_free(spare);
    assert_int_equal(shelf_take(&a, &shelf, &c, NULL, NULL), CUZK_OK); /* a new one */
    shelf_put(&shelf, a);
    shelf_destroy(&shelf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(workspace__is_no_larger_than_promised),
        test(bound__holds_for_fewer_wides),
        test(shelf__gives_again_what_was_put),
    };
    return run_tests(tests);
}
