/* A parameter file, opened and decoded point by point, and the same bytes as a verifying key. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "groth16/params_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void decode(const struct params_file *file)
{
    enum { MOST = 64 };
    g1_affine_t g1[MOST];
    g2_affine_t g2[MOST];
    for (int s = 0; s < SRS_SECTIONS; s++) {
        uint64_t count = file->counts.section[s] < MOST ? file->counts.section[s] : MOST;
        if (s == SRS_B_G2) {
            (void)params_decode_g2(g2, file, 0, count, POINT_CHECK_SUBGROUP, NULL, NULL);
        } else {
            (void)params_decode_g1(g1, file, (enum srs_section)s, 0, count, POINT_CHECK_SUBGROUP, NULL, NULL);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct verifying_key vk;
    struct reader r = reader_over(data, size);
    if (vk_read(&vk, &r, NULL, NULL) == CUZK_OK) vk_release(&vk);

    char path[32];
    struct params_file file;
    int fd = memfd_create("params", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (params_open(&file, path, NULL, NULL, NULL) == CUZK_OK) {
        decode(&file);
        params_close(&file);
    }
    close(fd);
    return 0;
}
