/* Files: read-only mappings, whole reads with a limit, and writing that leaves nothing half-written.
 *
 * A file_writer writes to a temporary name of its own in the target's folder; file_writer_commit syncs it and renames
 * it to its final name (without replacing an existing file unless asked), file_writer_abandon removes it. A target that
 * is no regular file (a device, a pipe) is written to directly.
 */
#ifndef CUZK_BASE_FILE_H
#define CUZK_BASE_FILE_H

#include "base/bytes.h"

struct mapping {
    const uint8_t *data; /* NULL if size is 0 */
    size_t size;
};

/* CUZK_ERR_MISSING if the file cannot be opened; CUZK_ERR_DATA if it is not a regular file. The error names
 * the path. A mapping stays valid if the file is renamed or unlinked; it faults if the file is truncated. */
cuzk_status mapping_open(struct mapping *out, const char *path, cuzk_error *err);
void mapping_close(struct mapping *m);

/* Reads a whole file into fresh memory that the caller frees; refuses more than `limit` bytes. One extra NUL
 * follows the contents. Works for pipes too. */
cuzk_status file_read(uint8_t **out, size_t *size, const char *path, size_t limit, cuzk_error *err);

struct file_writer {
    int fd;
    char *path;      /* final name */
    char *temporary; /* name while it is written; NULL: no regular file, written to directly */
    uint8_t *buffer;
    size_t used;
    uint64_t written; /* bytes accepted so far */
};

cuzk_status file_writer_open(struct file_writer *w, const char *path, cuzk_error *err);
cuzk_status file_writer_put(struct file_writer *w, const void *data, size_t size, cuzk_error *err);
cuzk_status file_writer_commit(struct file_writer *w, bool replace, cuzk_error *err);
void file_writer_abandon(struct file_writer *w); /* no-op after commit or a failed open */

/* Whether a file_writer could be opened now: asked before long work whose result goes there. */
cuzk_status file_can_create(const char *path, cuzk_error *err);

/* The three steps at once. */
cuzk_status file_write(const char *path, const void *data, size_t size, bool replace, cuzk_error *err);

/* "DIR/NAME" in fresh memory, NULL without memory. */
char *path_join(const char *dir, const char *name);

#endif
