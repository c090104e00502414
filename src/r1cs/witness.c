#define _GNU_SOURCE
#include "r1cs/witness.h"

#include <sys/mman.h>

cuzk_status witness_create(struct witness *out, const struct circuit *circuit, cuzk_error *err)
{
    *out = (struct witness){ .circuit = circuit };
    size_t bit_bytes = ((size_t)circuit->bits + 63) / 64 * sizeof(uint64_t) + sizeof(uint64_t);
    bit_bytes = (bit_bytes + 63) & ~(size_t)63;
    size_t wide_bytes = (size_t)circuit->wides * sizeof(fr_t);
    size_t size = bit_bytes + wide_bytes + (size_t)circuit->inputs * sizeof(fr_t);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a witness of %zu bytes", size);
    }
    out->memory = memory;
    out->size = size;
    out->bits = memory;
    out->wides = (fr_t *)((char *)memory + bit_bytes);
    out->inputs = out->wides + circuit->wides;
    return CUZK_OK;
}

void witness_destroy(struct witness *w)
{
    if (w->memory) munmap(w->memory, w->size);
    *w = (struct witness){ 0 };
}
