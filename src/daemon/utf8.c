#include "daemon/utf8.h"

/* Bytes of the character at `p`, 0 if there is none. */
static size_t character(const uint8_t *p, size_t left)
{
    if (p[0] < 0x80) return 1;
    size_t n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || n > left) return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    if (p[0] == 0xe0 && p[1] < 0xa0) return 0; /* overlong */
    if (p[0] == 0xed && p[1] > 0x9f) return 0; /* surrogates */
    if (p[0] == 0xf0 && p[1] < 0x90) return 0; /* overlong */
    if (p[0] == 0xf4 && p[1] > 0x8f) return 0; /* beyond U+10FFFF */
    return n;
}

bool utf8_valid(const uint8_t *text, size_t size)
{
    for (size_t at = 0, n; at < size; at += n) {
        n = character(text + at, size - at);
        if (n == 0) return false;
    }
    return true;
}

void utf8_clean(char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t n = character((const uint8_t *)text + at, size - at);
        if (n == 0) text[at] = '?';
        at += n ? n : 1;
    }
}
