/* Private to the writers: a file with a status that sticks, so that a failure is looked at once, at the end. */
#ifndef CUZK_VANILLA_SINK_H
#define CUZK_VANILLA_SINK_H

#include "base/file.h"

struct sink {
    struct file_writer *writer;
    cuzk_status status;
    cuzk_error *err;
};

static inline void sink_put(struct sink *s, const void *data, size_t size)
{
    if (s->status == CUZK_OK) s->status = file_writer_put(s->writer, data, size, s->err);
}

#endif
