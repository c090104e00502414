/* The proving steps without any mathematics, for tests of the engine: they take as long, need as much and fail as
 * often as told, and note what was done in which order.
 *
 * A stub proof is 192 bytes: 0, then the job's name (request->randomness, up to 32 bytes), then the partition. Its
 * verification compares exactly that, so a proof that belongs to another job or partition is found out.
 *
 * A payload of "bad" fails in parse. Everything may be changed while the engine runs, under stub_lock.
 */
#ifndef CUZK_TESTS_ENGINE_STUB_H
#define CUZK_TESTS_ENGINE_STUB_H

#include "engine/engine.h"
#include "engine/snapshot.h"
#include "engine/steps.h"
#include "test.h"

#include <pthread.h>

enum { STUB_DEVICES = 4, STUB_EVENTS = 4096, STUB_CIRCUITS = 64 };

struct stub_event {
    char name[32]; /* of the job */
    uint32_t partition, device;
};

struct stub {
    pthread_mutex_t lock;
    pthread_cond_t changed;

    size_t devices;
    unsigned lanes;
    size_t partitions[5]; /* by kind */
    struct circuit_needs needs;
    uint64_t input_bytes;

    bool hold_prove; /* provers wait until it is false or stub_step lets one pass */
    unsigned passes;
    bool hold_load, hold_parse, hold_fill, hold_verify;
    bool hold_device[STUB_DEVICES]; /* like hold_prove, for one device */
    uint64_t load_fails;            /* how many loads to fail */
    cuzk_status prove_fails;        /* CUZK_OK: none; else the next `prove_fail_count` proofs fail so */
    unsigned prove_fail_count;
    unsigned prove_us;        /* how long each proof takes, once it is not held */
    cuzk_status attach_fails; /* the same of attaching */
    unsigned attach_fail_count;
    uint64_t bad_devices; /* bit d: device d makes wrong proofs */
    bool sick[STUB_DEVICES];

    /* Out of order as a real device is: made anew when it is asked for its health and nothing is attached to it,
     * unless hold_repair. The job named `killer` puts each device out of order that its partition `killer_partition`
     * is proved on; `together`: and all others. */
    bool broken[STUB_DEVICES], hold_repair, together;
    const char *killer;
    uint32_t killer_partition;

    bool wide_needs; /* actual needs are less than estimated */

    /* what happened */
    struct stub_event proved[STUB_EVENTS];
    size_t proved_count;
    unsigned proving, loads, unloads, attaches, detaches, parses, forgets, fills, filling, verifies;
    unsigned attached[STUB_DEVICES], repairs[STUB_DEVICES], looks; /* at devices */
    unsigned mistakes; /* attached twice; proved where it is not; detached or unloaded while at work */
    unsigned witnesses, witnesses_made, most_witnesses;
    unsigned spares, spares_idle, most_spares; /* memory that proofs work in, as if of one circuit */
    bool closed;
};

/* Defaults: one device of one lane; PoRep 10 partitions, update 4, PoSt 1; 1 MB for everything. */
void stub_create(struct stub *s);
void stub_destroy(struct stub *s);
void stub_steps(struct steps *out, struct stub *s);

void stub_lock(struct stub *s);
void stub_unlock(struct stub *s); /* wakes whoever waits inside the stub */

/* Lets `n` held proofs go on. */
void stub_step(struct stub *s, unsigned n);

/* Waits until *value is at least n. */
void stub_wait(struct stub *s, const unsigned *value, unsigned n);

/* Waits until so many provers are inside prove, or so many proofs are done; fails the test after half a minute. */
void stub_wait_proving(struct stub *s, unsigned n);
void stub_wait_proved(struct stub *s, size_t n);

/* An engine over the stub: 1 GiB of budget, no journal, two threads, no orphan grace to speak of unless changed. */
void stub_config(struct engine_config *out);
struct engine *stub_engine(struct stub *s, const struct engine_config *config);

/* A request whose bytes are on the heap and freed by the engine. `id`, `name` and `payload` are copied. */
struct stub_request {
    struct request request;
    struct submission submission;
};

void stub_request(struct stub_request *out, enum proof_kind kind, const char *id, const char *name,
                  uint32_t priority);

/* Payloads handed out and not yet released. */
int stub_payloads_alive(void);

/* submit and await at once; the job's id is freed. */
struct outcome *stub_prove(struct engine *e, enum proof_kind kind, const char *id, const char *name);
void assert_stub_proof(const struct outcome *o, const char *name, size_t partitions);

/* engine_submit that must succeed; the caller frees the id. */
char *stub_submit(struct engine *e, enum proof_kind kind, const char *id, const char *name, uint32_t priority);
struct outcome *stub_await(struct engine *e, const char *job_id);

static inline struct bytes text_bytes(const char *text)
{
    return (struct bytes){ (const uint8_t *)text, __builtin_strlen(text) };
}

#endif
