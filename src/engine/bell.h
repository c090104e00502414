/* A bell: threads that look for work sleep on it, anyone rings it.
 *
 *     seen = bell_now(&bell); … look for work, find none … bell_wait(&bell, seen, until);
 *
 * A ring between bell_now and bell_wait is not lost. Ringing takes no lock but the bell's own, for an instant.
 */
#ifndef CUZK_ENGINE_BELL_H
#define CUZK_ENGINE_BELL_H

#include <pthread.h>
#include <stdint.h>

struct bell {
    pthread_mutex_t lock;
    pthread_cond_t rung;
    uint64_t rings;
};

void bell_create(struct bell *b);
void bell_destroy(struct bell *b);
void bell_ring(struct bell *b);
uint64_t bell_now(struct bell *b);

/* Until it has rung since `seen`, or clock_now() reaches `until` (0: never). */
void bell_wait(struct bell *b, uint64_t seen, uint64_t until);

#endif
