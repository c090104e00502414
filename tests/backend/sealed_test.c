#include "backend/sealed_cases.h"
#include "test.h"

static void porep__equals_bellperson(void **state)
{
    (void)state;
    sealed_circuit("porep-2k", 0);
}

static void update__equals_bellperson(void **state)
{
    (void)state;
    sealed_circuit("snap-2k", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(porep__equals_bellperson),
        test(update__equals_bellperson),
    };
    return run_tests(tests);
}
