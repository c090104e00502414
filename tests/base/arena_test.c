#include "base/arena.h"
#include "test.h"

#include <string.h>

static void arena_take__gives_zeroed_aligned_memory_apart(void **state)
{
    (void)state;
    enum { PIECES = 300 };
    struct arena a = { 0 };
    uint8_t *pieces[PIECES];
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < PIECES; i++) {
            size_t size = i * i % 9001;
            pieces[i] = arena_take(&a, size, 1);
            assert_non_null(pieces[i]);
            assert_int_equal((uintptr_t)pieces[i] % 16, 0);
            for (size_t b = 0; b < size; b++) assert_int_equal(pieces[i][b], 0);
            memset(pieces[i], (int)(i + 1), size);
        }
        for (size_t i = 0; i < PIECES; i++) {
            for (size_t b = 0; b < i * i % 9001; b++) assert_int_equal(pieces[i][b], (uint8_t)(i + 1));
        }
        arena_release(&a);
        assert_int_equal(a.taken, 0);
    }
    arena_release(&a);
}

static void arena_take__refuses_overflow(void **state)
{
    (void)state;
    struct arena a = { 0 };
    assert_null(arena_take(&a, SIZE_MAX, 2));
    assert_null(arena_take(&a, SIZE_MAX / 2 + 1, 1));
    assert_null(arena_take(&a, (size_t)1 << 32, (size_t)1 << 32));
    assert_non_null(arena_take(&a, 0, 8));
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(arena_take__gives_zeroed_aligned_memory_apart),
        test(arena_take__refuses_overflow),
    };
    return run_tests(tests);
}
