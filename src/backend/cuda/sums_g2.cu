#include "backend/cuda/sums.cuh"

extern "C" {
SUMS_INSTANCE(g2, fp2)
}
