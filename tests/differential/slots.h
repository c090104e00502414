/* What a circuit's slots take, without the vanilla proof that it comes from: read from ID.slots, which make_witness
 * writes (three u64: integers, nodes, groups; then the integers; then the nodes), or random, for circuits of any size.
 * Random values satisfy nothing, but fill programs compute from them all the same. */
#ifndef CUZK_TESTS_DIFFERENTIAL_SLOTS_H
#define CUZK_TESTS_DIFFERENTIAL_SLOTS_H

#include "r1cs/assignment.h"

struct slot_set {
    struct assignment a;
    void *memory;
};

/* Both end the program when they fail. */
void slot_set_read(struct slot_set *out, const char *path);
void slot_set_random(struct slot_set *out, const struct circuit *c);
void slot_set_release(struct slot_set *s);

/* The first so many groups of it; the counts are the circuit's. */
struct assignment slot_set_first(const struct slot_set *s, const struct circuit *c, size_t groups);

cuzk_status slots_write(const char *path, const struct assignment *a, cuzk_error *err);

#endif
