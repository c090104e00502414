/* A deferred witness (r1cs/witness.h) on the device: its slots are uploaded and the packed witness is computed from
 * them (fill_plan.h). C and C++. */
#ifndef CUZK_CUDA_FILL_H
#define CUZK_CUDA_FILL_H

#include "backend/cuda/circuit.h"
#include "backend/cuda/fill_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct witness;

/* A circuit's plan on the device. Constant, for any number of lanes. */
struct cuda_fill {
    const struct circuit *circuit;
    struct fill_plan plan; /* on the host: of the arrays only `steps` */
    struct fill_source source; /* on the device, without slots */
    size_t register_bytes;
    void *memory;
    size_t bytes;
};

/* The circuit must outlive it. */
cuzk_status fill_create(struct cuda_fill **out, const struct circuit *circuit, struct context *c, cuzk_error *err);
void fill_drop(struct cuda_fill *f, struct context *c); /* NULL is allowed */

/* Arena bytes that fill_witness takes beside the witness itself; they are free again when it returns. 0 for NULL. */
size_t fill_scratch_bytes(const struct cuda_fill *f);

/* The packed witness in the arena, laid out as witness_create does, from the slots of `w`. CUZK_ERR_USAGE if f is
 * NULL (the circuit is not filled on devices) or w has not been filled. */
cuzk_status fill_witness(struct device_witness *out, const struct witness *w, const struct cuda_fill *f,
                         struct context *c, cuzk_error *err);

/* The backend's entry: for circuits where fill_pays. */
bool cuda_fills(const struct circuit *circuit, void *state);

/* The kernels. `s` and `out` are on the device; registers: register_bytes. */
cuzk_status fill_queue_steps(const struct fill_source *s, const struct fill_target *out, const struct fill_plan *plan,
                             const struct fill_extent *extent, void *registers, struct context *c, cuzk_error *err);
cuzk_status fill_queue_repeats(const struct fill_target *out, const struct fill_extent *extent, struct context *c,
                               cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
