#include "fault.h"

__global__ void trap() { asm("trap;"); }

void device_trap(int ordinal)
{
    if (cudaSetDevice(ordinal) != cudaSuccess) return;
    trap<<<1, 1>>>();
    (void)cudaDeviceSynchronize();
}
