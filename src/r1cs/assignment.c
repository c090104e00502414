#include "r1cs/assignment.h"

#include <string.h>

struct instance circuit_group_start(const struct circuit *c, size_t group)
{
    uint32_t at = c->groups[group];
    if (at < c->instance_count) return c->instances[at];
    return (struct instance){ .public_base = c->inputs, .bit_base = c->bits, .wide_base = c->wides,
                              .int_base = c->slot_ints, .node_base = c->slot_nodes };
}

static bool same_shape(const struct circuit *c, size_t g, size_t h)
{
    uint32_t n = c->groups[g + 1] - c->groups[g];
    if (c->groups[h + 1] - c->groups[h] != n) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (c->instances[c->groups[g] + i].template != c->instances[c->groups[h] + i].template) return false;
    }
    return true;
}

cuzk_status assignment_check_counts(const struct assignment *a, const struct circuit *c, cuzk_error *err)
{
    size_t given = 1 + a->groups;
    if (given > c->group_count || (c->group_count > 1 && a->groups == 0)) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "inputs of %zu groups, the circuit has %zu", a->groups,
                         c->group_count - 1);
    }
    for (size_t g = given; g < c->group_count; g++) {
        if (!same_shape(c, given - 1, g)) {
            return cuzk_fail(err, CUZK_ERR_USAGE, "inputs of %zu groups, and group %zu is not like the last",
                             a->groups, g);
        }
    }
    struct instance end = circuit_group_start(c, given);
    if (a->int_count != end.int_base || a->node_count != end.node_base) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "%zu integers and %zu nodes given, %u and %u expected", a->int_count,
                         a->node_count, end.int_base, end.node_base);
    }
    return CUZK_OK;
}

cuzk_status assignment_int_error(const struct assignment *a, uint32_t slot, unsigned width, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_DATA, "integer slot %u: %llu does not fit %u bits", slot,
                     (unsigned long long)a->ints[slot], width);
}

cuzk_status assignment_node_error(uint32_t slot, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_DATA, "node slot %u: not a canonical field element", slot);
}

static bool is_canonical(const uint8_t node[32])
{
    uint64_t limb[4];
    memcpy(limb, node, sizeof limb); /* little-endian, as every machine that this runs on */
    for (int i = 3; i >= 0; i--) {
        if (limb[i] != FR_MODULUS[i]) return limb[i] < FR_MODULUS[i];
    }
    return false;
}

/* The first bad slot of an instance; CUZK_OK without one. */
static cuzk_status check_instance(const struct assignment *a, const struct circuit *c, const struct instance *i,
                                  cuzk_error *err)
{
    const struct template *t = c->templates[i->template];
    uint32_t int_at = i->int_base, node_at = i->node_base;
    if (t->slot_ints == 0 && t->slot_nodes == 0) return CUZK_OK;
    for (size_t k = 0; k < t->program.length; k++) {
        const struct instruction *in = &t->program.code[k];
        if (in->op == OP_WORD_SLOT) {
            uint32_t slot = int_at++;
            if (in->k < 64 && a->ints[slot] >> in->k) return assignment_int_error(a, slot, in->k, err);
        } else if (in->op == OP_NUM_SLOT) {
            uint32_t slot = node_at++;
            if (!is_canonical(a->nodes[slot])) return assignment_node_error(slot, err);
        }
    }
    return CUZK_OK;
}

struct slot_check {
    const struct assignment *a;
    const struct circuit *c;
    size_t bad; /* the first instance with a bad slot */
};

static void check_instances(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct slot_check *check = context;
    for (size_t n = begin; n < end; n++) {
        if (check_instance(check->a, check->c, &check->c->instances[n], NULL) == CUZK_OK) continue;
        size_t bad = __atomic_load_n(&check->bad, __ATOMIC_RELAXED);
        while (n < bad && !__atomic_compare_exchange_n(&check->bad, &bad, n, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {}
        return;
    }
}

cuzk_status assignment_check_slots(const struct assignment *a, const struct circuit *c, struct pool *pool,
                                   cuzk_error *err)
{
    enum { GRAIN = 1024 };
    size_t count = c->groups[1 + a->groups];
    struct slot_check check = { a, c, count };
    pool_for(pool, count, GRAIN, check_instances, &check);
    return check.bad == count ? CUZK_OK : check_instance(a, c, &c->instances[check.bad], err);
}
