#include "engine/stub.h"

#include "base/clock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 32, PATIENCE_S = 30 };

static atomic_int payloads_alive;

int stub_payloads_alive(void) { return atomic_load(&payloads_alive); }

void stub_lock(struct stub *s) { pthread_mutex_lock(&s->lock); }

void stub_unlock(struct stub *s)
{
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

void stub_create(struct stub *s)
{
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->devices = 1;
    s->lanes = 1;
    s->partitions[PROOF_POREP] = 10;
    s->partitions[PROOF_UPDATE] = 4;
    s->partitions[PROOF_WINDOW] = s->partitions[PROOF_WINNING] = 1;
    s->needs =
        (struct circuit_needs){ .srs = 1000000, .circuit = 1000, .device = 0, .witness = 10000, .prove = 1000 };
    s->input_bytes = 1000;
}

void stub_destroy(struct stub *s)
{
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
}

void stub_step(struct stub *s, unsigned n)
{
    stub_lock(s);
    s->passes += n;
    stub_unlock(s);
}

/* The lock is held. */
static void wait_changed(struct stub *s)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += PATIENCE_S;
    assert_int_equal(pthread_cond_timedwait(&s->changed, &s->lock, &t), 0);
}

void stub_wait(struct stub *s, const unsigned *value, unsigned n)
{
    stub_lock(s);
    while (*value < n) wait_changed(s);
    stub_unlock(s);
}

void stub_wait_proving(struct stub *s, unsigned n) { stub_wait(s, &s->proving, n); }

void stub_wait_proved(struct stub *s, size_t n)
{
    stub_lock(s);
    while (s->proved_count < n) wait_changed(s);
    stub_unlock(s);
}

/* ---- the steps ---- */

struct stub_inputs {
    char name[NAME];
    size_t partitions;
};

struct stub_srs {
    bool on[STUB_DEVICES];
    unsigned at_work[STUB_DEVICES], filling;
};

struct stub_witness {
    struct stub_srs *srs;
    char name[NAME];
    uint32_t partition;
};

static bool known(void *context, size_t circuit)
{
    (void)context;
    return catalogue_at(circuit) != NULL;
}

/* sector_size 0 and 2 KiB: the kind's smallest circuit. */
static cuzk_status plan(void *context, struct steps_plan *out, const struct request *r, cuzk_error *err)
{
    struct stub *s = context;
    uint64_t size = r->sector_size ? r->sector_size : 2048;
    if (r->registered_proof == 99) return cuzk_fail(err, CUZK_ERR_DATA, "registered_proof: 99 is unknown");
    for (size_t i = 0; catalogue_at(i); i++) {
        if (catalogue_at(i)->kind != r->kind || catalogue_shape(catalogue_at(i))->bytes != size) continue;
        *out = (struct steps_plan){ i, s->partitions[r->kind], s->input_bytes };
        return CUZK_OK;
    }
    return cuzk_fail(err, CUZK_ERR_DATA, "sector_size: %llu is unknown", (unsigned long long)size);
}

static void needs(void *context, struct circuit_needs *out, size_t circuit)
{
    struct stub *s = context;
    *out = s->needs;
    if (s->wide_needs) out->srs *= 2;
    if (strstr(catalogue_at(circuit)->id, "32g")) out->srs *= 100; /* a large one to play with */
}

static cuzk_status parse(void *context, void **inputs, const struct request *r, cuzk_error *err)
{
    struct stub *s = context;
    stub_lock(s);
    s->parses++;
    while (s->hold_parse) wait_changed(s);
    stub_unlock(s);
    if (r->vanilla_proof.size == 3 && memcmp(r->vanilla_proof.data, "bad", 3) == 0) {
        return cuzk_fail(err, CUZK_ERR_DATA, "vanilla_proof: bad");
    }
    struct stub_inputs *in = *inputs = calloc(1, sizeof *in);
    if (!in) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    memcpy(in->name, r->randomness.data, r->randomness.size < NAME ? r->randomness.size : NAME - 1);
    in->partitions = s->partitions[r->kind];
    return CUZK_OK;
}

static void forget(void *context, void *inputs)
{
    struct stub *s = context;
    stub_lock(s);
    s->forgets++;
    stub_unlock(s);
    free(inputs);
}

static cuzk_status load(void *context, void **srs, struct circuit_needs *actual, bool *test, size_t circuit,
                        const struct progress *progress, cuzk_error *err)
{
    struct stub *s = context;
    cuzk_status status = CUZK_OK;
    stub_lock(s);
    s->loads++;
    progress->report(progress->context, 1, 2);
    while (s->hold_load) wait_changed(s);
    if (s->load_fails) {
        s->load_fails--;
        status = cuzk_fail(err, CUZK_ERR_DATA, "%s.params: damaged", catalogue_at(circuit)->id);
    }
    stub_unlock(s);
    if (status != CUZK_OK) return status;
    if (s->wide_needs) actual->srs /= 2;
    *test = false;
    *srs = calloc(1, sizeof(struct stub_srs));
    return *srs ? CUZK_OK : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
}

static void unload(void *context, void *srs)
{
    struct stub *s = context;
    const struct stub_srs *x = srs;
    stub_lock(s);
    s->unloads++;
    s->mistakes += x->filling > 0;
    for (int d = 0; d < STUB_DEVICES; d++) s->mistakes += x->on[d] || x->at_work[d] > 0;
    stub_unlock(s);
    free(srs);
}

static cuzk_status attach(void *context, void *srs, size_t device, const struct progress *progress, cuzk_error *err)
{
    struct stub *s = context;
    struct stub_srs *x = srs;
    cuzk_status status = CUZK_OK;
    (void)progress;
    stub_lock(s);
    s->attaches++;
    s->mistakes += x->on[device];
    if (s->sick[device] || s->broken[device]) status = cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "sick");
    if (status == CUZK_OK && s->attach_fail_count > 0) {
        s->attach_fail_count--;
        status = cuzk_fail(err, s->attach_fails, "made to fail");
    }
    if (status == CUZK_OK) {
        x->on[device] = true;
        s->attached[device]++;
    }
    stub_unlock(s);
    return status;
}

static void detach(void *context, void *srs, size_t device)
{
    struct stub *s = context;
    struct stub_srs *x = srs;
    stub_lock(s);
    s->detaches++;
    s->mistakes += !x->on[device] || x->at_work[device] > 0;
    x->on[device] = false;
    s->attached[device]--;
    stub_unlock(s);
}

/* The provers' memory: what proofs have left, counted. */
static void *spare_take(void *context, void *srs)
{
    struct stub *s = context;
    (void)srs;
    stub_lock(s);
    unsigned *spare = s->spares_idle ? malloc(sizeof *spare) : NULL;
    if (spare) {
        *spare = s->spares_idle;
        s->spares_idle = 0;
    }
    stub_unlock(s);
    return spare;
}

static void spare_free(void *context, void *spare)
{
    struct stub *s = context;
    stub_lock(s);
    s->spares -= *(unsigned *)spare;
    stub_unlock(s);
    free(spare);
}

static cuzk_status make_witness(void *context, void **witness, void *srs, cuzk_error *err)
{
    struct stub *s = context;
    struct stub_witness *w = *witness = calloc(1, sizeof *w);
    if (!w) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    w->srs = srs;
    stub_lock(s);
    s->witnesses_made++;
    if (++s->witnesses > s->most_witnesses) s->most_witnesses = s->witnesses;
    stub_unlock(s);
    return CUZK_OK;
}

static void free_witness(void *context, void *witness)
{
    struct stub *s = context;
    stub_lock(s);
    s->witnesses--;
    stub_unlock(s);
    free(witness);
}

static cuzk_status fill(void *context, void *witness, const void *inputs, size_t partition, cuzk_error *err)
{
    struct stub *s = context;
    const struct stub_inputs *in = inputs;
    struct stub_witness *w = witness;
    (void)err;
    memcpy(w->name, in->name, NAME);
    w->partition = (uint32_t)partition;
    stub_lock(s);
    s->fills++;
    s->filling++;
    w->srs->filling++;
    pthread_cond_broadcast(&s->changed);
    while (s->hold_fill) wait_changed(s);
    w->srs->filling--;
    s->filling--;
    stub_unlock(s);
    return CUZK_OK;
}

static void make_proof(uint8_t proof[PROOF_BYTES], const char *name, uint32_t partition)
{
    memset(proof, 0, PROOF_BYTES);
    memcpy(proof + 1, name, NAME);
    store_le32(proof + 1 + NAME, partition);
}

/* The lock is held. */
static void maybe_break(struct stub *s, const struct stub_witness *w, size_t device)
{
    if (!s->killer || strcmp(s->killer, w->name) != 0 || s->killer_partition != w->partition) return;
    for (size_t d = 0; d < s->devices; d++) s->broken[d] = s->broken[d] || s->together || d == device;
}

static cuzk_status prove_status(struct stub *s, size_t device, cuzk_error *err)
{
    if (s->broken[device]) return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "device %zu is out of order", device);
    if (s->sick[device]) return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "device %zu is sick", device);
    if (s->prove_fails == CUZK_OK || s->prove_fail_count == 0) return CUZK_OK;
    s->prove_fail_count--;
    return cuzk_fail(err, s->prove_fails, "made to fail");
}

static cuzk_status prove(void *context, uint8_t proof[PROOF_BYTES], struct step_timings *timings, void *srs,
                         const void *witness, size_t device, cuzk_error *err)
{
    struct stub *s = context;
    const struct stub_witness *w = witness;
    struct stub_srs *x = srs;
    (void)timings;
    stub_lock(s);
    s->proving++;
    s->mistakes += !x->on[device];
    x->at_work[device]++;
    if (s->spares_idle > 0) s->spares_idle--;
    else if (++s->spares > s->most_spares) s->most_spares = s->spares;
    pthread_cond_broadcast(&s->changed);
    while ((s->hold_prove && s->passes == 0) || s->hold_device[device]) wait_changed(s);
    if (s->hold_prove) s->passes--;
    maybe_break(s, w, device);
    if (s->prove_us) {
        stub_unlock(s);
        usleep(s->prove_us); /* changed only before there is an engine */
        stub_lock(s);
    }
    cuzk_status status = prove_status(s, device, err);
    struct stub_event *e = &s->proved[s->proved_count % STUB_EVENTS];
    memcpy(e->name, w->name, NAME);
    e->partition = w->partition;
    e->device = (uint32_t)device;
    s->proved_count++;
    s->proving--;
    x->at_work[device]--;
    s->spares_idle++;
    make_proof(proof, w->name, w->partition);
    if (s->bad_devices >> device & 1) proof[100] = 1;
    stub_unlock(s);
    return status;
}

static cuzk_status verify(void *context, size_t *bad, void *srs, const void *inputs,
                          const uint8_t (*proofs)[PROOF_BYTES], const uint32_t *partitions, size_t count,
                          cuzk_error *err)
{
    struct stub *s = context;
    const struct stub_inputs *in = inputs;
    (void)srs;
    stub_lock(s);
    s->verifies++;
    pthread_cond_broadcast(&s->changed);
    while (s->hold_verify) wait_changed(s);
    stub_unlock(s);
    for (size_t i = 0; i < count; i++) {
        uint8_t expected[PROOF_BYTES];
        make_proof(expected, in->name, partitions[i]);
        if (memcmp(proofs[i], expected, PROOF_BYTES) == 0) continue;
        *bad = i;
        return cuzk_fail(err, CUZK_REFUSED, "proof %zu does not hold", i);
    }
    return CUZK_OK;
}

static void device(void *context, struct device_state *out, size_t number)
{
    struct stub *s = context;
    stub_lock(s);
    if (s->broken[number] && s->attached[number] == 0 && !s->hold_repair) {
        s->broken[number] = false;
        s->repairs[number]++;
    }
    *out = (struct device_state){ .backend = "stub",
                                  .ordinal = (uint32_t)number,
                                  .lanes = s->lanes,
                                  .memory_total = 100000000,
                                  .healthy = !s->sick[number] && !s->broken[number] };
    s->looks++;
    bool broken = s->broken[number];
    stub_unlock(s);
    snprintf(out->name, sizeof out->name, "stub %zu", number);
    if (!out->healthy) snprintf(out->trouble, sizeof out->trouble, broken ? "out of order" : "sick");
}

static cuzk_status present(void *context, size_t circuit, cuzk_error *err)
{
    (void)context;
    if (!strstr(catalogue_at(circuit)->id, "64g")) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_MISSING, "%s.params: no such file", catalogue_at(circuit)->id);
}

static void stub_close(void *context)
{
    struct stub *s = context;
    s->closed = true;
}

void stub_steps(struct steps *out, struct stub *s)
{
    *out = (struct steps){ s,          s->devices, known,      plan,         needs,        parse, forget, load,   unload,
                           attach,     detach,     spare_take, spare_free,   make_witness, free_witness,  fill,   prove,
                           verify,     device,     present,    stub_close };
}

/* ---- conveniences ---- */

void stub_config(struct engine_config *out)
{
    engine_config_default(out);
    out->param_cache = "/nowhere";
    out->total_budget = UINT64_C(1) << 30;
    out->eviction_min_idle_ms = 0;
    out->threads = 2;
}

struct engine *stub_engine(struct stub *s, const struct engine_config *config)
{
    struct engine_config defaults;
    struct steps steps;
    struct engine *e;
    cuzk_error err = { "" };
    stub_config(&defaults);
    stub_steps(&steps, s);
    cuzk_status status = engine_create_with(&e, config ? config : &defaults, &steps, &err);
    if (status != CUZK_OK) fail_msg("%s", err.detail);
    return e;
}

static void release_payload(void *context)
{
    atomic_fetch_sub(&payloads_alive, 1);
    free(context);
}

void stub_request(struct stub_request *out, enum proof_kind kind, const char *id, const char *name, uint32_t priority)
{
    size_t id_size = strlen(id), name_size = strlen(name);
    uint8_t *memory = malloc(id_size + name_size + 1);
    assert_non_null(memory);
    memcpy(memory, id, id_size);
    memcpy(memory + id_size, name, name_size);
    atomic_fetch_add(&payloads_alive, 1);
    *out = (struct stub_request){ .request = { .kind = kind, .priority = priority } };
    out->request.request_id = (struct bytes){ memory, id_size };
    out->request.randomness = (struct bytes){ memory + id_size, name_size };
    out->submission = (struct submission){ .request = &out->request, .owner = { release_payload, memory } };
}

char *stub_submit(struct engine *e, enum proof_kind kind, const char *id, const char *name, uint32_t priority)
{
    struct stub_request r;
    struct accepted accepted;
    cuzk_error err = { "" };
    stub_request(&r, kind, id, name, priority);
    cuzk_status status = engine_submit(e, &accepted, &r.submission, &err);
    if (status != CUZK_OK) fail_msg("%s", err.detail);
    return accepted.job_id;
}

struct outcome *stub_await(struct engine *e, const char *job_id)
{
    struct outcome *o;
    cuzk_error err = { "" };
    cuzk_status status = engine_await(e, &o, text_bytes(job_id), PATIENCE_S * 1000, &err);
    if (status != CUZK_OK) fail_msg("%s", err.detail);
    return o;
}

struct outcome *stub_prove(struct engine *e, enum proof_kind kind, const char *id, const char *name)
{
    char *job_id = stub_submit(e, kind, id, name, 0);
    struct outcome *o = stub_await(e, job_id);
    free(job_id);
    return o;
}

void assert_stub_proof(const struct outcome *o, const char *name, size_t partitions)
{
    char padded[NAME] = { 0 };
    if (o->state != JOB_COMPLETED) fail_msg("%s: %s", job_state_name(o->state), o->error);
    assert_int_equal(o->proof.size, partitions * PROOF_BYTES);
    memcpy(padded, name, strlen(name));
    for (uint32_t i = 0; i < partitions; i++) {
        uint8_t expected[PROOF_BYTES];
        make_proof(expected, padded, i);
        assert_memory_equal(o->proof.data + i * PROOF_BYTES, expected, PROOF_BYTES);
    }
}
