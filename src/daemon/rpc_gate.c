#include "daemon/rpc_gate.h"

#include "base/clock.h"
#include "daemon/rpc_call.h"

#include <malloc.h>
#include <stdlib.h>

struct rpc_gate {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    bool stop;

    uint64_t unit;                           /* charged for a message that is on its way */
    unsigned limit, reading;                 /* without those that are set aside */
    bool trim;                               /* large messages were freed */
    struct rpc_call *waiting, **waiting_end; /* oldest first */
    struct rpc_call *readers;                /* newest first */

    bool (*charge)(void *memory, uint64_t bytes);
    void (*credit)(void *memory, uint64_t bytes);
    void *memory;
};

static void gate_credit(struct rpc_gate *g, struct rpc_call *call, uint64_t keep)
{
    if (call->charged <= keep) return;
    g->credit(g->memory, call->charged - keep);
    call->charged = keep;
}

/* Room for one more? Charges it. */
static bool gate_take(struct rpc_gate *g, struct rpc_call *call)
{
    if (g->reading >= g->limit) return false;
    if (g->charge) {
        if (g->charge(g->memory, g->unit)) {
            call->charged = g->unit;
        } else if (g->reading > 0) {
            return false;
        }
    }
    g->reading++;
    call->set_aside = false;
    call->stage = RPC_READING;
    call->stage_since = clock_now();
    call->gate_next = g->readers;
    g->readers = call;
    return true;
}

static void list_remove(struct rpc_call **list, struct rpc_call *call)
{
    while (*list && *list != call) list = &(*list)->gate_next;
    if (*list) *list = call->gate_next;
}

static void waiting_push(struct rpc_gate *g, struct rpc_call *call)
{
    call->stage = RPC_WAITING;
    call->gate_next = NULL;
    *g->waiting_end = call;
    g->waiting_end = &call->gate_next;
}

static struct rpc_call *waiting_pop(struct rpc_gate *g)
{
    struct rpc_call *call = g->waiting;
    g->waiting = call->gate_next;
    if (!g->waiting) g->waiting_end = &g->waiting;
    return call;
}

/* Lets in whoever fits; returns them as a list, to be started without the lock. */
static struct rpc_call *gate_admit(struct rpc_gate *g)
{
    struct rpc_call *admitted = NULL;
    while (g->waiting) {
        struct rpc_call *call = waiting_pop(g);
        if (!gate_take(g, call)) {
            if (!g->waiting) g->waiting_end = &call->gate_next;
            call->gate_next = g->waiting;
            g->waiting = call;
            break;
        }
        call->pool_next = admitted;
        admitted = call;
    }
    return admitted;
}

static void start_all(struct rpc_call *list)
{
    while (list) {
        struct rpc_call *call = list;
        list = call->pool_next;
        rpc_call_read(call);
    }
}

/* Those that have taken long while others wait. */
static void look_at_slow(struct rpc_gate *g)
{
    uint64_t now = clock_now();
    for (struct rpc_call *call = g->readers; call && g->waiting; call = call->gate_next) {
        uint64_t age = now - call->stage_since;
        if (age >= RPC_GATE_ASIDE_MS * CLOCK_MS && !call->set_aside) {
            call->set_aside = true;
            g->reading--;
            gate_credit(g, call, 0); /* its place is the next one's now */
        }
        if (age >= RPC_GATE_PATIENCE_MS * CLOCK_MS) {
            grpc_call_cancel_with_status(call->call, GRPC_STATUS_RESOURCE_EXHAUSTED,
                                         "the upload was too slow while others waited", NULL);
        }
    }
}

/* The budget may have room again without this gate hearing of it, and clients may stall. */
static void gate_tick(struct rpc_gate *g)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += RPC_GATE_TICK_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&g->wake, &g->lock, &until);
    look_at_slow(g);
    struct rpc_call *admitted = gate_admit(g);
    pthread_mutex_unlock(&g->lock);
    start_all(admitted);
    pthread_mutex_lock(&g->lock);
}

static void *gate_main(void *context)
{
    struct rpc_gate *g = context;
    pthread_mutex_lock(&g->lock);
    while (!g->stop) {
        if (g->waiting) {
            gate_tick(g);
        } else if (g->trim) {
            g->trim = false;
            pthread_mutex_unlock(&g->lock);
            malloc_trim(0);
            pthread_mutex_lock(&g->lock);
        } else {
            pthread_cond_wait(&g->wake, &g->lock);
        }
    }
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

cuzk_status rpc_gate_create(struct rpc_gate **out, const struct rpc_options *options, uint64_t upload_limit,
                            cuzk_error *err)
{
    struct rpc_gate *g = *out = calloc(1, sizeof *g);
    if (!g) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->wake, NULL);
    g->waiting_end = &g->waiting;
    g->unit = options->max_message / RPC_GATE_SHARE;
    uint64_t limit = upload_limit / g->unit;
    g->limit = limit < 1 ? 1 : limit > 256 ? 256 : (unsigned)limit;
    g->charge = options->charge;
    g->credit = options->credit;
    g->memory = options->memory;
    if (pthread_create(&g->thread, NULL, gate_main, g) != 0) {
        free(g);
        *out = NULL;
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "cannot start a thread");
    }
    return CUZK_OK;
}

void rpc_gate_destroy(struct rpc_gate *g)
{
    if (!g) return;
    pthread_mutex_lock(&g->lock);
    g->stop = true;
    pthread_cond_signal(&g->wake);
    pthread_mutex_unlock(&g->lock);
    pthread_join(g->thread, NULL);
    pthread_mutex_destroy(&g->lock);
    pthread_cond_destroy(&g->wake);
    free(g);
}

void rpc_gate_enter(struct rpc_gate *g, struct rpc_call *call)
{
    pthread_mutex_lock(&g->lock);
    bool now = !g->waiting && gate_take(g, call);
    if (!now) {
        waiting_push(g, call);
        pthread_cond_signal(&g->wake);
    }
    pthread_mutex_unlock(&g->lock);
    if (now) rpc_call_read(call);
}

void rpc_gate_arrived(struct rpc_gate *g, struct rpc_call *call, uint64_t bytes)
{
    pthread_mutex_lock(&g->lock);
    list_remove(&g->readers, call);
    if (!call->set_aside) g->reading--;
    call->stage = RPC_READ;
    if (g->charge && bytes > call->charged && g->charge(g->memory, bytes - call->charged)) call->charged = bytes;
    gate_credit(g, call, bytes);
    struct rpc_call *admitted = gate_admit(g);
    pthread_mutex_unlock(&g->lock);
    start_all(admitted);
}

void rpc_gate_leave(struct rpc_gate *g, struct rpc_call *call, bool large)
{
    pthread_mutex_lock(&g->lock);
    gate_credit(g, call, 0);
    struct rpc_call *admitted = gate_admit(g);
    if (large) {
        g->trim = true;
        pthread_cond_signal(&g->wake);
    }
    pthread_mutex_unlock(&g->lock);
    start_all(admitted);
}

bool rpc_gate_abandon(struct rpc_gate *g, struct rpc_call *call)
{
    pthread_mutex_lock(&g->lock);
    bool waited = call->stage == RPC_WAITING;
    if (waited) {
        list_remove(&g->waiting, call);
        g->waiting_end = &g->waiting;
        while (*g->waiting_end) g->waiting_end = &(*g->waiting_end)->gate_next;
        call->stage = RPC_READ;
    }
    pthread_mutex_unlock(&g->lock);
    return waited;
}
