/* The device's way of filling a witness (backend/cuda/fill_plan.h, fill_program.cuh), run on the host, against
 * witness_fill, byte for byte: every opcode (PoRep has the SHA-256 ones, update the columns), repeated groups, bad
 * slots. */
#include "circuit/compile.h"
#include "fill/emulation.h"
#include "math/fr.h"
#include "test.h"
#include "witness/sealed.h"

#include <stdlib.h>
#include <string.h>

/* A deferred witness's values as the device computes them, in the memory of `out`. Returns the smallest number of an
 * instance with a bad slot. */
static uint32_t fill_as_device(struct witness *out, const struct witness *deferred, bool backwards)
{
    const struct circuit *c = out->circuit;
    struct fill_plan plan;
    struct fill_extent extent;
    cuzk_error err = { "" };
    uint32_t bad = UINT32_MAX;
    assert_int_equal(fill_plan_create(&plan, c, &err), CUZK_OK);
    void *registers = malloc(fill_register_bytes(&plan) + 1);
    assert_non_null(registers);
    memset(out->memory, 0xff, out->size);
    memset(out->bits, 0, (size_t)((char *)out->wides - (char *)out->bits));
    out->inputs[0] = FR_ONE;
    const struct fill_source source = { plan.code,   plan.lists,     plan.places,         plan.elements,
                                        plan.hashes, plan.instances, deferred->given.ints,
                                        (const fr_t *)deferred->given.nodes };
    const struct fill_target target = { out->bits, out->wides, out->inputs, &bad };
    fill_extent_of(&extent, c, deferred->given.groups);
    emulate_fill(&source, &target, &plan, &extent, registers, backwards);
    free(registers);
    fill_plan_release(&plan);
    return bad;
}

static void assert_same(const struct witness *a, const struct witness *b)
{
    const struct circuit *c = a->circuit;
    size_t words = ((size_t)c->bits + 63) / 64;
    assert_memory_equal(a->bits, b->bits, words * sizeof(uint64_t));
    assert_memory_equal(a->wides, b->wides, c->wides * sizeof(fr_t));
    assert_memory_equal(a->inputs, b->inputs, c->inputs * sizeof(fr_t));
}

struct scene {
    struct vanilla_job *job;
    struct circuit *circuit;
    struct witness want, deferred, got;
};

static void open_scene(struct scene *s, const char *name)
{
    cuzk_error err = { "" };
    s->job = sealed_job(name);
    assert_int_equal(circuit_compile(&s->circuit, s->job->kind, s->job->shape, &err), CUZK_OK);
    assert_int_equal(witness_create(&s->want, s->circuit, &err), CUZK_OK);
    assert_int_equal(witness_create(&s->got, s->circuit, &err), CUZK_OK);
    assert_int_equal(witness_create_deferred(&s->deferred, s->circuit, &err), CUZK_OK);
    assert_true(witness_is_deferred(&s->deferred));
    assert_false(witness_is_deferred(&s->want));
}

static void close_scene(struct scene *s)
{
    witness_destroy(&s->want);
    witness_destroy(&s->got);
    witness_destroy(&s->deferred);
    circuit_free(s->circuit);
    vanilla_job_free(s->job);
}

/* Both ways, from the same inputs. */
static void compare(struct scene *s, const struct partition_input *in)
{
    cuzk_error err = { "" };
    if (circuit_fill(&s->want, in, NULL, &err) != CUZK_OK) fail_msg("%s", err.detail);
    if (circuit_fill(&s->deferred, in, NULL, &err) != CUZK_OK) fail_msg("%s", err.detail);
    for (int backwards = 0; backwards < 2; backwards++) {
        assert_int_equal(fill_as_device(&s->got, &s->deferred, backwards), UINT32_MAX);
        assert_same(&s->got, &s->want);
    }
}

static void sealed__gives_the_same_witness(void **state)
{
    (void)state;
    static const char *const names[] = { "winning-42", "window-42-43", "porep-42", "update-42" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct scene s;
        open_scene(&s, names[i]);
        compare(&s, &s.job->inputs[0]);
        close_scene(&s);
    }
}

static void window__repeats_the_last_sector(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, "window-42-43");
    struct partition_input one = s.job->inputs[0];
    one.post.slot_count = 1;
    compare(&s, &one);
    cuzk_error err = { "" };
    one.post.slot_count = 0;
    assert_int_equal(circuit_fill(&s.deferred, &one, NULL, &err), CUZK_ERR_USAGE);
    compare(&s, &s.job->inputs[0]); /* after it was filled with less, and failed */
    close_scene(&s);
}

/* Winning has 66 groups, so that the repeated ones begin and end within words of bits. */
static void winning__repeats_any_number_of_groups(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, "winning-42");
    struct partition_input some = s.job->inputs[0];
    for (size_t count = 1; count <= 66; count += 13) {
        some.post.slot_count = count;
        compare(&s, &some);
    }
    close_scene(&s);
}

/* The same message from both, and the device names the instance. */
static void refuse(struct scene *s, const struct assignment *a, const char *message)
{
    cuzk_error one = { "" }, two = { "" }, three = { "" };
    struct pool *pool;
    assert_int_equal(witness_fill(&s->want, a, NULL, &one), CUZK_ERR_DATA);
    assert_string_equal(one.detail, message);
    assert_int_equal(witness_fill(&s->deferred, a, NULL, &two), CUZK_ERR_DATA);
    assert_string_equal(two.detail, message);
    assert_int_equal(pool_create(&pool, 3, &three), CUZK_OK);
    assert_int_equal(witness_fill(&s->deferred, a, pool, &three), CUZK_ERR_DATA);
    assert_string_equal(three.detail, message);
    pool_destroy(pool);
}

static void bad_slots__are_named(void **state)
{
    (void)state;
    struct scene s;
    cuzk_error err = { "" };
    open_scene(&s, "winning-42");
    assert_int_equal(circuit_fill(&s.deferred, &s.job->inputs[0], NULL, &err), CUZK_OK);
    const struct assignment *own = &s.deferred.given;
    uint64_t *ints = (uint64_t *)own->ints, before = ints[5];
    uint8_t *node = (uint8_t *)own->nodes[70];
    ints[5] = 8;
    refuse(&s, own, "integer slot 5: 8 does not fit 3 bits");
    ints[7] = 9;
    refuse(&s, own, "integer slot 5: 8 does not fit 3 bits");
    uint32_t first = fill_as_device(&s.got, &s.deferred, false);
    assert_int_equal(first, fill_as_device(&s.got, &s.deferred, true));
    const struct instance *i = &s.circuit->instances[first];
    assert_true(i->int_base <= 5 && 5 < i->int_base + s.circuit->templates[i->template]->slot_ints);
    ints[5] = before;
    ints[7] = 0;
    memcpy(node, FR_MODULUS, 32);
    refuse(&s, own, "node slot 70: not a canonical field element");
    i = &s.circuit->instances[fill_as_device(&s.got, &s.deferred, false)];
    assert_true(i->node_base <= 70 && 70 < i->node_base + s.circuit->templates[i->template]->slot_nodes);
    struct assignment fewer = *own;
    fewer.node_count--;
    assert_int_equal(witness_fill(&s.deferred, &fewer, NULL, &err), CUZK_ERR_USAGE);
    close_scene(&s);
}

/* Where the device computes the values, and what the host then holds. */
static void device_fill__is_for_large_windows(void **state)
{
    (void)state;
    struct circuit *c;
    cuzk_error err = { "" };
    assert_int_equal(circuit_compile(&c, PROOF_WINDOW, sector_shape_by_name("32GiB"), &err), CUZK_OK);
    assert_true(fill_pays(c));
    assert_in_range(witness_deferred_bytes(c), 1, 60 << 20);
    struct fill_plan plan;
    assert_int_equal(fill_plan_create(&plan, c, &err), CUZK_OK);
    assert_int_equal(plan.levels, 12);
    assert_int_equal(plan.step_count, 13);
    assert_in_range(fill_register_bytes(&plan), 1, 64 << 20);
    fill_plan_release(&plan);
    circuit_free(c);
    assert_int_equal(circuit_compile(&c, PROOF_WINNING, sector_shape_by_name("32GiB"), &err), CUZK_OK);
    assert_false(fill_pays(c));
    circuit_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(sealed__gives_the_same_witness),   test(window__repeats_the_last_sector),
        test(winning__repeats_any_number_of_groups), test(bad_slots__are_named),
        test(device_fill__is_for_large_windows),
    };
    return run_tests(tests);
}
