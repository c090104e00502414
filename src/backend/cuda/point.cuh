/* G1 (F = fp) and G2 (F = fp2) on the device: the same bytes and conventions as math/g1.h and math/g2.h.
 * Affine infinity is x = y = 0; in extended Jacobian coordinates it is ZZ = ZZZ = 0. All operations are complete.
 * Formulas: Explicit-Formulas Database, "xyzz", madd-2008-s, add-2008-s, dbl-2008-s-1. */
#ifndef CUZK_CUDA_POINT_CUH
#define CUZK_CUDA_POINT_CUH

#include "backend/cuda/fp.cuh"

template <class F> struct affine {
    F x, y;
};

template <class F> struct xyzz {
    F x, y, zz, zzz;
};

#ifdef __CUDACC__
#define RARE __host__ __device__ __noinline__
#else
#define RARE static
#endif

template <class F> HD bool is_infinity(const affine<F> &p) { return is_zero(p.x) && is_zero(p.y); }
template <class F> HD bool is_infinity(const xyzz<F> &p) { return is_zero(p.zz); }

template <class F> HD void set_infinity(xyzz<F> &p)
{
    set_zero(p.x);
    set_zero(p.y);
    set_zero(p.zz);
    set_zero(p.zzz);
}

template <class F> HD void set_infinity(affine<F> &p)
{
    set_zero(p.x);
    set_zero(p.y);
}

template <class F> HD void set_affine(xyzz<F> &p, const affine<F> &q)
{
    p.x = q.x;
    p.y = q.y;
    set_one(p.zz);
    set_one(p.zzz);
    if (is_infinity(q)) {
        set_zero(p.zz);
        set_zero(p.zzz);
    }
}

template <class F> HD void double_xyzz(xyzz<F> &p)
{
    F u = twice(p.y), v = call_sqr(u), w = call_mul(u, v), s = call_mul(p.x, v), m = call_sqr(p.x);
    m = add(twice(m), m);
    F x = sub(call_sqr(m), twice(s));
    p.y = sub(call_mul(m, sub(s, x)), call_mul(w, p.y));
    p.x = x;
    p.zz = call_mul(v, p.zz);
    p.zzz = call_mul(w, p.zzz);
}

template <class F> HD xyzz<F> infinity()
{
    xyzz<F> p;
    set_infinity(p);
    return p;
}

/* Out of line, as only equal points come here; by value, so that the sums stay in registers. */
template <class F> RARE xyzz<F> doubled(const xyzz<F> p)
{
    xyzz<F> r = p;
    double_xyzz(r);
    return r;
}

template <class F> RARE xyzz<F> doubled(const affine<F> q)
{
    xyzz<F> r;
    set_affine(r, q);
    double_xyzz(r);
    return r;
}

/* p += q */
template <class F> HD void add_affine(xyzz<F> &p, const affine<F> &q)
{
    if (is_infinity(q)) return;
    if (is_infinity(p)) {
        set_affine(p, q);
        return;
    }
    F u = sub(mul(q.x, p.zz), p.x), r = sub(mul(q.y, p.zzz), p.y);
    if (is_zero(u)) {
        p = is_zero(r) ? doubled(q) : infinity<F>();
        return;
    }
    F uu = sqr(u), uuu = mul(u, uu), s = mul(p.x, uu);
    F x = sub(sub(sqr(r), uuu), twice(s));
    p.y = sub(mul(r, sub(s, x)), mul(p.y, uuu));
    p.x = x;
    p.zz = mul(p.zz, uu);
    p.zzz = mul(p.zzz, uuu);
}

/* p += q */
template <class F> HD void add_xyzz(xyzz<F> &p, const xyzz<F> &q)
{
    if (is_infinity(q)) return;
    if (is_infinity(p)) {
        p = q;
        return;
    }
    F s = call_mul(p.x, q.zz), t = call_mul(p.y, q.zzz);
    F u = sub(call_mul(q.x, p.zz), s), r = sub(call_mul(q.y, p.zzz), t);
    if (is_zero(u)) {
        p = is_zero(r) ? doubled(p) : infinity<F>();
        return;
    }
    F uu = call_sqr(u), uuu = call_mul(u, uu);
    s = call_mul(s, uu);
    F x = sub(sub(call_sqr(r), uuu), twice(s));
    p.y = sub(call_mul(r, sub(s, x)), call_mul(t, uuu));
    p.x = x;
    p.zz = call_mul(call_mul(p.zz, q.zz), uu);
    p.zzz = call_mul(call_mul(p.zzz, q.zzz), uuu);
}

#endif
