/* A budget of bytes that large regions are charged to before they are allocated and credited to when they are really
 * gone.
 *
 * Charging never waits but in budget_wait. Waiters are served in order of arrival only in so far as each looks again
 * whenever something was credited: the scheduler decides who may ask, not the budget. A credit of more than was
 * charged is a bug: an assertion in debug builds, in release counted, logged by the owner, and the counter stays at
 * 0.
 *
 * Thread-safe.
 */
#ifndef CUZK_ENGINE_BUDGET_H
#define CUZK_ENGINE_BUDGET_H

#include "base/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct budget {
    const char *name; /* for messages: "host memory" */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t limit, used, peak;
    uint64_t errors;                  /* credits that were too large */
    uint64_t credits;                 /* how often something was credited; tells waiters that it changed */
    void (*on_credit)(void *context); /* called after each credit, without the lock */
    void *context;
};

struct budget_state {
    uint64_t limit, used, peak, errors;
};

void budget_create(struct budget *b, const char *name, uint64_t limit);
void budget_destroy(struct budget *b);

/* Before anything is charged. */
void budget_notify(struct budget *b, void (*on_credit)(void *context), void *context);

/* True if it was charged. Zero bytes always fit. */
bool budget_try(struct budget *b, uint64_t bytes);

/* Charges whatever the limit says: for what exists already. */
void budget_force(struct budget *b, uint64_t bytes);

void budget_credit(struct budget *b, uint64_t bytes);

/* Could it ever fit? CUZK_ERR_RESOURCE with both numbers if not; `what` says what needs it. */
cuzk_status budget_possible(struct budget *b, uint64_t bytes, const char *what, cuzk_error *err);

/* Waits until it is charged. Gives up with CUZK_ERR_RESOURCE when clock_now() reaches `until` (0: never), with
 * CUZK_ERR_CANCELLED once *cancelled is seen set: set it, then call budget_wake. At once if it can never fit. */
cuzk_status budget_wait(struct budget *b, uint64_t bytes, uint64_t until, const bool *cancelled, const char *what,
                        cuzk_error *err);
void budget_wake(struct budget *b);

/* A lower limit than what is used refuses new charges until enough was credited. */
void budget_set_limit(struct budget *b, uint64_t limit);
void budget_state(struct budget *b, struct budget_state *out);

#endif
