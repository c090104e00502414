/* Files that are built into the program: the descriptor set of proto/ and the status page. */
#ifndef CUZK_DAEMON_BUILT_IN_H
#define CUZK_DAEMON_BUILT_IN_H

#include <stddef.h>

extern const unsigned char descriptor_set[]; /* google.protobuf.FileDescriptorSet */
extern const size_t descriptor_set_size;

extern const unsigned char status_page[]; /* HTML */
extern const size_t status_page_size;

#endif
