#include "backend/cuda/pairs.cuh"

extern "C" {
PAIRS_INSTANCE(g1, fp)
}
