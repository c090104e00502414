/* Little- and big-endian integers, hexadecimal, and a bounded reader over bytes that somebody else sent.
 *
 * A reader never reads past its end and never allocates: every length that was read from the bytes is
 * compared with what remains, in 64-bit arithmetic, before it is used.
 */
#ifndef CUZK_BASE_BYTES_H
#define CUZK_BASE_BYTES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A view of bytes owned by somebody else. */
struct bytes {
    const uint8_t *data;
    size_t size;
};

static inline uint32_t load_le32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t load_le64(const uint8_t *p)
{
    return (uint64_t)load_le32(p) | (uint64_t)load_le32(p + 4) << 32;
}

static inline uint32_t load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline uint64_t load_be64(const uint8_t *p)
{
    return (uint64_t)load_be32(p) << 32 | (uint64_t)load_be32(p + 4);
}

static inline void store_le32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static inline void store_le64(uint8_t *p, uint64_t v)
{
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static inline void store_be32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static inline void store_be64(uint8_t *p, uint64_t v)
{
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(v >> (56 - 8 * i));
}

/* Writes 2·n lower-case digits and a NUL to `out`. */
void hex_encode(char *out, const uint8_t *in, size_t n);

/* Reads exactly 2·n digits (either case); false if `in` has another length or another character. */
bool hex_decode(uint8_t *out, size_t n, const char *in, size_t in_length);

struct reader {
    const uint8_t *start; /* for positions in messages */
    const uint8_t *at;
    const uint8_t *end;
};

static inline struct reader reader_over(const uint8_t *data, size_t size)
{
    return (struct reader){ .start = data, .at = data, .end = size ? data + size : data };
}

static inline size_t reader_left(const struct reader *r) { return (size_t)(r->end - r->at); }
static inline size_t reader_position(const struct reader *r) { return (size_t)(r->at - r->start); }

/* Each takes the next bytes, or fails with CUZK_ERR_DATA naming `what`, the position, and how many bytes
 * were needed and left. */
cuzk_status reader_take(struct reader *r, size_t n, const uint8_t **out, const char *what, cuzk_error *err);
cuzk_status reader_le32(struct reader *r, uint32_t *out, const char *what, cuzk_error *err);
cuzk_status reader_le64(struct reader *r, uint64_t *out, const char *what, cuzk_error *err);

/* A u64 LE element count: fails unless count · element_size bytes can still follow. */
cuzk_status reader_count(struct reader *r, size_t element_size, uint64_t *out, const char *what,
                         cuzk_error *err);

/* Fails with CUZK_ERR_DATA if bytes are left over. */
cuzk_status reader_finish(const struct reader *r, const char *what, cuzk_error *err);

#endif
