/* Runs a fuzz target over files and folders of files without libFuzzer, so that corpora replay in `make test`. */
#include "base/file.h"
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { LARGEST = 1 << 24 };

static int replay_file(const char *path)
{
    uint8_t *data;
    size_t size;
    cuzk_error err = { "" };
    if (file_read(&data, &size, path, LARGEST, &err) != CUZK_OK) {
        fprintf(stderr, "%s\n", err.detail);
        return 1;
    }
    /* A copy of the exact size, so that a sanitizer sees every byte read too many. */
    uint8_t *exact = malloc(size ? size : 1);
    if (exact) {
        if (size) memcpy(exact, data, size);
        (void)LLVMFuzzerTestOneInput(exact, size);
    }
    free(exact);
    free(data);
    return exact ? 0 : 1;
}

static int replay_folder(const char *path, unsigned *count)
{
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        return 1;
    }
    int failed = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        char *file = path_join(path, entry->d_name);
        failed |= file ? replay_file(file) : 1;
        free(file);
        ++*count;
    }
    closedir(folder);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    unsigned count = 0;
    for (int i = 1; i < argc; i++) {
        struct stat st;
        if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode)) {
            failed |= replay_folder(argv[i], &count);
        } else {
            failed |= replay_file(argv[i]);
            count++;
        }
    }
    printf("%u inputs\n", count);
    return failed || count == 0;
}
