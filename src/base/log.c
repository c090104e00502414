#include "base/log.h"

#include "base/clock.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum { LINE_BYTES = 4096, MESSAGE_BYTES = 2048, ID_BYTES = 128 };

struct log {
    int fd;
    bool json;
    atomic_int level[LOG_AREAS];
};

static const char *const level_names[LOG_LEVELS] = { "error", "warn", "info", "debug", "trace" };
static const char *const area_names[LOG_AREAS] = { "main",    "engine", "srs", "device",
                                                   "journal", "memory", "rpc", "http" };

cuzk_status log_create(struct log **out, int fd, bool json, enum log_level level, cuzk_error *err)
{
    struct log *log = *out = malloc(sizeof *log);
    if (!log) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the log");
    log->fd = fd;
    log->json = json;
    for (int i = 0; i < LOG_AREAS; i++) atomic_init(&log->level[i], (int)level);
    return CUZK_OK;
}

void log_destroy(struct log *log) { free(log); }

void log_set_level(struct log *log, enum log_area area, enum log_level level)
{
    if (log) atomic_store_explicit(&log->level[area], (int)level, memory_order_relaxed);
}

bool log_wants(const struct log *log, enum log_area area, enum log_level level)
{
    return log && (int)level <= atomic_load_explicit(&log->level[area], memory_order_relaxed);
}

/* Where the line is put together; what does not fit is left out. */
struct line {
    char text[LINE_BYTES];
    size_t used;
};

/* All of it or, where there is no room, nothing, so that no escape or character is cut in two. */
static void put(struct line *l, const char *text, size_t size)
{
    if (size > sizeof l->text - 4 - l->used) return; /* what is kept back is for the end of the line */
    memcpy(l->text + l->used, text, size);
    l->used += size;
}

static void put_text(struct line *l, const char *text) { put(l, text, strlen(text)); }

/* Bytes of the UTF-8 character at the beginning, 0 if there is none (overlong forms and surrogates included: a log
 * has no use for them, and most are caught by the first two bytes). */
static size_t character_bytes(const char *text, size_t left)
{
    unsigned char c = (unsigned char)text[0], d = left > 1 ? (unsigned char)text[1] : 0;
    if (c < 0x80) return 1;
    size_t n = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if (n == 0 || n > left) return 0;
    if ((c == 0xe0 && d < 0xa0) || (c == 0xed && d > 0x9f) || (c == 0xf0 && d < 0x90) || (c == 0xf4 && d > 0x8f)) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
    }
    return n;
}

/* Printable ASCII as it is, but for quotes and backslashes in JSON; control characters, and what is not UTF-8 or not
 * ASCII where that is wanted, as \u00xx in JSON and \xxx in text. */
static void put_escaped(struct line *l, const char *text, size_t size, bool json, bool ascii)
{
    for (size_t i = 0; i < size;) {
        unsigned char c = (unsigned char)text[i];
        size_t n = ascii && c > 0x7e ? 0 : character_bytes(text + i, size - i);
        char escape[8];
        if (json && (c == '"' || c == '\\')) {
            snprintf(escape, sizeof escape, "\\%c", c);
            put_text(l, escape);
        } else if (n == 0 || c < 0x20 || c == 0x7f) {
            snprintf(escape, sizeof escape, json ? "\\u%04x" : "\\x%02x", c);
            put_text(l, escape);
        } else {
            put(l, text + i, n);
        }
        i += n ? n : 1;
    }
}

static void put_job(struct line *l, struct bytes job, bool json)
{
    bool shortened = job.size > ID_BYTES;
    put_escaped(l, (const char *)job.data, shortened ? ID_BYTES : job.size, json, true);
    if (shortened) put_text(l, "...");
}

static void put_time(struct line *l)
{
    int64_t now = clock_calendar_ms();
    time_t seconds = (time_t)(now / 1000);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    char text[40];
    size_t n = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
    n += (size_t)snprintf(text + n, sizeof text - n, ".%03dZ", (int)(now % 1000));
    put(l, text, n);
}

static void line_text(struct line *l, enum log_level level, enum log_area area, struct bytes job, const char *message)
{
    char head[32];
    put_time(l);
    snprintf(head, sizeof head, " %-5s %s ", level_names[level], area_names[area]);
    put_text(l, head);
    if (job.size) {
        put_text(l, "[");
        put_job(l, job, false);
        put_text(l, "] ");
    }
    put_escaped(l, message, strlen(message), false, false);
    l->text[l->used++] = '\n';
}

static void line_json(struct line *l, enum log_level level, enum log_area area, struct bytes job, const char *message)
{
    put_text(l, "{\"time\":\"");
    put_time(l);
    put_text(l, "\",\"level\":\"");
    put_text(l, level_names[level]);
    put_text(l, "\",\"area\":\"");
    put_text(l, area_names[area]);
    if (job.size) {
        put_text(l, "\",\"job\":\"");
        put_job(l, job, true);
    }
    put_text(l, "\",\"message\":\"");
    put_escaped(l, message, strlen(message), true, false);
    memcpy(l->text + l->used, "\"}\n", 3);
    l->used += 3;
}

void log_line(struct log *log, enum log_level level, enum log_area area, struct bytes job, const char *fmt, ...)
{
    if (!log_wants(log, area, level)) return;
    char message[MESSAGE_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    struct line l;
    l.used = 0;
    if (log->json)
        line_json(&l, level, area, job, message);
    else
        line_text(&l, level, area, job, message);
    ssize_t ignored = write(log->fd, l.text, l.used); /* nowhere to report a log that cannot be written */
    (void)ignored;
}

const char *log_level_name(enum log_level level) { return level_names[level]; }
const char *log_area_name(enum log_area area) { return area_names[area]; }

bool log_level_parse(enum log_level *out, const char *name)
{
    for (int i = 0; i < LOG_LEVELS; i++) {
        if (strcasecmp(name, level_names[i]) == 0) return *out = (enum log_level)i, true;
    }
    if (strcasecmp(name, "warning") == 0) return *out = LOG_WARN, true;
    return false;
}

bool log_area_parse(enum log_area *out, const char *name)
{
    for (int i = 0; i < LOG_AREAS; i++) {
        if (strcmp(name, area_names[i]) == 0) return *out = (enum log_area)i, true;
    }
    return false;
}
