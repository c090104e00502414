#include "lose.h"

#include <stdio.h>

static bool lost(struct losing *l, size_t device) { return atomic_load(&l->device) == device; }

static cuzk_status is_lost(size_t device, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "device %zu is lost, as asked for", device);
}

/* ---- what a lost device changes ---- */

static cuzk_status attach(void *context, void *srs, size_t device, const struct progress *progress, cuzk_error *err)
{
    struct losing *l = context;
    if (lost(l, device)) return is_lost(device, err);
    return l->inside.attach(l->inside.context, srs, device, progress, err);
}

static cuzk_status prove(void *context, uint8_t proof[PROOF_BYTES], struct step_timings *timings, void *srs,
                         const void *witness, size_t device, cuzk_error *err)
{
    struct losing *l = context;
    if (lost(l, device)) return is_lost(device, err);
    cuzk_status status = l->inside.prove(l->inside.context, proof, timings, srs, witness, device, err);
    return lost(l, device) ? is_lost(device, err) : status;
}

static void device(void *context, struct device_state *out, size_t number)
{
    struct losing *l = context;
    l->inside.device(l->inside.context, out, number);
    if (!lost(l, number)) return;
    out->healthy = false;
    snprintf(out->trouble, sizeof out->trouble, "lost, as asked for");
}

/* ---- what it does not ---- */

static bool known(void *context, size_t circuit)
{
    struct losing *l = context;
    return l->inside.known(l->inside.context, circuit);
}

static cuzk_status plan(void *context, struct steps_plan *out, const struct request *request, cuzk_error *err)
{
    struct losing *l = context;
    return l->inside.plan(l->inside.context, out, request, err);
}

static void needs(void *context, struct circuit_needs *out, size_t circuit)
{
    struct losing *l = context;
    l->inside.needs(l->inside.context, out, circuit);
}

static cuzk_status parse(void *context, void **inputs, const struct request *request, cuzk_error *err)
{
    struct losing *l = context;
    return l->inside.parse(l->inside.context, inputs, request, err);
}

static void forget(void *context, void *inputs)
{
    struct losing *l = context;
    l->inside.forget(l->inside.context, inputs);
}

static cuzk_status load(void *context, void **srs, struct circuit_needs *actual, bool *test, size_t circuit,
                        const struct progress *progress, cuzk_error *err)
{
    struct losing *l = context;
    return l->inside.load(l->inside.context, srs, actual, test, circuit, progress, err);
}

static void unload(void *context, void *srs)
{
    struct losing *l = context;
    l->inside.unload(l->inside.context, srs);
}

static void detach(void *context, void *srs, size_t device_number)
{
    struct losing *l = context;
    l->inside.detach(l->inside.context, srs, device_number);
}

static void *spare_take(void *context, void *srs)
{
    struct losing *l = context;
    return l->inside.spare_take(l->inside.context, srs);
}

static void spare_free(void *context, void *spare)
{
    struct losing *l = context;
    l->inside.spare_free(l->inside.context, spare);
}

static cuzk_status witness_make(void *context, void **witness, void *srs, cuzk_error *err)
{
    struct losing *l = context;
    return l->inside.witness_create(l->inside.context, witness, srs, err);
}

static void witness_end(void *context, void *witness)
{
    struct losing *l = context;
    l->inside.witness_free(l->inside.context, witness);
}

static cuzk_status fill(void *context, void *witness, const void *inputs, size_t partition, cuzk_error *err)
{
    struct losing *l = context;
    return l->inside.fill(l->inside.context, witness, inputs, partition, err);
}

static cuzk_status verify(void *context, size_t *bad, void *srs, const void *inputs,
                          const uint8_t (*proofs)[PROOF_BYTES], const uint32_t *partitions, size_t count,
                          cuzk_error *err)
{
    struct losing *l = context;
    return l->inside.verify(l->inside.context, bad, srs, inputs, proofs, partitions, count, err);
}

static cuzk_status present(void *context, size_t circuit, cuzk_error *err)
{
    struct losing *l = context;
    return l->inside.present(l->inside.context, circuit, err);
}

static void losing_close(void *context)
{
    struct losing *l = context;
    l->inside.close(l->inside.context);
}

void losing_wrap(struct losing *l, struct steps *steps)
{
    l->inside = *steps;
    atomic_init(&l->device, SIZE_MAX);
    *steps = (struct steps){
        .context = l,
        .devices = l->inside.devices,
        .known = known,
        .plan = plan,
        .needs = needs,
        .parse = parse,
        .forget = forget,
        .load = load,
        .unload = unload,
        .attach = attach,
        .detach = detach,
        .spare_take = spare_take,
        .spare_free = spare_free,
        .witness_create = witness_make,
        .witness_free = witness_end,
        .fill = fill,
        .prove = prove,
        .verify = verify,
        .device = device,
        .present = present,
        .close = losing_close,
    };
}

void losing_lose(struct losing *l, size_t device_number) { atomic_store(&l->device, device_number); }
