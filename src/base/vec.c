#include "base/vec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *vec_extend(struct vec *v, size_t more, size_t size)
{
    if (v->failed) return NULL;
    if (!v->data || more > v->capacity - v->count) {
        size_t capacity = v->capacity ? v->capacity * 2 : 16;
        if (capacity < v->count + more) capacity = v->count + more;
        void *data = capacity > SIZE_MAX / size ? NULL : realloc(v->data, capacity * size);
        if (!data) {
            v->failed = true;
            return NULL;
        }
        v->data = data;
        v->capacity = capacity;
    }
    void *at = (char *)v->data + v->count * size;
    v->count += more;
    return at;
}

void vec_push(struct vec *v, const void *element, size_t size)
{
    void *at = vec_extend(v, 1, size);
    if (at) memcpy(at, element, size);
}

void vec_free(struct vec *v)
{
    free(v->data);
    *v = (struct vec){ 0 };
}

void *vec_take(struct vec *v, size_t size)
{
    void *data = realloc(v->data, v->count > 0 ? v->count * size : 1);
    if (!data) free(v->data);
    *v = (struct vec){ 0 };
    return data;
}
