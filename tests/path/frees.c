#define _GNU_SOURCE
#include "path/frees.h"

#include "engine/reaper.h"
#include "groth16/proof.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void __real_free(void *p);
void *__real_realloc(void *p, size_t size);
int __real_munmap(void *p, size_t size);
int __real_madvise(void *p, size_t size, int advice);
void __real_proof_assemble(struct proof *out, const struct proof_sums *sums, const struct verifying_key *vk,
                           const struct proof_randomness *random);
void __wrap_free(void *p);
void *__wrap_realloc(void *p, size_t size);
int __wrap_munmap(void *p, size_t size);
int __wrap_madvise(void *p, size_t size, int advice);
void __wrap_proof_assemble(struct proof *out, const struct proof_sums *sums, const struct verifying_key *vk,
                           const struct proof_randomness *random);

/* [0]: since frees_begin, [1]: since the last result. */
static struct {
    atomic_bool on;
    atomic_int fault;
    atomic_uint results, munmaps[2], madvises[2], large[2];
    atomic_size_t bytes[2];
} count;

static bool on_the_path(void)
{
    char name[16] = "";
    if (!atomic_load(&count.on)) return false;
    pthread_getname_np(pthread_self(), name, sizeof name);
    return strcmp(name, REAPER_THREAD) != 0;
}

static void note(atomic_uint which[2], size_t bytes)
{
    if (!on_the_path()) return;
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add(&which[i], 1);
        atomic_fetch_add(&count.bytes[i], bytes);
    }
}

void __wrap_free(void *p)
{
    size_t size = p && atomic_load(&count.on) ? malloc_usable_size(p) : 0;
    if (size >= LARGE_FREE) note(count.large, size);
    __real_free(p);
}

/* A block that moves leaves its old place; one that shrinks gives its end back. */
void *__wrap_realloc(void *p, size_t size)
{
    size_t before = p && atomic_load(&count.on) ? malloc_usable_size(p) : 0;
    uintptr_t place = (uintptr_t)p;
    void *q = __real_realloc(p, size);
    if (before >= LARGE_FREE && ((uintptr_t)q != place || size + LARGE_FREE <= before)) note(count.large, before);
    return q;
}

int __wrap_munmap(void *p, size_t size)
{
    note(count.munmaps, size);
    return __real_munmap(p, size);
}

int __wrap_madvise(void *p, size_t size, int advice)
{
    bool frees = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
    if (frees) note(count.madvises, size);
    return __real_madvise(p, size, advice);
}

static void inject(enum frees_fault fault)
{
    enum { BYTES = 1 << 20 };
    void *p;
    if (fault == FAULT_FREE) {
        p = malloc(BYTES);
        __asm__ volatile("" : : "r"(p) : "memory"); /* or the pair would be optimised away */
        free(p);
    } else if (fault != FAULT_NONE) {
        p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fault == FAULT_MADVISE) madvise(p, BYTES, MADV_DONTNEED);
        if (fault == FAULT_MUNMAP) munmap(p, BYTES);
    }
}

void __wrap_proof_assemble(struct proof *out, const struct proof_sums *sums, const struct verifying_key *vk,
                           const struct proof_randomness *random)
{
    atomic_fetch_add(&count.results, 1);
    atomic_store(&count.munmaps[1], 0);
    atomic_store(&count.madvises[1], 0);
    atomic_store(&count.large[1], 0);
    atomic_store(&count.bytes[1], 0);
    inject((enum frees_fault)atomic_load(&count.fault));
    __real_proof_assemble(out, sums, vk, random);
}

void frees_inject(enum frees_fault fault) { atomic_store(&count.fault, fault); }

void frees_begin(void)
{
    for (int i = 0; i < 2; i++) {
        atomic_store(&count.munmaps[i], 0);
        atomic_store(&count.madvises[i], 0);
        atomic_store(&count.large[i], 0);
        atomic_store(&count.bytes[i], 0);
    }
    atomic_store(&count.results, 0);
    atomic_store(&count.on, true);
}

struct frees_report frees_end(void)
{
    struct frees f[2];
    atomic_store(&count.on, false);
    for (int i = 0; i < 2; i++) {
        f[i] = (struct frees){ atomic_load(&count.munmaps[i]), atomic_load(&count.madvises[i]),
                               atomic_load(&count.large[i]), atomic_load(&count.bytes[i]) };
    }
    return (struct frees_report){ f[0], f[1], atomic_load(&count.results) };
}
