#include "backend/sealed_cases.h"
#include "test.h"

static void window__equals_bellperson(void **state)
{
    (void)state;
    sealed_circuit("wpost-2k", 2);
}

static void window__equals_bellperson_with_other_threads(void **state)
{
    (void)state;
    sealed_circuit("wpost-2k", 1);
    sealed_circuit("wpost-2k", 5);
}

static void winning__equals_bellperson(void **state)
{
    (void)state;
    sealed_circuit("winning-2k", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(window__equals_bellperson),
        test(window__equals_bellperson_with_other_threads),
        test(winning__equals_bellperson),
    };
    return run_tests(tests);
}
