#include "backend/cuda/sort.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

cudaError_t sort_pairs(int *place, uint32_t *const keys[2], uint32_t *const values[2], size_t n, int bits,
                       void *space, size_t bytes, cudaStream_t stream)
{
    cub::DoubleBuffer<uint32_t> k(keys[0], keys[1]), v(values[0], values[1]);
    cudaError_t code = cub::DeviceRadixSort::SortPairs(space, bytes, k, v, (uint32_t)n, 0, bits, stream);
    *place = k.selector;
    return code;
}

size_t sort_pairs_bytes(size_t n)
{
    size_t bytes = 0;
    cub::DoubleBuffer<uint32_t> none;
    cub::DeviceRadixSort::SortPairs(NULL, bytes, none, none, (uint32_t)n, 0, 32);
    return bytes + 256;
}

cudaError_t scan_exclusive(uint32_t *out, const uint32_t *in, size_t n, void *space, size_t bytes,
                           cudaStream_t stream)
{
    return cub::DeviceScan::ExclusiveSum(space, bytes, in, out, (uint32_t)n, stream);
}

size_t scan_bytes(size_t n)
{
    size_t bytes = 0;
    cub::DeviceScan::ExclusiveSum(NULL, bytes, (uint32_t *)NULL, (uint32_t *)NULL, (uint32_t)n);
    return bytes + 256;
}
