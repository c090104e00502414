/* The public API of libcuzk: everything. */
#ifndef CUZK_CUZK_H
#define CUZK_CUZK_H

#include "cuzk/circuit.h"
#include "cuzk/engine.h"
#include "cuzk/prove.h"
#include "cuzk/status.h"

#endif
