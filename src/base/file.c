#define _GNU_SOURCE
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITE_BUFFER = 1 << 20 };

cuzk_status mapping_open(struct mapping *out, const char *path, cuzk_error *err)
{
    *out = (struct mapping){ 0 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return cuzk_fail(err, CUZK_ERR_MISSING, "%s: %s", path, strerror(errno));
    cuzk_status status = CUZK_OK;
    struct stat st;
    if (fstat(fd, &st) != 0) {
        status = cuzk_fail(err, CUZK_ERR_MISSING, "%s: %s", path, strerror(errno));
    } else if (!S_ISREG(st.st_mode)) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "%s: not a regular file", path);
    } else if (st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (p == MAP_FAILED) {
            status = cuzk_fail(err, CUZK_ERR_RESOURCE, "%s: cannot map %lld bytes: %s", path,
                               (long long)st.st_size, strerror(errno));
        } else {
            *out = (struct mapping){ p, (size_t)st.st_size };
        }
    }
    close(fd);
    return status;
}

void mapping_close(struct mapping *m)
{
    if (m->data) munmap((void *)(uintptr_t)m->data, m->size);
    *m = (struct mapping){ 0 };
}

cuzk_status file_read(uint8_t **out, size_t *size, const char *path, size_t limit, cuzk_error *err)
{
    *out = NULL;
    *size = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return cuzk_fail(err, CUZK_ERR_MISSING, "%s: %s", path, strerror(errno));
    cuzk_status status = CUZK_OK;
    struct stat st;
    size_t capacity = 1 << 16, used = 0;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        if ((uint64_t)st.st_size > limit) {
            status = cuzk_fail(err, CUZK_ERR_DATA, "%s: %lld bytes, at most %zu expected", path,
                               (long long)st.st_size, limit);
            goto out;
        }
        capacity = (size_t)st.st_size + 1;
    }
    uint8_t *data = malloc(capacity + 1);
    while (data) {
        ssize_t n = read(fd, data + used, capacity - used);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            status = cuzk_fail(err, CUZK_ERR_MISSING, "%s: %s", path, strerror(errno));
            break;
        }
        if (n == 0) break;
        used += (size_t)n;
        if (used > limit) {
            status = cuzk_fail(err, CUZK_ERR_DATA, "%s: more than the %zu bytes expected at most", path, limit);
            break;
        }
        if (used == capacity) {
            capacity *= 2;
            uint8_t *larger = realloc(data, capacity + 1);
            if (!larger) free(data);
            data = larger;
        }
    }
    if (!data) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "%s: no memory for %zu bytes", path, capacity);
    if (status == CUZK_OK) {
        data[used] = 0;
        *out = data;
        *size = used;
    } else {
        free(data);
    }
out:
    close(fd);
    return status;
}

char *path_join(const char *dir, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", dir, name) < 0) return NULL;
    return path;
}

static void writer_free(struct file_writer *w)
{
    if (w->fd >= 0) close(w->fd);
    free(w->path);
    free(w->temporary);
    free(w->buffer);
    *w = (struct file_writer){ .fd = -1 };
}

/* A device or a pipe, which a rename would replace. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* The temporary name is nobody else's, so that what a killed process left never stands in the way. */
static cuzk_status open_temporary(struct file_writer *w, cuzk_error *err)
{
    enum { TRIES = 16 };
    struct stat st;
    if (stat(w->path, &st) == 0 && S_ISDIR(st.st_mode)) {
        return cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", w->path, strerror(EISDIR));
    }
    for (int i = 0; i < TRIES && w->fd < 0 && (i == 0 || errno == EEXIST); i++) {
        uint32_t number;
        if (getrandom(&number, sizeof number, 0) != sizeof number) number = (uint32_t)getpid() + (uint32_t)i;
        free(w->temporary);
        if (asprintf(&w->temporary, "%s.%08x.tmp", w->path, number) < 0) {
            w->temporary = NULL;
            return cuzk_fail(err, CUZK_ERR_RESOURCE, "%s: no memory to write it", w->path);
        }
        w->fd = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    }
    if (w->fd >= 0) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", w->path, strerror(errno));
}

cuzk_status file_writer_open(struct file_writer *w, const char *path, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    *w = (struct file_writer){ .fd = -1 };
    w->path = strdup(path);
    w->buffer = malloc(WRITE_BUFFER);
    if (!w->path || !w->buffer) {
        status = cuzk_fail(err, CUZK_ERR_RESOURCE, "%s: no memory to write it", path);
    } else if (is_special(path)) {
        w->fd = open(path, O_WRONLY | O_CLOEXEC);
        if (w->fd < 0) status = cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", path, strerror(errno));
    } else {
        status = open_temporary(w, err);
    }
    if (status != CUZK_OK) writer_free(w);
    return status;
}

cuzk_status file_can_create(const char *path, cuzk_error *err)
{
    struct file_writer w;
    if (is_special(path)) return CUZK_OK;
    cuzk_status status = file_writer_open(&w, path, err);
    if (status == CUZK_OK) file_writer_abandon(&w);
    return status;
}

static cuzk_status write_all(struct file_writer *w, const uint8_t *data, size_t size, cuzk_error *err)
{
    while (size > 0) {
        ssize_t n = write(w->fd, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return cuzk_fail(err, CUZK_ERR_WRITE, "%s: %s", w->path, strerror(errno));
        data += n;
        size -= (size_t)n;
    }
    return CUZK_OK;
}

cuzk_status file_writer_put(struct file_writer *w, const void *data, size_t size, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    w->written += size;
    if (w->used + size > WRITE_BUFFER) {
        status = write_all(w, w->buffer, w->used, err);
        w->used = 0;
    }
    if (status == CUZK_OK && size > WRITE_BUFFER) return write_all(w, data, size, err);
    if (status == CUZK_OK && size > 0) {
        memcpy(w->buffer + w->used, data, size);
        w->used += size;
    }
    return status;
}

/* The rename is durable only when the folder is synced as well. */
static void sync_folder_of(const char *path)
{
    char *folder = strdup(path);
    if (!folder) return;
    char *slash = strrchr(folder, '/');
    if (slash == folder) slash[1] = '\0';
    else if (slash) *slash = '\0';
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(folder);
}

cuzk_status file_writer_commit(struct file_writer *w, bool replace, cuzk_error *err)
{
    cuzk_status status = write_all(w, w->buffer, w->used, err);
    w->used = 0;
    if (status == CUZK_OK && w->temporary && fsync(w->fd) != 0) {
        status = cuzk_fail(err, CUZK_ERR_WRITE, "%s: %s", w->path, strerror(errno));
    }
    if (status == CUZK_OK && w->temporary) {
        /* link() fails if the name exists, which rename() would silently replace. */
        int failed = replace ? rename(w->temporary, w->path) : link(w->temporary, w->path);
        if (failed) {
            status = cuzk_fail(err, errno == EEXIST ? CUZK_ERR_CREATE : CUZK_ERR_WRITE, "%s: %s", w->path,
                               strerror(errno));
        } else if (!replace) {
            unlink(w->temporary);
        }
    }
    if (status != CUZK_OK) {
        file_writer_abandon(w);
        return status;
    }
    sync_folder_of(w->path);
    writer_free(w);
    return CUZK_OK;
}

void file_writer_abandon(struct file_writer *w)
{
    if (w->fd < 0) return;
    if (w->temporary) unlink(w->temporary);
    writer_free(w);
}

cuzk_status file_write(const char *path, const void *data, size_t size, bool replace, cuzk_error *err)
{
    struct file_writer w;
    cuzk_status status = file_writer_open(&w, path, err);
    if (status != CUZK_OK) return status;
    status = file_writer_put(&w, data, size, err);
    if (status == CUZK_OK) return file_writer_commit(&w, replace, err);
    file_writer_abandon(&w);
    return status;
}
