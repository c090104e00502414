/* The benchmarks about memory at small scale: the shape of their results, and what must be true of them on any
 * machine. Times are compared with each other, never with a clock. */
#include "cli/cases.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define DEALLOC "$CUZK bench dealloc --json --scale 0.002 "

static void commands__explain_their_usage(void **state)
{
    (void)state;
    static const struct {
        const char *part, *command;
    } lines[] = {
        { "--scale: '0' is not a number above 0", "bench dealloc --scale 0" },
        { "--scale: '-1' is not", "bench dealloc --scale=-1" },
        { "--scale: 'nan' is not", "bench dealloc --scale nan" },
        { "--scale: 'big' is not", "bench dealloc --scale big" },
        { "--scale: '17' is not", "bench dealloc --scale 17" },
        { "--mode: there is no 'later'", "bench dealloc --mode sync,later" },
        { "--mode: there is no ''", "bench dealloc --mode sync," },
        { "--allocator: there is no 'tcmalloc'", "bench dealloc --allocator tcmalloc" },
        { "--pages: there is no '2m'", "bench dealloc --pages 2m" },
        { "--arenas: there is no 'few'", "bench dealloc --arenas few" },
        { "--repeat: at least 1", "bench dealloc --repeat 0" },
        { "unrecognized option '--c1=x'", "bench dealloc --c1=x" },
        { "a circuit is needed", "bench srs" },
        { "one circuit at a time", "bench srs porep-2k snap-2k" },
        { "there is no circuit 'porep-3k'", "bench srs porep-3k" },
        { "--log-size: at least 10", "bench memory --log-size 5" },
        { "'glibc' is not current", "bench memory --allocator glibc" },
        { "--style: 'fast' is none of objects, no-temporaries, program, all", "bench witness --style fast" },
        { "--style: of `bench witness` alone", "bench field --style program" },
        { "a PoRep is needed", "bench witness --style program " WINNING "$SEALED/winning-42.vproof" },
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) misused(lines[i].part, "$CUZK %s", lines[i].command);
    static const char *const commands[] = { "bench dealloc", "bench srs", "bench memory", "bench witness" };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char *help = succeeds("$CUZK %s --help", commands[i]);
        assert_non_null(strstr(help, "Usage: cuzk bench"));
        free(help);
    }
}

static void commands__refuse_what_does_not_fit(void **state)
{
    (void)state;
    fails(75, "needs", "$CUZK bench dealloc --scale 16"); /* 5.4 TB */
    fails(66, "absent/v28-", "$CUZK bench srs wpost-2k --params absent");
}

static json_t *results_of(const char *command)
{
    char *text = succeeds("%s", command);
    json_error_t error;
    json_t *list = json_loads(text, 0, &error);
    if (!json_is_array(list)) fail_msg("%s: %s\n%s", command, error.text, text);
    free(text);
    return list;
}

static double number(const json_t *r, const char *key)
{
    json_t *value = json_object_get(r, key);
    if (!json_is_number(value)) fail_msg("no number '%s'", key);
    return json_number_value(value);
}

static const char *text(const json_t *r, const char *key)
{
    const char *value = json_string_value(json_object_get(r, key));
    if (!value) fail_msg("no text '%s'", key);
    return value;
}

static const json_t *with(const json_t *list, const char *key, const char *value)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *r = json_array_get(list, i);
        if (strcmp(text(r, key), value) == 0) return r;
    }
    fail_msg("no result with %s %s", key, value);
    return NULL;
}

static double frees(const json_t *r) { return number(r, "outer_ms") - number(r, "inner_ms"); }

static void check_one(const json_t *r)
{
    static const char *const integers[] = { "bytes", "faults", "left_bytes", "huge_bytes", "threads", "repeat" };
    static const char *const numbers[] = { "inner_ms", "outer_ms", "next_ms", "quiet_ms", "build_ms", "gone_ms" };
    for (size_t i = 0; i < 6; i++) assert_true(json_is_integer(json_object_get(r, integers[i])));
    for (size_t i = 0; i < 6; i++) assert_true(number(r, numbers[i]) >= 0);
    assert_true(number(r, "inner_ms") > 0 && number(r, "next_ms") > 0 && number(r, "quiet_ms") > 0);
    assert_true(frees(r) >= 0);
    assert_true(fabs(number(r, "share") - frees(r) / number(r, "outer_ms")) < 1e-6);
}

/* The ghost: there when frees are on the critical path, gone when they are deferred or not needed. */
static void dealloc__shows_the_ghost_in_four_ways(void **state)
{
    (void)state;
    json_t *list = results_of(DEALLOC "--allocator glibc --pages 4k --arenas many --repeat 3");
    assert_int_equal(json_array_size(list), 4);
    for (size_t i = 0; i < 4; i++) check_one(json_array_get(list, i));
    const json_t *sync = with(list, "mode", "sync"), *deferred = with(list, "mode", "deferred");
    const json_t *arena = with(list, "mode", "arena"), *packed = with(list, "mode", "packed");
    assert_true(frees(sync) > 4 * frees(deferred));
    assert_true(frees(sync) > 4 * frees(arena));
    assert_true(number(arena, "share") < 0.01);
    assert_true(number(deferred, "gone_ms") > 4 * frees(deferred)); /* the work is done, elsewhere */

    double bytes = number(sync, "bytes");
    assert_true(bytes > 0.0019 * 169e9 && bytes < 0.0021 * 169e9);
    assert_true(number(deferred, "bytes") == bytes && number(arena, "bytes") == bytes);
    assert_true(number(packed, "bytes") > 0 && number(packed, "bytes") < 0.02 * bytes);

    /* Each job of malloc pays for its pages anew, those that reuse do not. */
    assert_true(number(sync, "faults") > 0.8 * bytes / (double)sysconf(_SC_PAGESIZE));
    assert_true(number(deferred, "faults") > 0.8 * bytes / (double)sysconf(_SC_PAGESIZE));
    assert_true(number(arena, "faults") < 0.01 * number(sync, "faults"));
    assert_true(number(packed, "faults") < 0.01 * number(sync, "faults"));
    assert_string_equal(text(arena, "allocator"), "mmap");
    assert_string_equal(text(sync, "arenas"), "many");
    json_decref(list);
}

static void dealloc__does_what_it_is_asked_for_alone(void **state)
{
    (void)state;
    json_t *list = results_of(DEALLOC "--allocator current --mode packed,arena --pages huge --repeat 1 --threads 1");
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(text(json_array_get(list, 0), "mode"), "arena");
    assert_string_equal(text(json_array_get(list, 0), "pages"), "huge");
    assert_true(number(json_array_get(list, 1), "threads") == 1);
    json_decref(list);
    list = results_of(DEALLOC "--allocator glibc --mode sync --pages 4k --arenas one --repeat 1");
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(text(json_array_get(list, 0), "arenas"), "one");
    assert_true(number(json_array_get(list, 0), "huge_bytes") == 0);
    json_decref(list);
    char *table = succeeds("$CUZK bench dealloc --scale 0.0005 --allocator current --pages 4k --repeat 1");
    assert_non_null(strstr(table, "share"));
    assert_non_null(strstr(table, "deferred"));
    free(table);
}

/* What is said to be jemalloc is jemalloc; and who does not have it is told. */
static void dealloc__knows_its_allocator(void **state)
{
    (void)state;
    struct answer a = shell("CUZK_JEMALLOC=/nowhere " DEALLOC
                            "--allocator jemalloc,glibc --mode sync --pages 4k --arenas one --repeat 1");
    assert_int_equal(a.code, 0);
    assert_non_null(strstr(a.err, "jemalloc IS NOT INSTALLED"));
    assert_null(strstr(a.out, "\"jemalloc\""));
    answer_free(&a);
#ifndef __SANITIZE_ADDRESS__ /* which wants to be loaded first */
    a = shell(DEALLOC "--allocator jemalloc --mode sync --pages 4k --arenas one --repeat 1");
    assert_int_equal(a.code, 0);
    if (strstr(a.err, "NOT INSTALLED")) print_message("[  NOTE  ] no libjemalloc2 here\n");
    else assert_non_null(strstr(a.out, "\"jemalloc\""));
    answer_free(&a);
#endif
}

static void memory__compares_ways_to_give_back(void **state)
{
    (void)state;
    json_t *list = results_of("$CUZK bench memory --json --log-size 16 --pages 4k --repeat 3");
    assert_int_equal(json_array_size(list), 5);
    const json_t *kept = with(list, "way", "kept"), *unmapped = with(list, "way", "munmap");
    const json_t *dropped = with(list, "way", "MADV_DONTNEED"), *lazy = with(list, "way", "MADV_FREE");
    double bytes = number(kept, "bytes"), pages = bytes / (double)sysconf(_SC_PAGESIZE);
    assert_true(bytes == 2.0 * 32 * 65536);
    assert_true(number(kept, "faults") < 0.05 * pages && number(lazy, "faults") < 0.05 * pages);
    assert_true(number(unmapped, "faults") > 0.9 * pages && number(dropped, "faults") > 0.9 * pages);
    assert_true(number(unmapped, "left_bytes") < 0.2 * bytes && number(kept, "left_bytes") > 0.8 * bytes);
    const json_t *transform = with(json_array_size(list) == 5 ? list : NULL, "name", "transform");
    assert_true(number(transform, "min_ms") > 0);
    json_decref(list);
    list = results_of("$CUZK bench memory --json --allocator current --pages 4k --repeat 1 " POREP_42
                      "$SEALED/porep-s42.c1.json");
    assert_int_equal(json_array_size(list), 1);
    assert_true(number(json_array_get(list, 0), "parse_ms") > 0 && number(json_array_get(list, 0), "compile_ms") > 0);
    json_decref(list);
}

static void srs__is_loaded_and_evicted(void **state)
{
    (void)state;
    json_t *list = results_of("$CUZK bench srs wpost-2k --params $PARAMS --json --repeat 3");
    assert_int_equal(json_array_size(list), 7);
    static const char *const evictions[] = { "srs evict, mapped", "srs evict, pinned" };
    for (size_t i = 0; i < 2; i++) {
        const json_t *r = with(list, "name", evictions[i]);
        assert_true(number(r, "idle_ms") > 0 && number(r, "reaper_ms") > 0);
        assert_true(number(r, "quiet_ms") > 0 && number(r, "load_ms") > 0);
        assert_true(number(r, "faults") > 0);
    }
    assert_true(number(with(list, "name", "srs open"), "median_s") > 0);
    json_decref(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(commands__explain_their_usage),
        test(commands__refuse_what_does_not_fit),
        test(dealloc__shows_the_ghost_in_four_ways),
        test(dealloc__does_what_it_is_asked_for_alone),
        test(dealloc__knows_its_allocator),
        test(memory__compares_ways_to_give_back),
        test(srs__is_loaded_and_evicted),
    };
    return run_shell_tests(tests);
}
