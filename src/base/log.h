/* Log lines for people or for machines.
 *
 * A line has a time, a level, an area of the program, the job that it is about (if any) and a message:
 *
 *     2026-11-30T07:12:14.031Z info  engine [job-7] timings: total=812 ms (…)
 *     {"time":"2026-11-30T07:12:14.031Z","level":"info","area":"engine","job":"job-7","message":"…"}
 *
 * Each line is one write(2), so lines of several threads and processes do not mix. Ids come from clients: bytes
 * that are not printable ASCII are escaped, and ids longer than 128 bytes are shortened. Never hand payload bytes to
 * it. NULL is allowed wherever a struct log is expected and means silence. Thread-safe; levels may change at any
 * time.
 */
#ifndef CUZK_BASE_LOG_H
#define CUZK_BASE_LOG_H

#include "base/bytes.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG_TRACE, LOG_LEVELS };

enum log_area { LOG_MAIN, LOG_ENGINE, LOG_SRS, LOG_DEVICE, LOG_JOURNAL, LOG_MEMORY, LOG_RPC, LOG_HTTP, LOG_AREAS };

struct log;

/* Writes to `fd`, which stays the caller's. Every area starts at `level`. */
cuzk_status log_create(struct log **out, int fd, bool json, enum log_level level, cuzk_error *err);
void log_destroy(struct log *log); /* NULL is allowed */

void log_set_level(struct log *log, enum log_area area, enum log_level level);
bool log_wants(const struct log *log, enum log_area area, enum log_level level);

/* `job` may be empty. */
void log_line(struct log *log, enum log_level level, enum log_area area, struct bytes job, const char *fmt, ...)
    CUZK_PRINTF(5, 6);

#define log_error(log, area, ...) log_line(log, LOG_ERROR, area, (struct bytes){ 0 }, __VA_ARGS__)
#define log_warn(log, area, ...) log_line(log, LOG_WARN, area, (struct bytes){ 0 }, __VA_ARGS__)
#define log_info(log, area, ...) log_line(log, LOG_INFO, area, (struct bytes){ 0 }, __VA_ARGS__)
#define log_debug(log, area, ...) log_line(log, LOG_DEBUG, area, (struct bytes){ 0 }, __VA_ARGS__)

/* "error", "warn", "info", "debug", "trace"; "main", "engine", … Parsing also takes "warning"; false if unknown. */
const char *log_level_name(enum log_level level);
const char *log_area_name(enum log_area area);
bool log_level_parse(enum log_level *out, const char *name);
bool log_area_parse(enum log_area *out, const char *name);

#endif
