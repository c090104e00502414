#include "backend/cuda/sums.h"

#include "backend/cuda/pairs.h"

cuzk_status msm_g1(void *terms_out, const struct msm_plan *p, const void *points, const uint32_t *numbers,
                   struct fr *scalars, bool montgomery, struct context *c, cuzk_error *err);
cuzk_status msm_g2(void *terms_out, const struct msm_plan *p, const void *points, const uint32_t *numbers,
                   struct fr *scalars, bool montgomery, struct context *c, cuzk_error *err);
cuzk_status listed_g1(void *out, const void *points, const uint32_t *numbers, const uint32_t *count, size_t most,
                      struct context *c, cuzk_error *err);
cuzk_status listed_g2(void *out, const void *points, const uint32_t *numbers, const uint32_t *count, size_t most,
                      struct context *c, cuzk_error *err);

size_t sums_msm_bytes(enum sums_group g, size_t n, size_t limit)
{
    struct msm_plan plan;
    if (n == 0) return 1;
    return msm_plan_make(&plan, n, sums_field_bytes(g), limit) ? plan.bytes : 0;
}

cuzk_status sums_msm(void *terms_out, struct msm_plan *plan, enum sums_group g, const void *points,
                     const uint32_t *numbers, struct fr *scalars, bool montgomery, size_t n, struct context *c,
                     cuzk_error *err)
{
    *plan = (struct msm_plan){ 0 };
    if (n == 0) return CUZK_OK;
    if (!msm_plan_make(plan, n, sums_field_bytes(g), c->arena.size - c->arena.used)) {
        return context_exhausted(c, "a multi-scalar multiplication", err);
    }
    return (g == SUMS_G1 ? msm_g1 : msm_g2)(terms_out, plan, points, numbers, scalars, montgomery, c, err);
}

cuzk_status sums_listed(void *out, enum sums_group g, const void *points, const uint32_t *numbers,
                        const uint32_t *count, size_t most, struct context *c, cuzk_error *err)
{
    return (g == SUMS_G1 ? listed_g1 : listed_g2)(out, points, numbers, count, most, c, err);
}

size_t sums_listed_bytes(enum sums_group g, size_t most, size_t limit, const struct context *c)
{
    size_t threads = (size_t)c->multiprocessors * 5 * 64;
    size_t bytes = (threads + threads / 8 + 16) * sums_point_bytes(g) + (1 << 16);
    if (halving_rounds(most) == 0) return bytes;
    size_t rounds = halving_space_bytes(sums_field_bytes(g), most);
    return bytes + rounds <= limit ? bytes + rounds : bytes;
}
