#include "math/g2.h"

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define POINT_INFINITY G2_INFINITY
#define POINT_AFFINE_INFINITY G2_AFFINE_INFINITY
#define FIELD_ONE FP2_ONE

const g2_affine_t G2_GENERATOR = {
    { { { 0xf5f28fa202940a10, 0xb3f5fb2687b4961a, 0xa1a893b53e2ae580, 0x9894999d1a3caee9,
          0x6f67b7631863366b, 0x058191924350bcd7 } },
      { { 0xa5a9c0759e23f606, 0xaaa0c59dbccd60c3, 0x3bb17e18e2867806, 0x1b1ab6cc8541b367,
          0xc2b6ed0ef2158547, 0x11922a097360edf3 } } },
    { { { 0x4c730af860494c4a, 0x597cfa1f5e369c5a, 0xe7e6856caa0a635a, 0xbbefb5e96e0d495f,
          0x07d3a975f0ef25a2, 0x0083fd8e7e80dae5 } },
      { { 0xadc0fc92df64b05d, 0x18aa270a2b1461dc, 0x86adac6a3be4eba0, 0x79495c4ec93da33a,
          0xe7175850a43ccaed, 0x0b2bc2a163de1bf2 } } },
};
const g2_affine_t G2_AFFINE_INFINITY = { { { { 0 } }, { { 0 } } }, { { { 0 } }, { { 0 } } } };
const g2_t G2_INFINITY = { { { { 0 } }, { { 0 } } },
                           { { { 0 } }, { { 0 } } },
                           { { { 0 } }, { { 0 } } },
                           { { { 0 } }, { { 0 } } } };

/* (1 + u)^(−(p−1)/3) = PSI_X·u and (1 + u)^(−(p−1)/2) = PSI_Y */
static const fp_t PSI_X = { { 0x890dc9e4867545c3, 0x2af322533285a5d5, 0x50880866309b7e2c,
                              0xa20d1b8c7e881024, 0x14e4f04fe2db9068, 0x14e56d3f1564853a } };
static const fp2_t PSI_Y = { { { 0x3e2f585da55c9ad1, 0x4294213d86c18183, 0x382844c88b623732,
                                 0x92ad2afd19103e18, 0x1d794e4fac7cf0b9, 0x0bd592fc7d825ec8 } },
                             { { 0x7bcfa7a25aa30fda, 0xdc17dec12a927e7c, 0x2f088dd86b4ebef1,
                                 0xd1ca2087da74d4a7, 0x2da2596696cebc1d, 0x0e2b7eedbbfd87d2 } } };

static void curve_b(fp2_t *out)
{
    fp2_double(out, &FP2_ONE);
    fp2_double(out, out);
    out->c1 = out->c0;
}

#include "math/point_template.h"

void g2_affine_psi(g2_affine_t *out, const g2_affine_t *p)
{
    fp2_t y;
    fp_t x0 = p->x.c0;
    fp2_conjugate(&y, &p->y);
    fp2_mul(&out->y, &y, &PSI_Y);
    /* conjugate(x)·PSI_X·u */
    fp_mul(&out->x.c0, &p->x.c1, &PSI_X);
    fp_mul(&out->x.c1, &x0, &PSI_X);
}

bool g2_in_subgroup_var(const g2_affine_t *p)
{
    g2_affine_t image;
    g2_t sum;
    g2_affine_psi(&image, p);
    g2_from_affine(&sum, p);
    mul_parameter(&sum, &sum);
    g2_add_mixed(&sum, &sum, &image);
    return g2_is_infinity(&sum);
}
