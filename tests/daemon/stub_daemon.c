/* cuzkd over the engine's stub steps: everything is real but the mathematics. It takes the options of cuzkd, and
 * orders on standard input, one a line, each answered with "ok":
 *
 *     hold | release       proofs of partitions wait, or go on
 *     step N               lets N of them pass
 *     hold-load | release-load
 *     bad MASK             devices that make wrong proofs
 *     break                all devices are lost for good
 *     partitions KIND N    how many a job of this kind has
 *     srs BYTES            what parameters take
 *
 * The end of the input changes nothing.
 */
#include "daemon/daemon.h"
#include "engine/stub.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void obey(struct stub *s, const char *order)
{
    unsigned a, b;
    uint64_t bytes;
    if (sscanf(order, "step %u", &a) == 1) {
        stub_step(s, a);
        return;
    }
    stub_lock(s);
    if (strcmp(order, "hold\n") == 0) s->hold_prove = true;
    if (strcmp(order, "release\n") == 0) s->hold_prove = false;
    if (strcmp(order, "hold-load\n") == 0) s->hold_load = true;
    if (strcmp(order, "release-load\n") == 0) s->hold_load = false;
    if (sscanf(order, "bad %u", &a) == 1) s->bad_devices = a;
    if (strcmp(order, "break\n") == 0) {
        for (size_t d = 0; d < s->devices; d++) s->broken[d] = true;
        s->hold_repair = true;
    }
    if (sscanf(order, "partitions %u %u", &a, &b) == 2 && a >= 1 && a <= 4) s->partitions[a] = b;
    if (sscanf(order, "srs %" SCNu64, &bytes) == 1) s->needs.srs = bytes;
    stub_unlock(s);
}

static void *orders_main(void *context)
{
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        obey(context, line);
        puts("ok");
        fflush(stdout);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static struct stub stub;
    struct steps steps;
    pthread_t thread;
    sigset_t all, before;
    stub_create(&stub);
    const char *devices = getenv("STUB_DEVICES");
    if (devices) stub.devices = (size_t)atoi(devices);
    stub_steps(&steps, &stub);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (pthread_create(&thread, NULL, orders_main, &stub) != 0) return 1;
    pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return daemon_main(argc, argv, &steps);
}
