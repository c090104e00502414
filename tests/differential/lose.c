#include "lose.h"

#include <stdio.h>

/* The steps inside keep their own context, so what is added to them has to be found in another way. */
static struct steps inside;
static atomic_size_t lost_device = SIZE_MAX;

static bool lost(size_t device) { return atomic_load(&lost_device) == device; }

static cuzk_status is_lost(size_t device, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "device %zu is lost, as asked for", device);
}

static cuzk_status attach(void *context, void *srs, size_t device, const struct progress *progress, cuzk_error *err)
{
    if (lost(device)) return is_lost(device, err);
    return inside.attach(context, srs, device, progress, err);
}

static cuzk_status prove(void *context, uint8_t proof[PROOF_BYTES], struct step_timings *timings, void *srs,
                         const void *witness, size_t device, cuzk_error *err)
{
    if (lost(device)) return is_lost(device, err);
    cuzk_status status = inside.prove(context, proof, timings, srs, witness, device, err);
    return lost(device) ? is_lost(device, err) : status;
}

static void device(void *context, struct device_state *out, size_t number)
{
    inside.device(context, out, number);
    if (!lost(number)) return;
    out->healthy = false;
    snprintf(out->trouble, sizeof out->trouble, "lost, as asked for");
}

void losing_wrap(struct steps *steps)
{
    inside = *steps;
    steps->attach = attach;
    steps->prove = prove;
    steps->device = device;
}

void losing_lose(size_t number) { atomic_store(&lost_device, number); }
