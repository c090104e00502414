#include "math/g1.h"

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define POINT_INFINITY G1_INFINITY
#define POINT_AFFINE_INFINITY G1_AFFINE_INFINITY
#define FIELD_ONE FP_ONE

const g1_affine_t G1_GENERATOR = {
    { { 0x5cb38790fd530c16, 0x7817fc679976fff5, 0x154f95c7143ba1c1, 0xf0ae6acdf3d0e747,
        0xedce6ecc21dbf440, 0x120177419e0bfb75 } },
    { { 0xbaac93d50ce72271, 0x8c22631a7918fd8e, 0xdd595f13570725ce, 0x51ac582950405194,
        0x0e1c8c3fad0059c0, 0x0bbc3efc5008a26a } },
};
const g1_affine_t G1_AFFINE_INFINITY = { { { 0 } }, { { 0 } } };
const g1_t G1_INFINITY = { { { 0 } }, { { 0 } }, { { 0 } }, { { 0 } } };

/* The cube root of unity that belongs to λ = u^2 − 1; its square belongs to −u^2. */
static const fp_t BETA = { { 0xcd03c9e48671f071, 0x5dab22461fcda5d2, 0x587042afd3851b95,
                             0x8eb60ebe01bacb9e, 0x03f97d6e83d050d2, 0x18f0206554638741 } };

static void curve_b(fp_t *out)
{
    fp_double(out, &FP_ONE);
    fp_double(out, out);
}

#include "math/point_template.h"

void g1_affine_endomorphism(g1_affine_t *out, const g1_affine_t *p)
{
    fp_mul(&out->x, &p->x, &BETA);
    out->y = p->y;
}

bool g1_in_subgroup_var(const g1_affine_t *p)
{
    g1_affine_t image;
    g1_t sum;
    g1_affine_endomorphism(&image, p);
    g1_affine_endomorphism(&image, &image);
    g1_from_affine(&sum, p);
    mul_parameter(&sum, &sum);
    mul_parameter(&sum, &sum);
    g1_add_mixed(&sum, &sum, &image);
    return g1_is_infinity(&sum);
}
