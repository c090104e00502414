/* Text from clients: protobuf strings must be UTF-8, and a reply that is not would be refused by their libraries. */
#ifndef CUZK_DAEMON_UTF8_H
#define CUZK_DAEMON_UTF8_H

#include "base/bytes.h"

/* Well-formed by RFC 3629: no surrogates, no overlong forms, nothing beyond U+10FFFF. NUL is a character. */
bool utf8_valid(const uint8_t *text, size_t size);

/* Replaces every byte that is not part of a well-formed character by '?'. */
void utf8_clean(char *text, size_t size);

#endif
