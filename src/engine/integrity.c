#define _GNU_SOURCE
#include "engine/integrity.h"

#include "base/file.h"
#include "base/vec.h"
#include "hash/blake2b.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { DIGEST_TEXT = 32, PIECE = 1 << 22, POINTS = 1 << 14, CACHE_LIMIT = 1 << 20 };

/* A file as the system knows it. */
struct identity {
    uint64_t device, inode, size;
    int64_t mtime_ns;
};

/* What has been found out about it: its digest, and whether every point is good. */
struct finding {
    struct identity file;
    char digest[DIGEST_TEXT + 1];
    bool points;
};

struct integrity {
    char *cache;
    struct log *log;
    pthread_mutex_t lock;
    struct vec findings;
};

static bool same_file(const struct identity *a, const struct identity *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size && a->mtime_ns == b->mtime_ns;
}

static cuzk_status identify(struct identity *out, const char *path, cuzk_error *err)
{
    struct stat st;
    if (stat(path, &st) != 0) return cuzk_fail(err, CUZK_ERR_MISSING, "%s: %s", path, strerror(errno));
    *out = (struct identity){ (uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size,
                              (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec };
    return CUZK_OK;
}

/* ---- the cache: "DEVICE INODE SIZE MTIME DIGEST POINTS" in each line ---- */

static void read_cache(struct integrity *in)
{
    uint8_t *text = NULL;
    size_t size;
    if (!in->cache || file_read(&text, &size, in->cache, CACHE_LIMIT, NULL) != CUZK_OK) return;
    char *save = NULL;
    for (char *line = strtok_r((char *)text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        struct finding f = { 0 };
        int points = 0;
        int n = sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNd64 " %32[0-9a-f] %d", &f.file.device,
                       &f.file.inode, &f.file.size, &f.file.mtime_ns, f.digest, &points);
        f.points = points != 0;
        if (n == 6 && strlen(f.digest) == DIGEST_TEXT) vec_push(&in->findings, &f, sizeof f);
    }
    free(text);
}

/* The lock is held. */
static void write_cache(struct integrity *in)
{
    if (!in->cache) return;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    const struct finding *list = in->findings.data;
    for (size_t i = 0; f && i < in->findings.count; i++) {
        fprintf(f, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRId64 " %s %d\n", list[i].file.device, list[i].file.inode,
                list[i].file.size, list[i].file.mtime_ns, list[i].digest, list[i].points);
    }
    bool whole = f && fclose(f) == 0;
    cuzk_error err = { "" };
    if (whole && file_write(in->cache, text, size, true, &err) != CUZK_OK) {
        log_warn(in->log, LOG_SRS, "digests are not remembered: %s", err.detail);
    }
    free(text);
}

static bool recall(struct integrity *in, struct finding *out, const struct identity *file)
{
    bool found = false;
    pthread_mutex_lock(&in->lock);
    const struct finding *list = in->findings.data;
    for (size_t i = 0; i < in->findings.count && !found; i++) {
        found = same_file(&list[i].file, file);
        if (found) *out = list[i];
    }
    pthread_mutex_unlock(&in->lock);
    return found;
}

/* Replaces what was known about the file, or about an earlier state of it. */
static void remember(struct integrity *in, const struct finding *f)
{
    pthread_mutex_lock(&in->lock);
    struct finding *list = in->findings.data;
    size_t i = 0;
    while (i < in->findings.count && (list[i].file.inode != f->file.inode || list[i].file.device != f->file.device)) {
        i++;
    }
    if (i < in->findings.count)
        list[i] = *f;
    else
        vec_push(&in->findings, f, sizeof *f);
    write_cache(in);
    pthread_mutex_unlock(&in->lock);
}

cuzk_status integrity_create(struct integrity **out, const char *cache, struct log *log, cuzk_error *err)
{
    struct integrity *in = *out = calloc(1, sizeof *in);
    char *path = cache ? strdup(cache) : NULL;
    if (!in || (cache && !path)) {
        free(in);
        free(path);
        *out = NULL;
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    }
    in->cache = path;
    in->log = log;
    pthread_mutex_init(&in->lock, NULL);
    read_cache(in);
    return CUZK_OK;
}

void integrity_destroy(struct integrity *in)
{
    if (!in) return;
    vec_free(&in->findings);
    pthread_mutex_destroy(&in->lock);
    free(in->cache);
    free(in);
}

/* ---- finding out ---- */

static void tell(const struct progress *p, uint64_t done, uint64_t total)
{
    if (p && p->report) p->report(p->context, done, total);
}

/* The first 16 bytes of BLAKE2b-512, as the published table has them (spec §4.5). */
static void file_digest(char out[DIGEST_TEXT + 1], const struct mapping *map, const struct progress *progress)
{
    struct blake2b h;
    uint8_t digest[64];
    blake2b_begin(&h, sizeof digest, NULL, 0);
    for (size_t at = 0; at < map->size; at += PIECE) {
        size_t n = map->size - at < PIECE ? map->size - at : PIECE;
        blake2b_put(&h, map->data + at, n);
        tell(progress, at + n, map->size);
    }
    blake2b_end(&h, digest);
    hex_encode(out, digest, DIGEST_TEXT / 2);
}

static cuzk_status decode_piece(void *points, const struct params_file *file, enum srs_section section,
                                uint64_t begin, uint64_t end, struct pool *pool, cuzk_error *err)
{
    if (section == SRS_B_G2) return params_decode_g2(points, file, begin, end, POINT_CHECK_SUBGROUP, pool, err);
    return params_decode_g1(points, file, section, begin, end, POINT_CHECK_SUBGROUP, pool, err);
}

static cuzk_status decode_all(const struct params_file *file, struct pool *pool, const struct progress *progress,
                              cuzk_error *err)
{
    void *points = malloc(POINTS * sizeof(g2_affine_t));
    if (!points) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to decode points");
    cuzk_status status = CUZK_OK;
    uint64_t total = 0, done = 0;
    for (int s = 0; s < SRS_SECTIONS; s++) total += file->counts.section[s];
    for (int s = 0; s < SRS_SECTIONS; s++) {
        uint64_t count = file->counts.section[s];
        for (uint64_t at = 0; at < count && status == CUZK_OK; at += POINTS) {
            uint64_t end = count - at < POINTS ? count : at + POINTS;
            status = decode_piece(points, file, (enum srs_section)s, at, end, pool, err);
            tell(progress, done += end - at, total);
        }
    }
    free(points);
    return status;
}

static cuzk_status judge_digest(bool *test, struct integrity *in, const char *digest, const char *path,
                                const struct circuit_entry *entry, const struct integrity_rules *rules,
                                cuzk_error *err)
{
    const char *published = entry->params_digest ? entry->params_digest : "none";
    if (strcmp(digest, published) == 0) return CUZK_OK;
    if (!rules->allow_test_parameters) {
        return cuzk_fail(err, CUZK_ERR_DATA, "%s: digest %s, published is %s", path, digest, published);
    }
    *test = true;
    log_warn(in->log, LOG_SRS, "%s: TEST PARAMETERS, digest %s, published is %s: proofs made with them are worthless",
             path, digest, published);
    return CUZK_OK;
}

cuzk_status integrity_check(struct integrity *in, bool *test, const struct params_file *file,
                            const struct circuit_entry *entry, const struct integrity_rules *rules, struct pool *pool,
                            const struct progress *progress, cuzk_error *err)
{
    *test = false;
    if (rules->verify == SRS_VERIFY_TRUST) {
        log_warn(in->log, LOG_SRS, "%s: trusted, its digest is not looked at", file->path);
        return CUZK_OK;
    }
    struct finding f = { 0 };
    struct identity identity;
    cuzk_status status = identify(&identity, file->path, err);
    if (status != CUZK_OK) return status;
    if (!recall(in, &f, &identity)) {
        f.file = identity;
        file_digest(f.digest, &file->map, progress);
        remember(in, &f);
    }
    status = judge_digest(test, in, f.digest, file->path, entry, rules, err);
    if (status != CUZK_OK || rules->verify != SRS_VERIFY_DEEP || f.points) return status;
    status = decode_all(file, pool, progress, err);
    if (status != CUZK_OK) return status;
    f.points = true;
    remember(in, &f);
    return CUZK_OK;
}
