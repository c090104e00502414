#include "backend/cuda/fixed_base.cuh"

cuzk_status fixed_multiply_g1(void *out, enum fixed_form form, const struct fixed_base *t, const fr *scalars,
                              bool integers, size_t n, struct fixed_work *work, struct context *c, cuzk_error *err)
{
    return fixed_multiply<fp>(out, form, t, scalars, integers, n, work, c, err);
}
