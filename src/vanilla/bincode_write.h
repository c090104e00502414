/* Writes the bincode forms that post_bincode and update_bincode read (spec §5.3). */
#ifndef CUZK_VANILLA_BINCODE_WRITE_H
#define CUZK_VANILLA_BINCODE_WRITE_H

#include "base/file.h"
#include "vanilla/post_bincode.h"

cuzk_status post_write_bincode(struct file_writer *out, const struct sector_shape *shape,
                               const struct post_sector *sector, cuzk_error *err);

cuzk_status update_write_bincode(struct file_writer *out, const struct sector_shape *shape,
                                 const struct update_input *partition, cuzk_error *err);

#endif
