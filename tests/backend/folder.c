#define _GNU_SOURCE
#include "backend/folder.h"

#include "hash/digest.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *name_in(const char *folder, const char *stem, const char *extension)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s%s", folder, stem, extension) > 0);
    return path;
}

char *test_params_make(struct params_file *out, const struct backend_circuit *c, const char *stem)
{
    char *folder = strdup("/tmp/cuzk-backend-test-XXXXXX");
    struct params_writer w;
    struct toxic toxic;
    cuzk_error err = { "" };
    assert_non_null(mkdtemp(folder));
    assert_int_equal(toxic_from_insecure_seed(&toxic, "cuzk-test-srs/v1", &err), CUZK_OK);
    assert_int_equal(params_writer_open(&w, folder, stem, &c->layout.counts, &err), CUZK_OK);
    if (backend_keygen(&w, c, &toxic, NULL, &err) != CUZK_OK) fail_msg("%s", err.detail);
    if (params_writer_commit(&w, &err) != CUZK_OK) fail_msg("%s", err.detail);
    char *path = name_in(folder, stem, ".params");
    if (params_open(out, path, &c->layout.counts, NULL, &err) != CUZK_OK) fail_msg("%s", err.detail);
    free(path);
    return folder;
}

void test_params_remove(char *folder, struct params_file *file, const char *stem)
{
    char *params = name_in(folder, stem, ".params"), *vk = name_in(folder, stem, ".vk");
    params_close(file);
    assert_int_equal(unlink(params), 0);
    assert_int_equal(unlink(vk), 0);
    assert_int_equal(rmdir(folder), 0);
    free(params);
    free(vk);
    free(folder);
}

void file_sha256(char out[65], const char *path)
{
    struct mapping map;
    struct digest digest;
    uint8_t hash[DIGEST_BYTES];
    assert_int_equal(mapping_open(&map, path, NULL), CUZK_OK);
    assert_int_equal(digest_open(&digest, DIGEST_SHA256, NULL), CUZK_OK);
    digest_put(&digest, map.data, map.size);
    assert_int_equal(digest_end(&digest, hash, NULL), CUZK_OK);
    digest_close(&digest);
    mapping_close(&map);
    hex_encode(out, hash, sizeof hash);
}
