#include "backend/cuda/pairs.cuh"

extern "C" {
PAIRS_INSTANCE(g2, fp2)
}
