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

static void put(struct line *l, const char *text, size_t size)
{
    size_t room = sizeof l->text - 4 - l->used; /* for the end of the line */
    if (size > room) size = room;
    memcpy(l->text + l->used, text, size);
    l->used += size;
}

static void put_text(struct line *l, const char *text) { put(l, text, strlen(text)); }

/* Printable ASCII as it is, but for quotes and backslashes in JSON; the rest as \u00xx in JSON and \xxx in text. UTF-8
 * in messages of our own stays as it is. */
static void put_escaped(struct line *l, const char *text, size_t size, bool json, bool ascii)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        char escape[8];
        if (json && (c == '"' || c == '\\')) {
            snprintf(escape, sizeof escape, "\\%c", c);
        } else if (c < 0x20 || c == 0x7f || (ascii && c > 0x7e)) {
            snprintf(escape, sizeof escape, json ? "\\u%04x" : "\\x%02x", c);
        } else {
            put(l, (const char *)&c, 1);
            continue;
        }
        put_text(l, escape);
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

static void line_text(struct line *l, enum log_level level, enum log_area area, struct bytes job,
                      const char *message)
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

static void line_json(struct line *l, enum log_level level, enum log_area area, struct bytes job,
                      const char *message)
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

void log_line(struct log *log, enum log_level level, enum log_area area, struct bytes job, const char *fmt,
              ...)
{
    if (!log_wants(log, area, level)) return;
    char message[MESSAGE_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    struct line l;
    l.used = 0;
    if (log->json) line_json(&l, level, area, job, message);
    else line_text(&l, level, area, job, message);
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
