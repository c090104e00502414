/* Witnesses of one circuit between uses: taken, filled, proved and put back, so that proving frees nothing. As many
 * exist as were ever out at once. Thread-safe. */
#ifndef CUZK_BACKEND_WITNESS_SHELF_H
#define CUZK_BACKEND_WITNESS_SHELF_H

#include "backend/backend.h"

struct witness_shelf;

/* The backend and the circuit must outlive it. */
cuzk_status witness_shelf_create(struct witness_shelf **out, const struct backend *backend,
                                 const struct circuit *circuit, cuzk_error *err);
void witness_shelf_destroy(struct witness_shelf *s); /* and what is on it; NULL is allowed */

/* One that is idle, or a new one (backend_witness_create). */
cuzk_status witness_shelf_take(struct witness *out, struct witness_shelf *s, cuzk_error *err);
void witness_shelf_put(struct witness_shelf *s, struct witness *w); /* *w becomes empty; harmless on an empty one */

#endif
