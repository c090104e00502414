/* A growable array whose failures are sticky, for building things that are finished once. */
#ifndef CUZK_BASE_VEC_H
#define CUZK_BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>

struct vec {
    void *data;
    size_t count, capacity; /* elements */
    bool failed;
};

/* Makes room for `more` elements of `size` bytes and returns where they begin (undefined contents), or NULL. */
void *vec_extend(struct vec *v, size_t more, size_t size);

/* Appends a copy of one element; a failure is remembered in v->failed. */
void vec_push(struct vec *v, const void *element, size_t size);

void vec_free(struct vec *v);

/* Gives the memory to the caller (shrunk to fit; never NULL unless out of memory) and empties the vec. */
void *vec_take(struct vec *v, size_t size);

#endif
