#include "backend/cuda/pairs.cuh"

cuzk_status pairs_g2(struct point_list *list, size_t runs, unsigned rounds, struct pair_space *s, struct context *c,
                     cuzk_error *err)
{
    return all_rounds<fp2>(list, runs, rounds, s, c, err);
}
