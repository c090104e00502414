/* Test points with known discrete logarithms, once for each group: the including test defines POINT(name),
 * FIELD(name), GENERATOR, XYZZ_INFINITY and AFFINE_INFINITY. */

/* points[i] = logs[i]·generator, logs[i] = start + i·step for random start and step. */
static inline void POINT(progression)(POINT(affine_t) *points, fr_t *logs, size_t n, struct random *random)
{
    fr_t start = fr_random(random), step = fr_random(random);
    POINT(t) generator, at, difference;
    POINT(from_affine)(&generator, &GENERATOR);
    POINT(mul_fr_var)(&at, &generator, &start);
    POINT(mul_fr_var)(&difference, &generator, &step);
    POINT(affine_t) step_affine;
    POINT(to_affine_var)(&step_affine, &difference);
    POINT(t) block[64];
    FIELD(t) scratch[64];
    for (size_t i = 0; i < n; i += 64) {
        size_t count = n - i < 64 ? n - i : 64;
        for (size_t j = 0; j < count; j++) {
            block[j] = at;
            logs[i + j] = start;
            POINT(add_mixed)(&at, &at, &step_affine);
            fr_add(&start, &start, &step);
        }
        POINT(batch_to_affine_var)(points + i, block, count, scratch);
    }
}

/* (Σ logs[i]·scalars[i])·generator; without scalars they are all 1. */
static inline POINT(t) POINT(expected_sum)(const fr_t *logs, const fr_t *scalars, size_t n)
{
    fr_t sum = FR_ZERO, product;
    for (size_t i = 0; i < n; i++) {
        fr_mul(&product, &logs[i], scalars ? &scalars[i] : &FR_ONE);
        fr_add(&sum, &sum, &product);
    }
    POINT(t) out;
    POINT(from_affine)(&out, &GENERATOR);
    POINT(mul_fr_var)(&out, &out, &sum);
    return out;
}
