/* What every cmocka program of this project includes. Test functions are named subject__condition. */
#ifndef CUZK_TESTS_TEST_H
#define CUZK_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define test(function) cmocka_unit_test(function)
#undef run_tests /* cmocka's own, of an older API */
#define run_tests(array) cmocka_run_group_tests(array, NULL, NULL)

#endif
