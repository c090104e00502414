#include "backend/cuda/sums.cuh"

extern "C" {
SUMS_INSTANCE(g1, fp)
}
