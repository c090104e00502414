#include "backend/sealed_cases.h"
#include "test.h"

static void window__equals_bellperson_with_any_threads(void **state)
{
    (void)state;
    sealed_circuit("wpost-2k", 1);
    sealed_circuit("wpost-2k", 7);
}

static void winning__equals_bellperson(void **state)
{
    (void)state;
    sealed_circuit("winning-2k", 0);
}

static void update__equals_bellperson(void **state)
{
    (void)state;
    sealed_circuit("snap-2k", 0);
}

static void porep__equals_bellperson(void **state)
{
    (void)state;
    sealed_circuit("porep-2k", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(window__equals_bellperson_with_any_threads),
        test(winning__equals_bellperson),
        test(update__equals_bellperson),
        test(porep__equals_bellperson),
    };
    return run_tests(tests);
}
