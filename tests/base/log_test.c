#define _GNU_SOURCE
#include "base/log.h"

#include "test.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What was written to a log over a pipe. */
static char text[1 << 16];

static void read_back(int fd)
{
    ssize_t n = read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
}

static struct log *open_log(int fds[2], bool json, enum log_level level)
{
    struct log *log;
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(log_create(&log, fds[1], json, level, NULL), CUZK_OK);
    return log;
}

static void close_log(struct log *log, int fds[2])
{
    log_destroy(log);
    close(fds[0]);
    close(fds[1]);
}

static struct bytes id(const char *t, size_t n) { return (struct bytes){ (const uint8_t *)t, n }; }

static void text_line__has_level_area_and_job(void **state)
{
    (void)state;
    int fds[2];
    struct log *log = open_log(fds, false, LOG_INFO);
    log_line(log, LOG_WARN, LOG_SRS, id("wdpost-[1 2]", 12), "%d of %s", 3, "\xc3\xa9");
    log_line(log, LOG_DEBUG, LOG_SRS, id("x", 1), "not wanted");
    read_back(fds[0]);
    assert_non_null(strstr(text, "Z warn  srs [wdpost-[1 2]] 3 of \xc3\xa9\n"));
    assert_null(strstr(text, "not wanted"));
    assert_int_equal(text[4], '-');
    assert_int_equal(strlen(text), strlen("2026-11-30T07:12:14.031Z warn  srs [wdpost-[1 2]] 3 of e\n") + 1);
    close_log(log, fds);
}

static void hostile_ids__cannot_break_a_line(void **state)
{
    (void)state;
    int fds[2];
    struct log *log = open_log(fds, false, LOG_INFO);
    log_line(log, LOG_INFO, LOG_RPC, id("a\n\0\xff\x1b[31m", 9), "text\nmore");
    read_back(fds[0]);
    assert_non_null(strstr(text, "[a\\x0a\\x00\\xff\\x1b[31m] text\\x0amore\n"));
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    static char large[1 << 16];
    memset(large, 'q', sizeof large);
    log_line(log, LOG_INFO, LOG_RPC, id(large, sizeof large), "end");
    read_back(fds[0]);
    assert_true(strlen(text) < 300);
    assert_non_null(strstr(text, "qqq...] end\n"));
    close_log(log, fds);
}

static void json_line__can_be_parsed_whatever_it_holds(void **state)
{
    (void)state;
    int fds[2];
    struct log *log = open_log(fds, true, LOG_INFO);
    static char large[5000];
    memset(large, '"', sizeof large - 1); /* doubles when it is escaped */
    const char *messages[] = { "plain", "quote \" backslash \\ tab \t \xc3\xa9", large,
                               "\xff\xc3(\xed\xa0\x80\xf0\x9f" };
    for (size_t i = 0; i < 4; i++) {
        log_line(log, LOG_ERROR, LOG_JOURNAL, id("\xff\"\0", 3), "%s", messages[i]);
        read_back(fds[0]);
        json_t *line = json_loads(text, JSON_ALLOW_NUL, NULL);
        assert_non_null(line);
        assert_string_equal(json_string_value(json_object_get(line, "level")), "error");
        assert_string_equal(json_string_value(json_object_get(line, "area")), "journal");
        const char *message = json_string_value(json_object_get(line, "message"));
        if (i < 2) assert_string_equal(message, messages[i]);
        json_decref(line);
    }
    close_log(log, fds);
}

static void levels__are_by_area_and_may_change(void **state)
{
    (void)state;
    int fds[2];
    struct log *log = open_log(fds, false, LOG_WARN);
    assert_false(log_wants(log, LOG_HTTP, LOG_INFO));
    log_set_level(log, LOG_HTTP, LOG_TRACE);
    assert_true(log_wants(log, LOG_HTTP, LOG_TRACE));
    assert_false(log_wants(log, LOG_RPC, LOG_INFO));
    assert_false(log_wants(NULL, LOG_RPC, LOG_ERROR));
    log_error(NULL, LOG_MAIN, "nowhere");
    close_log(log, fds);
    enum log_level level;
    enum log_area area;
    assert_true(log_level_parse(&level, "Warning") && level == LOG_WARN);
    assert_false(log_level_parse(&level, "loud"));
    assert_true(log_area_parse(&area, "journal") && area == LOG_JOURNAL);
    assert_false(log_area_parse(&area, "kitchen"));
    for (int i = 0; i < LOG_LEVELS; i++) {
        assert_true(log_level_parse(&level, log_level_name((enum log_level)i)) && (int)level == i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(text_line__has_level_area_and_job),
        test(hostile_ids__cannot_break_a_line),
        test(json_line__can_be_parsed_whatever_it_holds),
        test(levels__are_by_area_and_may_change),
    };
    return run_tests(tests);
}
