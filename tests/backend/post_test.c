#include "backend/sealed_cases.h"
#include "test.h"

static void window__equals_bellperson(void **state)
{
    (void)state;
    sealed_circuit("wpost-2k", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = { test(window__equals_bellperson) };
    return run_tests(tests);
}
