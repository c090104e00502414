#include "circuit/assign.h"

#include <string.h>

void slots_begin(struct slots *out, struct witness *w)
{
    const struct circuit *c = w->circuit;
    *out = (struct slots){ .int_capacity = c->slot_ints, .node_capacity = c->slot_nodes };
    out->ints = (uint64_t *)w->given.ints;
    out->nodes = (uint8_t(*)[32])w->given.nodes;
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
