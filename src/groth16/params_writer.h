/* Writing parameter files and the `.vk` beside them: nothing appears under its final name before
 * everything is complete and synced.
 *
 *   params_writer_open(&w, DIR, STEM, &counts, err)
 *   params_writer_key(&w, &vk, err)
 *   for each section in order: params_writer_put(&w, section, encoded points, count, err), as often
 * as needed params_writer_commit(&w, err)          or, at any time, params_writer_abandon(&w)
 */
#ifndef CUZK_GROTH16_PARAMS_WRITER_H
#define CUZK_GROTH16_PARAMS_WRITER_H

#include "base/file.h"
#include "groth16/srs_layout.h"
#include "groth16/vk.h"

struct params_writer {
    struct file_writer params, vk;
    struct srs_counts counts;
    bool have_key;
    enum srs_section section; /* that the next point belongs to */
    uint64_t written;         /* points of that section so far */
};

/* Opens DIR/STEM.params and DIR/STEM.vk under temporary names. CUZK_ERR_CREATE if either exists
 * already or cannot be created, CUZK_ERR_USAGE if a count does not fit the format. */
cuzk_status params_writer_open(struct params_writer *w, const char *dir, const char *stem,
                               const struct srs_counts *counts, cuzk_error *err);

/* Once, first. The key has counts.inputs points in ic. */
cuzk_status params_writer_key(struct params_writer *w, const struct verifying_key *vk, cuzk_error *err);

/* `count` more points of the section, encoded. CUZK_ERR_USAGE if they come out of order or are too
 * many. */
cuzk_status params_writer_put(struct params_writer *w, enum srs_section section, const uint8_t *points,
                              uint64_t count, cuzk_error *err);

/* CUZK_ERR_USAGE, and the writer abandoned, if points are missing. On failure neither file is left
 * behind. */
cuzk_status params_writer_commit(struct params_writer *w, cuzk_error *err);
void params_writer_abandon(struct params_writer *w); /* no-op after commit or a failed open */

#endif
