#define _GNU_SOURCE
#include "cli/shell.h"

#include "backend/prover.h"
#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/cuzk-cli-test-XXXXXX";

static void link_key(const char *id)
{
    char *target, *name;
    cuzk_error err = { "" };
    assert_true(asprintf(&target, CUZK_TEST_DATA "/groth16/%s.vk", id) > 0);
    if (params_path(&name, catalogue_by_id(id), "keys", "vk", &err) != CUZK_OK) fail_msg("%s", err.detail);
    assert_int_equal(symlink(target, name), 0);
    free(target);
    free(name);
}

int shell_begin(void **state)
{
    (void)state;
    char keys[sizeof folder + 8];
    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("keys", 0755) != 0) return -1;
    snprintf(keys, sizeof keys, "%s/keys", folder);
    setenv("CUZK", CUZK_PROGRAM, 1);
    setenv("SEALED", CUZK_TEST_DATA "/sealed-2kib", 1);
    setenv("PARAMS", CUZK_TEST_PARAMS, 1);
    setenv("KEYS", keys, 1);
    /* A sanitizer's report must not look like "the proof does not hold". */
    setenv("ASAN_OPTIONS", "exitcode=99", 1);
    setenv("UBSAN_OPTIONS", "exitcode=99", 1);
    setenv("TSAN_OPTIONS", "exitcode=99", 1);
    unsetenv("CUZK_PARAMS");
    unsetenv("FIL_PROOFS_PARAMETER_CACHE");
    static const char *const ids[] = { "porep-2k", "winning-2k", "wpost-2k", "snap-2k" };
    for (size_t i = 0; i < 4; i++) link_key(ids[i]);
    return 0;
}

int shell_end(void **state)
{
    (void)state;
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static char *read_all(int fd, size_t *size)
{
    struct stat st;
    assert_int_equal(fstat(fd, &st), 0);
    *size = (size_t)st.st_size;
    char *text = malloc(*size + 1);
    assert_non_null(text);
    assert_int_equal(pread(fd, text, *size, 0), st.st_size);
    text[*size] = '\0';
    close(fd);
    return text;
}

static struct answer run_line(const char *line)
{
    int out = memfd_create("stdout", 0), err = memfd_create("stderr", 0), status;
    assert_true(out >= 0 && err >= 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    struct answer a = { .code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status) };
    size_t ignored;
    a.out = read_all(out, &a.out_size);
    a.err = read_all(err, &ignored);
    return a;
}

static char *line_of(const char *format, va_list args)
{
    char *line;
    assert_true(vasprintf(&line, format, args) >= 0);
    return line;
}

struct answer shell(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *line = line_of(format, args);
    va_end(args);
    struct answer a = run_line(line);
    free(line);
    return a;
}

void answer_free(struct answer *a)
{
    free(a->out);
    free(a->err);
    *a = (struct answer){ 0 };
}

char *succeeds(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *line = line_of(format, args);
    va_end(args);
    struct answer a = run_line(line);
    if (a.code != 0 || a.err[0]) fail_msg("%s: exit code %d, %s", line, a.code, a.err);
    if (a.out_size > 0 && a.out[a.out_size - 1] == '\n') a.out[a.out_size - 1] = '\0';
    free(a.err);
    free(line);
    return a.out;
}

/* Lines of the message, without argp's hint at --help. */
static size_t lines_of(const char *text)
{
    size_t lines = 0;
    for (const char *c = text; *c && strncmp(c, "Try `cuzk", 9) != 0; c++) lines += *c == '\n';
    return lines;
}

static void check_answer(const struct answer *a, int code, const char *part, const char *line)
{
    const char *wrong = NULL;
    if (a->code != code) wrong = "another exit code";
    else if (!strstr(a->err, part)) wrong = "the message lacks what it should name";
    else if (strncmp(a->err, "cuzk", 4) != 0 || lines_of(a->err) != 1) wrong = "not one clear line";
    else if (a->out_size != 0) wrong = "stdout is not empty";
    if (wrong) fail_msg("%s\n%s\n%d expected, \"%s\"; %d: %s%s", line, wrong, code, part, a->code, a->err, a->out);
}

void fails(int code, const char *part, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *line = line_of(format, args);
    va_end(args);
    struct answer a = run_line(line);
    check_answer(&a, code, part, line);
    answer_free(&a);
    free(line);
}

void misused(const char *part, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *line = line_of(format, args);
    va_end(args);
    struct answer a = run_line(line);
    check_answer(&a, 64, part, line);
    answer_free(&a);
    free(line);
}

void put_file(const char *name, const void *data, size_t size)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

struct bytes get_file(const char *path)
{
    uint8_t *data;
    size_t size;
    cuzk_error err = { "" };
    if (file_read(&data, &size, path, 1 << 28, &err) != CUZK_OK) fail_msg("%s", err.detail);
    return (struct bytes){ data, size };
}

void edit_file(const char *to, const char *from, const char *old, const char *new)
{
    char *path;
    assert_true(asprintf(&path, CUZK_TEST_DATA "/sealed-2kib/%s", from) > 0);
    struct bytes text = get_file(path);
    const char *at = strstr((const char *)text.data, old);
    if (!at) fail_msg("%s does not contain %s", path, old);
    FILE *f = fopen(to, "w");
    assert_non_null(f);
    fwrite(text.data, 1, (size_t)(at - (const char *)text.data), f);
    fprintf(f, "%s%s", new, at + strlen(old));
    assert_int_equal(fclose(f), 0);
    free((void *)(uintptr_t)text.data);
    free(path);
}

bool is_there(const char *path) { return access(path, F_OK) == 0; }

size_t folder_count(const char *path)
{
    DIR *d = opendir(path);
    assert_non_null(d);
    size_t count = 0;
    for (struct dirent *e; (e = readdir(d));) count += e->d_name[0] != '.';
    closedir(d);
    return count;
}
