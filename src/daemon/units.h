/* Sizes and durations as people write them: "256MiB", "1.5 GiB", "2TB", "4096"; "250ms", "30s", "1.5h".
 *
 * Fractions are exact as long as the result is a whole number of bytes or milliseconds, otherwise rounded
 * down. Suffixes are case-sensitive, one blank before them is allowed. No sign, no exponent.
 */
#ifndef CUZK_DAEMON_UNITS_H
#define CUZK_DAEMON_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* B, KB … TB (powers of 1000), KiB … TiB (powers of 1024); none means bytes. False if `text` is anything
 * else or does not fit. */
bool size_parse(uint64_t *bytes, const char *text);

/* ms, s, m, h; none means seconds. */
bool duration_parse(uint64_t *ms, const char *text);

/* The shortest exact form, which the parsers read back: "256MiB", "10m", "1001". */
enum { UNIT_TEXT = 32 };
void size_format(char out[UNIT_TEXT], uint64_t bytes);
void duration_format(char out[UNIT_TEXT], uint64_t ms);

/* For people: three digits, "1.46 GiB". */
void size_approximate(char out[UNIT_TEXT], uint64_t bytes);

#endif
