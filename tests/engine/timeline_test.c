#include "engine/histogram.h"
#include "engine/timeline.h"

#include "test.h"

#include <string.h>

static uint64_t sum(const struct timings *t)
{
    uint64_t s = 0;
    for (int p = 0; p < PHASES; p++) s += t->phase[p];
    return s;
}

static void span(struct timeline *t, enum phase phase, uint32_t partition, uint64_t begin, uint64_t end)
{
    size_t s = timeline_open(t, phase, partition, 0, begin);
    if (end) timeline_close(t, s, end);
}

static void timings__attribute_every_instant_once(void **state)
{
    (void)state;
    struct timeline t;
    struct timings out;
    timeline_begin(&t, 1000);
    span(&t, PHASE_SRS, SPAN_JOB, 1100, 1500);
    span(&t, PHASE_SYNTH, SPAN_JOB, 1200, 1300); /* reading beside the load: synth goes before srs */
    span(&t, PHASE_SYNTH, 0, 1500, 1700);
    span(&t, PHASE_GPU, 0, 1700, 2000);
    span(&t, PHASE_SYNTH, 1, 1700, 1900); /* under gpu */
    span(&t, PHASE_GPU, 1, 1950, 2300);   /* overlaps */
    span(&t, PHASE_FINISH, SPAN_JOB, 2300, 0);
    timeline_end(&t, 2400);
    timings_of(&out, &t, 9999);
    assert_int_equal(out.total, 1400);
    assert_int_equal(sum(&out), out.total);
    assert_int_equal(out.phase[PHASE_QUEUE], 100);
    assert_int_equal(out.phase[PHASE_SRS], 300);
    assert_int_equal(out.phase[PHASE_SYNTH], 300);
    assert_int_equal(out.phase[PHASE_GPU], 600);
    assert_int_equal(out.phase[PHASE_FINISH], 100);
    assert_int_equal(out.busy[PHASE_SYNTH], 500);
    assert_int_equal(out.busy[PHASE_GPU], 650);
    timeline_release(&t);
}

static void timings__of_a_running_job_reach_until_now(void **state)
{
    (void)state;
    struct timeline t;
    struct timings out;
    timeline_begin(&t, 100);
    timings_of(&out, &t, 100);
    assert_int_equal(out.total, 0);
    span(&t, PHASE_GPU, 0, 200, 0);
    timings_of(&out, &t, 500);
    assert_int_equal(out.total, 400);
    assert_int_equal(out.phase[PHASE_GPU], 300);
    assert_int_equal(out.phase[PHASE_QUEUE], 100);
    timings_of(&out, &t, 50); /* a clock read a little earlier */
    assert_int_equal(out.total, 0);
    timeline_release(&t);
}

static void timings__gaps_count_as_queue(void **state)
{
    (void)state;
    struct timeline t;
    struct timings out;
    timeline_begin(&t, 10);
    for (uint32_t i = 0; i < 100; i++) span(&t, PHASE_GPU, i, 20 + 10 * i, 25 + 10 * i);
    timeline_end(&t, 1020);
    timings_of(&out, &t, 0);
    assert_int_equal(out.phase[PHASE_GPU], 500);
    assert_int_equal(out.phase[PHASE_QUEUE], 510);
    timeline_release(&t);
}

static void timings__rounded_phases_add_up(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 1000; round++) {
        struct timings t = { 0 };
        for (int p = 0; p < PHASES; p++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            t.phase[p] = (seed >> 33) % 3000000;
            t.total += t.phase[p];
        }
        uint64_t ms[PHASES], total, all = 0;
        timings_ms(ms, &total, &t);
        for (int p = 0; p < PHASES; p++) {
            all += ms[p];
            int64_t off = (int64_t)(ms[p] * 1000000) - (int64_t)t.phase[p];
            assert_true(off >= -1000000 && off <= 1000000);
        }
        assert_int_equal(all, total);
        assert_int_equal(total, (t.total + 500000) / 1000000);
    }
}

static void timings__text_has_the_incumbents_shape(void **state)
{
    (void)state;
    struct timings t = { .total = 812000000 };
    t.phase[PHASE_QUEUE] = 12000000;
    t.phase[PHASE_GPU] = 800000000;
    t.busy[PHASE_GPU] = 900000000;
    char text[256];
    timings_text(text, sizeof text, &t);
    assert_string_equal(text, "timings: total=812 ms (queue=12 ms, srs=0 ms, synth=0 ms, gpu=800 ms, "
                              "finish=0 ms) busy: synth=0 ms gpu=900 ms");
}

static void histogram__counts_by_bound(void **state)
{
    (void)state;
    struct histogram h = { 0 };
    histogram_add(&h, 1000000); /* exactly the first bound */
    histogram_add(&h, 1000001); /* just above */
    histogram_add(&h, UINT64_C(1) << 62);
    assert_int_equal(h.count[0], 1);
    assert_int_equal(h.count[1], 1);
    assert_int_equal(h.count[HISTOGRAM_BOUNDS], 1);
    assert_int_equal(h.total, 3);
    for (unsigned i = 1; i < HISTOGRAM_BOUNDS; i++) assert_true(histogram_bound(i) > histogram_bound(i - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(timings__attribute_every_instant_once),  test(timings__of_a_running_job_reach_until_now),
        test(timings__gaps_count_as_queue),           test(timings__rounded_phases_add_up),
        test(timings__text_has_the_incumbents_shape), test(histogram__counts_by_bound),
    };
    return run_tests(tests);
}
