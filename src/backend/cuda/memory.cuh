/* Whole values between registers and memory, 16 bytes at a time; types are multiples of 16 bytes and aligned so. */
#ifndef CUZK_CUDA_MEMORY_CUH
#define CUZK_CUDA_MEMORY_CUH

template <class T> __device__ __forceinline__ T load(const T *p)
{
    T r;
    const uint4 *from = reinterpret_cast<const uint4 *>(p);
    uint4 *to = reinterpret_cast<uint4 *>(&r);
#pragma unroll
    for (int i = 0; i < (int)(sizeof(T) / 16); i++) to[i] = from[i];
    return r;
}

template <class T> __device__ __forceinline__ void store(T *p, const T &v)
{
    uint4 *to = reinterpret_cast<uint4 *>(p);
    const uint4 *from = reinterpret_cast<const uint4 *>(&v);
#pragma unroll
    for (int i = 0; i < (int)(sizeof(T) / 16); i++) to[i] = from[i];
}

#endif
