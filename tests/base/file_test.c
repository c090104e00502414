#include "base/file.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/cuzk-file-test-XXXXXX";

static void writer__abandon_leaves_nothing(void **state)
{
    (void)state;
    char *path = path_join(folder, "abandoned");
    struct file_writer w;
    assert_int_equal(file_writer_open(&w, path, NULL), CUZK_OK);
    char *temporary = strdup(w.temporary);
    assert_int_equal(file_writer_put(&w, "abc", 3, NULL), CUZK_OK);
    file_writer_abandon(&w);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(temporary, F_OK), 0);
    free(temporary);
    free(path);
}

static void writer__does_not_replace_unless_asked(void **state)
{
    (void)state;
    char *path = path_join(folder, "kept");
    cuzk_error err = { "" };
    assert_int_equal(file_write(path, "one", 3, false, &err), CUZK_OK);
    assert_int_equal(file_write(path, "two", 3, false, &err), CUZK_ERR_CREATE);
    uint8_t *data;
    size_t size;
    assert_int_equal(file_read(&data, &size, path, 100, &err), CUZK_OK);
    assert_int_equal(size, 3);
    assert_memory_equal(data, "one", 4);
    free(data);
    assert_int_equal(file_write(path, "three", 5, true, &err), CUZK_OK);
    assert_int_equal(file_read(&data, &size, path, 4, &err), CUZK_ERR_DATA);
    unlink(path);
    free(path);
}

/* A killed writer's file does not stand in the way, and the name is not only the process's. */
static void writer__ignores_what_others_left(void **state)
{
    (void)state;
    char *path = path_join(folder, "busy");
    struct file_writer first, second;
    assert_int_equal(file_writer_open(&first, path, NULL), CUZK_OK);
    assert_int_equal(file_writer_open(&second, path, NULL), CUZK_OK);
    assert_string_not_equal(first.temporary, second.temporary);
    assert_int_equal(file_can_create(path, NULL), CUZK_OK);
    assert_int_equal(file_writer_put(&second, "abc", 3, NULL), CUZK_OK);
    assert_int_equal(file_writer_commit(&second, false, NULL), CUZK_OK);
    file_writer_abandon(&first);
    unlink(path);
    free(path);
}

/* A rename would put a file in the place of /dev/null. */
static void writer__writes_to_devices_directly(void **state)
{
    (void)state;
    cuzk_error err = { "" };
    struct stat st;
    assert_int_equal(file_can_create("/dev/full", NULL), CUZK_OK);
    assert_int_equal(file_write("/dev/null", "abc", 3, true, &err), CUZK_OK);
    assert_int_equal(file_write("/dev/full", "abc", 3, true, &err), CUZK_ERR_WRITE);
    assert_non_null(strstr(err.detail, "/dev/full"));
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_int_equal(stat("/dev/full", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

static void writer__large_writes_arrive_whole(void **state)
{
    (void)state;
    char *path = path_join(folder, "large");
    size_t n = 5000000;
    uint8_t *out = malloc(n);
    for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(i * 2654435761u >> 13);
    struct file_writer w;
    assert_int_equal(file_writer_open(&w, path, NULL), CUZK_OK);
    for (size_t at = 0, piece = 1; at < n; at += piece, piece = piece * 3 + 1) {
        if (piece > n - at) piece = n - at;
        assert_int_equal(file_writer_put(&w, out + at, piece, NULL), CUZK_OK);
    }
    assert_int_equal(file_writer_commit(&w, false, NULL), CUZK_OK);
    struct mapping m;
    assert_int_equal(mapping_open(&m, path, NULL), CUZK_OK);
    assert_int_equal(m.size, n);
    assert_memory_equal(m.data, out, n);
    mapping_close(&m);
    unlink(path);
    free(out);
    free(path);
}

static void open__names_what_is_missing(void **state)
{
    (void)state;
    struct mapping m;
    cuzk_error err = { "" };
    assert_int_equal(mapping_open(&m, "/nonexistent/file", &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.detail, "/nonexistent/file"));
    assert_int_equal(mapping_open(&m, "/tmp", &err), CUZK_ERR_DATA);
    struct file_writer w;
    assert_int_equal(file_writer_open(&w, "/nonexistent/file", &err), CUZK_ERR_CREATE);
    file_writer_abandon(&w);
    assert_int_equal(file_can_create("/nonexistent/file", &err), CUZK_ERR_CREATE);
    assert_int_equal(file_can_create("/tmp", &err), CUZK_ERR_CREATE);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = {
        test(writer__abandon_leaves_nothing),
        test(writer__does_not_replace_unless_asked),
        test(writer__ignores_what_others_left),
        test(writer__writes_to_devices_directly),
        test(writer__large_writes_arrive_whole),
        test(open__names_what_is_missing),
    };
    int failed = run_tests(tests);
    if (rmdir(folder) != 0) {
        perror(folder); /* a temporary file was left behind */
        return 1;
    }
    return failed;
}
