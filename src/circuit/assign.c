#include "circuit/assign.h"

#include <stdlib.h>
#include <string.h>

cuzk_status slots_create(struct slots *out, const struct circuit *c, cuzk_error *err)
{
    *out = (struct slots){ .int_capacity = c->slot_ints, .node_capacity = c->slot_nodes };
    out->ints = malloc((c->slot_ints + (size_t)1) * sizeof *out->ints);
    out->nodes = malloc((c->slot_nodes + (size_t)1) * sizeof *out->nodes);
    if (out->ints && out->nodes) return CUZK_OK;
    slots_free(out);
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %u input slots", c->slot_nodes);
}

void slots_free(struct slots *s)
{
    free(s->ints);
    free(s->nodes);
    *s = (struct slots){ 0 };
}

void slot_int(struct slots *s, uint64_t v)
{
    if (s->int_count < s->int_capacity) s->ints[s->int_count] = v;
    s->int_count++;
}

void slot_nodes(struct slots *s, const struct node *n, size_t count)
{
    size_t room = s->node_count < s->node_capacity ? s->node_capacity - s->node_count : 0;
    if (room > 0) memcpy(s->nodes[s->node_count], n, (count < room ? count : room) * sizeof *n);
    s->node_count += count;
}

void slot_node(struct slots *s, const struct node *n) { slot_nodes(s, n, 1); }

void slot_path(struct slots *s, const struct tree_shape *tree, const struct tree_path *path)
{
    uint64_t index = path->index;
    for (unsigned i = 0; i < tree->levels; i++) {
        slot_int(s, index % tree->arity[i]);
        index /= tree->arity[i];
    }
    slot_nodes(s, path->siblings, tree->siblings);
}
