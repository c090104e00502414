#include "base/huge.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* Whatever the system makes of the advice, contents stay and free works. */
static void huge_advise__changes_nothing(void **state)
{
    (void)state;
    const size_t sizes[] = { 0, 1, 4096, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, 9 << 20 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *memory = malloc(sizes[i] + 1), *copy = malloc(sizes[i] + 1);
        assert_non_null(memory);
        assert_non_null(copy);
        for (int round = 0; round < 2; round++) {
            huge_advise(memory + round, sizes[i]); /* aligned and not, fresh and in use */
            for (size_t b = 0; b <= sizes[i]; b++) memory[b] = (unsigned char)(b * 37 >> 4);
            memcpy(copy, memory, sizes[i] + 1);
            huge_advise(memory, sizes[i]);
            assert_memory_equal(memory, copy, sizes[i] + 1);
        }
        free(memory);
        free(copy);
    }
    huge_advise(NULL, 8 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = { test(huge_advise__changes_nothing) };
    return run_tests(tests);
}
