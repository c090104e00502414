#include "engine/budget.h"

#include "base/clock.h"
#include "test.h"

#include <string.h>

static void budget__charges_up_to_its_limit(void **state)
{
    (void)state;
    struct budget b;
    struct budget_state s;
    budget_create(&b, "memory", 100);
    assert_true(budget_try(&b, 60));
    assert_false(budget_try(&b, 41));
    assert_true(budget_try(&b, 40));
    assert_false(budget_try(&b, 1));
    assert_true(budget_try(&b, 0));
    budget_credit(&b, 60);
    budget_state(&b, &s);
    assert_int_equal(s.used, 40);
    assert_int_equal(s.peak, 100);
    assert_false(budget_try(&b, UINT64_MAX));
    budget_destroy(&b);
}

static void budget__names_both_numbers(void **state)
{
    (void)state;
    struct budget b;
    cuzk_error err = { "" };
    budget_create(&b, "host memory", 1000);
    assert_int_equal(budget_possible(&b, 1000, "porep-32g", &err), CUZK_OK);
    assert_int_equal(budget_possible(&b, 1001, "porep-32g", &err), CUZK_ERR_RESOURCE);
    assert_non_null(strstr(err.detail, "1001 bytes"));
    assert_non_null(strstr(err.detail, "1000 bytes"));
    assert_non_null(strstr(err.detail, "porep-32g"));
    assert_int_equal(budget_wait(&b, 1001, 0, NULL, "porep-32g", &err), CUZK_ERR_RESOURCE);
    budget_destroy(&b);
}

static void budget__lower_limit_refuses_until_credited(void **state)
{
    (void)state;
    struct budget b;
    budget_create(&b, "memory", 100);
    assert_true(budget_try(&b, 80));
    budget_set_limit(&b, 50);
    assert_false(budget_try(&b, 1));
    budget_credit(&b, 40);
    assert_true(budget_try(&b, 10));
    assert_false(budget_try(&b, 1));
    budget_destroy(&b);
}

static void budget__force_goes_beyond(void **state)
{
    (void)state;
    struct budget b;
    struct budget_state s;
    budget_create(&b, "memory", 10);
    budget_force(&b, 15);
    budget_state(&b, &s);
    assert_int_equal(s.used, 15);
    budget_credit(&b, 15);
    budget_state(&b, &s);
    assert_int_equal(s.used, 0);
    assert_int_equal(s.errors, 0);
    budget_destroy(&b);
}

#ifdef __OPTIMIZE__
static void budget__too_large_credit_is_counted(void **state)
{
    (void)state;
    struct budget b;
    struct budget_state s;
    budget_create(&b, "memory", 10);
    assert_true(budget_try(&b, 5));
    budget_credit(&b, 6);
    budget_state(&b, &s);
    assert_int_equal(s.used, 0);
    assert_int_equal(s.errors, 1);
    budget_destroy(&b);
}
#endif

struct waiting {
    struct budget *b;
    uint64_t bytes;
    bool cancelled;
    cuzk_status status;
    cuzk_error err;
};

static void *wait_main(void *context)
{
    struct waiting *w = context;
    w->status = budget_wait(w->b, w->bytes, 0, &w->cancelled, "job", &w->err);
    return NULL;
}

static void budget__wait_ends_with_memory_or_cancel(void **state)
{
    (void)state;
    struct budget b;
    pthread_t a, c;
    budget_create(&b, "memory", 100);
    assert_true(budget_try(&b, 100));
    struct waiting first = { .b = &b, .bytes = 30 }, second = { .b = &b, .bytes = 90 };
    pthread_create(&a, NULL, wait_main, &first);
    pthread_create(&c, NULL, wait_main, &second);
    budget_credit(&b, 50);
    pthread_join(a, NULL);
    assert_int_equal(first.status, CUZK_OK);
    __atomic_store_n(&second.cancelled, true, __ATOMIC_RELEASE);
    budget_wake(&b);
    pthread_join(c, NULL);
    assert_int_equal(second.status, CUZK_ERR_CANCELLED);
    struct budget_state s;
    budget_state(&b, &s);
    assert_int_equal(s.used, 80);
    budget_destroy(&b);
}

static void budget__wait_gives_up_in_time(void **state)
{
    (void)state;
    struct budget b;
    cuzk_error err = { "" };
    budget_create(&b, "memory", 10);
    assert_true(budget_try(&b, 10));
    assert_int_equal(budget_wait(&b, 1, clock_now() + 10 * CLOCK_MS, NULL, "job", &err), CUZK_ERR_RESOURCE);
    budget_destroy(&b);
}

static void count_credit(void *context) { ++*(int *)context; }

static void budget__tells_of_credits(void **state)
{
    (void)state;
    struct budget b;
    int credits = 0;
    budget_create(&b, "memory", 10);
    budget_notify(&b, count_credit, &credits);
    assert_true(budget_try(&b, 10));
    budget_credit(&b, 4);
    budget_credit(&b, 0);
    budget_credit(&b, 6);
    assert_int_equal(credits, 2);
    budget_destroy(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(budget__charges_up_to_its_limit),
        test(budget__names_both_numbers),
        test(budget__lower_limit_refuses_until_credited),
        test(budget__force_goes_beyond),
#ifdef __OPTIMIZE__
        test(budget__too_large_credit_is_counted),
#endif
        test(budget__wait_ends_with_memory_or_cancel),
        test(budget__wait_gives_up_in_time),
        test(budget__tells_of_credits),
    };
    return run_tests(tests);
}
