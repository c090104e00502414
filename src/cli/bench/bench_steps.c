#define _GNU_SOURCE
#include "cli/bench/bench_steps.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 48, COMMAND_BYTES = 1024, NOT_STARTED = 127 };

cuzk_status steps_open(struct bench_steps *s, const char *dir, cuzk_error *err)
{
    *s = (struct bench_steps){ .dir = dir };
    if (mkdir(dir, 0755) != 0 && errno != EEXIST) {
        return cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", dir, strerror(errno));
    }
    s->commands = json_array();
    return steps_folder(s, "samples") ? CUZK_OK : cuzk_fail(err, CUZK_ERR_CREATE, "%s/samples cannot be made", dir);
}

bool steps_folder(struct bench_steps *s, const char *name)
{
    char *path = path_join(s->dir, name);
    bool ok = path && (mkdir(path, 0755) == 0 || errno == EEXIST);
    if (!ok) fprintf(stderr, "cuzk: %s/%s: %s\n", s->dir, name, strerror(errno));
    free(path);
    return ok;
}

bool steps_has(const struct bench_steps *s, const char *file)
{
    char *path = path_join(s->dir, file);
    bool there = path && access(path, F_OK) == 0;
    free(path);
    return there;
}

/* In the child. */
static void become(const struct bench_steps *s, const char *file, char *command)
{
    char *words[MAX_WORDS + 2] = { (char *)"cuzk" }, *rest = NULL;
    size_t n = 1;
    for (char *w = strtok_r(command, " ", &rest); w && n <= MAX_WORDS; w = strtok_r(NULL, " ", &rest)) words[n++] = w;
    if (chdir(s->dir) != 0) _exit(NOT_STARTED);
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) _exit(NOT_STARTED);
    execv("/proc/self/exe", words);
    _exit(NOT_STARTED);
}

static int run(const struct bench_steps *s, const char *file, char *command)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) become(s, file, command);
    if (child < 0) return NOT_STARTED;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void steps_run(struct bench_steps *s, const char *file, const char *format, ...)
{
    char command[COMMAND_BYTES], typed[COMMAND_BYTES + 8];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    snprintf(typed, sizeof typed, "cuzk %s", command);
    fprintf(stderr, "%s\n", typed);
    uint64_t begin = clock_now();
    int code = run(s, file, command);
    double seconds = 1e-9 * (double)(clock_now() - begin);
    json_array_append_new(s->commands, json_pack("{s:s, s:s, s:f, s:i}", "file", file, "command", typed, "seconds",
                                                 seconds, "exit", code));
}

/* ---- requests ---- */

static void add_option(char *out, size_t size, const char *option, const json_t *value)
{
    size_t used = strlen(out);
    if (json_is_string(value)) snprintf(out + used, size - used, " %s %s", option, json_string_value(value));
    if (json_is_integer(value)) {
        snprintf(out + used, size - used, " %s %" JSON_INTEGER_FORMAT, option, json_integer_value(value));
    }
}

static json_t *public_data(const struct bench_steps *s, const char *folder)
{
    static const char *const names[] = { "porep", "winning", "window", "update" };
    json_t *data = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !data; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s/%s.public.json", s->dir, folder, names[i]);
        data = json_load_file(path, 0, NULL);
    }
    return data;
}

void steps_request(const struct bench_steps *s, char *out, size_t size, const char *pattern, const char *folder)
{
    const char *place = strstr(pattern, "%s");
    json_t *data = public_data(s, folder);
    snprintf(out, size, "%.*s%s%s", (int)(place - pattern), pattern, folder, place + 2);
    add_option(out, size, "--miner-id", json_object_get(data, "miner_id"));
    add_option(out, size, "--randomness", json_object_get(data, "randomness"));
    add_option(out, size, "--comm-r-old", json_object_get(data, "comm_r_old"));
    add_option(out, size, "--comm-r-new", json_object_get(data, "comm_r_new"));
    add_option(out, size, "--comm-d-new", json_object_get(data, "comm_d_new"));
    json_decref(data);
}

/* ---- the end ---- */

static cuzk_status dump(const struct bench_steps *s, const char *name, const json_t *json, cuzk_error *err)
{
    char *path = path_join(s->dir, name);
    bool ok = path && json && json_dump_file(json, path, JSON_INDENT(1)) == 0;
    cuzk_status status = ok ? CUZK_OK : cuzk_fail(err, CUZK_ERR_WRITE, "%s/%s cannot be written", s->dir, name);
    free(path);
    return status;
}

cuzk_status steps_close(struct bench_steps *s, json_t *machine, cuzk_error *err)
{
    cuzk_status status = dump(s, "commands.json", s->commands, err);
    if (status == CUZK_OK) status = dump(s, "machine.json", machine, err);
    json_decref(s->commands);
    json_decref(machine);
    return status;
}
