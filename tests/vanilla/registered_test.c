#include "vanilla/registered.h"

#include "test.h"

#include <string.h>

static const struct registered_proof *by_name(enum proof_kind kind, const char *name)
{
    return registered_by_name(kind, name, strlen(name));
}

static void table__is_consistent(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct registered_proof *p; (p = registered_at(count)); count++) {
        assert_ptr_equal(registered_by_number(p->kind, p->number), p);
        assert_ptr_equal(by_name(p->kind, p->name), p);
        assert_ptr_equal(by_name(p->kind, p->go_name), p);
        const struct sector_shape *shape = registered_shape(p);
        assert_non_null(shape);
        assert_non_null(strstr(p->name, shape->name));
        assert_non_null(strstr(p->go_name, shape->name));
    }
    assert_int_equal(count, 20 + 5 + 10 + 5);
}

static void registered__what_the_network_uses(void **state)
{
    (void)state;
    const struct registered_proof *p = registered_by_number(PROOF_POREP, 8);
    assert_string_equal(p->name, "StackedDrg32GiBV1_1");
    assert_int_equal(p->api, API_V1_1);
    assert_int_equal(p->mode, POREP_INTERACTIVE);
    assert_int_equal(registered_shape(p)->bytes, UINT64_C(32) << 30);

    p = by_name(PROOF_POREP, "StackedDrg64GiBV1_1_Feat_SyntheticPoRep");
    assert_int_equal(p->number, 14);
    assert_int_equal(p->api, API_V1_2);
    assert_int_equal(p->mode, POREP_SYNTHETIC);

    p = by_name(PROOF_POREP, "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep");
    assert_int_equal(p->number, 15);
    assert_int_equal(p->mode, POREP_NON_INTERACTIVE);
    assert_ptr_equal(by_name(PROOF_POREP, "StackedDrg2KiBV1_2_Feat_NiPoRep"), p);

    p = by_name(PROOF_WINDOW, "StackedDrgWindow32GiBV1_1"); /* Go */
    assert_int_equal(p->number, 13);
    assert_int_equal(p->api, API_V1_2);
    assert_ptr_equal(by_name(PROOF_WINDOW, "StackedDrgWindow32GiBV1_2"), p); /* Rust */
    assert_int_equal(registered_by_number(PROOF_WINDOW, 8)->api, API_V1_0);
    assert_int_equal(registered_by_number(PROOF_WINNING, 3)->api, API_V1_0);
    assert_string_equal(registered_by_number(PROOF_UPDATE, 4)->name, "StackedDrg64GiBV1");
    assert_int_equal(registered_by_number(PROOF_POREP, 0)->api, API_V1_0);
}

static void registered_by_name__takes_types_in_front(void **state)
{
    (void)state;
    const struct registered_proof *p = registered_by_number(PROOF_POREP, 8);
    assert_ptr_equal(by_name(PROOF_POREP, "RegisteredSealProof::StackedDrg32GiBV1_1"), p);
    assert_ptr_equal(by_name(PROOF_POREP, "RegisteredSealProof_StackedDrg32GiBV1_1"), p);
    assert_null(by_name(PROOF_POREP, "RegisteredPoStProof_StackedDrg32GiBV1_1"));
    assert_null(by_name(PROOF_POREP, "RegisteredSealProofStackedDrg32GiBV1_1"));
    assert_null(by_name(PROOF_POREP, "RegisteredSealProof:StackedDrg32GiBV1_1"));
    assert_null(by_name(PROOF_POREP, "RegisteredSealProof_"));
    assert_null(by_name(PROOF_POREP, "RegisteredSealProof:"));
    assert_null(by_name(PROOF_POREP, "RegisteredSealProof"));
    assert_non_null(by_name(PROOF_WINNING, "RegisteredPoStProof_StackedDrgWinning8MiBV1"));
    assert_non_null(by_name(PROOF_UPDATE, "RegisteredUpdateProof_StackedDrg8MiBV1"));
}

static void registered_by_name__wants_the_whole_name(void **state)
{
    (void)state;
    assert_null(by_name(PROOF_POREP, ""));
    assert_null(by_name(PROOF_POREP, "StackedDrg32GiB"));
    assert_null(by_name(PROOF_POREP, "StackedDrg32GiBV1_1 "));
    assert_null(by_name(PROOF_POREP, "stackeddrg32gibv1_1"));
    assert_int_equal(registered_by_name(PROOF_POREP, "StackedDrg32GiBV1_1", 17)->number, 3);
}

static void registered_parse__refuses_with_what_is_expected(void **state)
{
    (void)state;
    const struct registered_proof *p;
    cuzk_error err = { "" };
    assert_int_equal(registered_parse(&p, PROOF_WINDOW, "13", &err), CUZK_OK);
    assert_int_equal(p->number, 13);
    assert_int_equal(registered_parse(&p, PROOF_POREP, "StackedDrg2KiBV1", &err), CUZK_OK);
    assert_int_equal(p->number, 0);

    assert_int_equal(registered_parse(&p, PROOF_WINDOW, "3", &err), CUZK_ERR_DATA);
    assert_null(p);
    assert_string_equal(err.detail, "registered proof '3' is not one of kind wpost: 5 to 14 or a "
                                    "name like StackedDrgWindow2KiBV1 expected");
    static const char *const wrong[] = { "", "20", "-1", "+8", " 8", "8 ", "0x8", "4294967304",
                                         "18446744073709551624", "StackedDrgWinning2KiBV1" };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(registered_parse(&p, PROOF_POREP, wrong[i], NULL), CUZK_ERR_DATA);
    }
    assert_int_equal(registered_check(&p, PROOF_POREP, 19, &err), CUZK_OK);
    assert_int_equal(registered_check(&p, PROOF_POREP, (UINT64_C(1) << 32) + 8, &err),
                     CUZK_ERR_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(table__is_consistent),
        test(registered__what_the_network_uses),
        test(registered_by_name__takes_types_in_front),
        test(registered_by_name__wants_the_whole_name),
        test(registered_parse__refuses_with_what_is_expected),
    };
    return run_tests(tests);
}
