#include "groth16/params_writer.h"

#include "groth16/params_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static cuzk_status open_one(struct file_writer *w, const char *dir, const char *stem, const char *extension,
                            cuzk_error *err)
{
    size_t size = strlen(dir) + strlen(stem) + strlen(extension) + 2;
    char *path = malloc(size);
    if (!path) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    snprintf(path, size, "%s/%s%s", dir, stem, extension);
    struct stat st;
    cuzk_status status = CUZK_OK;
    if (lstat(path, &st) == 0) {
        status = cuzk_fail(err, CUZK_ERR_CREATE, "%s: exists already", path);
    } else {
        status = file_writer_open(w, path, err);
    }
    free(path);
    return status;
}

static cuzk_status put_length(struct params_writer *w, uint64_t count, cuzk_error *err)
{
    uint8_t bytes[4];
    store_be32(bytes, (uint32_t)count);
    return file_writer_put(&w->params, bytes, sizeof bytes, err);
}

cuzk_status params_writer_open(struct params_writer *w, const char *dir, const char *stem,
                               const struct srs_counts *counts, cuzk_error *err)
{
    *w = (struct params_writer){ .params = { .fd = -1 }, .vk = { .fd = -1 }, .counts = *counts };
    bool fits = counts->inputs <= UINT32_MAX;
    for (int s = 0; s < SRS_SECTIONS; s++) fits = fits && counts->section[s] <= UINT32_MAX;
    if (!fits) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "more points than the format's 32-bit lengths allow");
    }
    cuzk_status status = open_one(&w->params, dir, stem, ".params", err);
    if (status == CUZK_OK) status = open_one(&w->vk, dir, stem, ".vk", err);
    if (status != CUZK_OK) params_writer_abandon(w);
    return status;
}

cuzk_status params_writer_key(struct params_writer *w, const struct verifying_key *vk, cuzk_error *err)
{
    if (w->have_key || vk->ic_count != w->counts.inputs) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "one verifying key with %" PRIu64 " ic points expected, this has %zu",
                         w->counts.inputs, vk->ic_count);
    }
    size_t size = vk_bytes(vk);
    uint8_t *bytes = malloc(size);
    if (!bytes) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the verifying key");
    vk_encode(bytes, vk);
    cuzk_status status = file_writer_put(&w->vk, bytes, size, err);
    if (status == CUZK_OK) status = file_writer_put(&w->params, bytes, size, err);
    if (status == CUZK_OK) status = put_length(w, w->counts.section[SRS_H], err);
    w->have_key = true;
    free(bytes);
    return status;
}

/* Goes on to the next section while the present one is complete. */
static cuzk_status advance(struct params_writer *w, cuzk_error *err)
{
    while (w->section < SRS_B_G2 && w->written == w->counts.section[w->section]) {
        w->section = (enum srs_section)(w->section + 1);
        w->written = 0;
        cuzk_status status = put_length(w, w->counts.section[w->section], err);
        if (status != CUZK_OK) return status;
    }
    return CUZK_OK;
}

cuzk_status params_writer_put(struct params_writer *w, enum srs_section section, const uint8_t *points,
                              uint64_t count, cuzk_error *err)
{
    if (!w->have_key) return cuzk_fail(err, CUZK_ERR_USAGE, "points before the verifying key");
    if (count == 0) return CUZK_OK;
    cuzk_status status = advance(w, err);
    if (status != CUZK_OK) return status;
    if (section != w->section || count > w->counts.section[section] - w->written) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "%" PRIu64 " points of section %s after %" PRIu64 " of section %s",
                         count, srs_section_name(section), w->written, srs_section_name(w->section));
    }
    w->written += count;
    return file_writer_put(&w->params, points, (size_t)(count * srs_point_bytes(section)), err);
}

cuzk_status params_writer_commit(struct params_writer *w, cuzk_error *err)
{
    cuzk_status status = w->have_key ? advance(w, err) : CUZK_OK;
    if (status == CUZK_OK && (!w->have_key || w->section != SRS_B_G2 || w->written != w->counts.section[SRS_B_G2])) {
        status = cuzk_fail(err, CUZK_ERR_USAGE,
                           "parameters are incomplete: %" PRIu64 " of %" PRIu64 " points of section %s", w->written,
                           w->counts.section[w->section], srs_section_name(w->section));
    }
    char *params_path = w->params.path ? strdup(w->params.path) : NULL;
    if (status == CUZK_OK && !params_path) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    if (status == CUZK_OK) status = file_writer_commit(&w->params, false, err);
    if (status == CUZK_OK) {
        status = file_writer_commit(&w->vk, false, err);
        if (status != CUZK_OK) unlink(params_path);
    }
    if (status != CUZK_OK) params_writer_abandon(w);
    free(params_path);
    return status;
}

void params_writer_abandon(struct params_writer *w)
{
    file_writer_abandon(&w->params);
    file_writer_abandon(&w->vk);
}
