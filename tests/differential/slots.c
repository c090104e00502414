#include "slots.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 3 * sizeof(uint64_t) };

static uint64_t *allocate(struct slot_set *out, size_t ints, size_t nodes, size_t groups)
{
    size_t bytes = HEADER + ints * sizeof(uint64_t) + nodes * 32;
    uint64_t *header = out->memory = malloc(bytes);
    if (!header) {
        fprintf(stderr, "no memory for %zu bytes of slots\n", bytes);
        exit(1);
    }
    out->a = (struct assignment){ .ints = header + 3, .int_count = ints,
                                  .nodes = (const uint8_t(*)[32])(header + 3 + ints), .node_count = nodes,
                                  .groups = groups };
    return header;
}

void slot_set_read(struct slot_set *out, const char *path)
{
    struct mapping map;
    cuzk_error err = { "" };
    uint64_t header[3] = { 0 };
    bool good = mapping_open(&map, path, &err) == CUZK_OK && map.size >= HEADER;
    if (good) memcpy(header, map.data, HEADER);
    good = good && header[0] < map.size && header[1] < map.size;
    if (!good || map.size != HEADER + header[0] * sizeof(uint64_t) + header[1] * 32) {
        fprintf(stderr, "%s: no file of slots: %s\n", path, err.detail);
        exit(1);
    }
    memcpy(allocate(out, header[0], header[1], header[2]), map.data, map.size);
    mapping_close(&map);
}

cuzk_status slots_write(const char *path, const struct assignment *a, cuzk_error *err)
{
    struct slot_set s;
    uint64_t *header = allocate(&s, a->int_count, a->node_count, a->groups);
    header[0] = a->int_count;
    header[1] = a->node_count;
    header[2] = a->groups;
    if (a->int_count) memcpy(header + 3, a->ints, a->int_count * sizeof *a->ints);
    if (a->node_count) memcpy(header + 3 + a->int_count, a->nodes, a->node_count * 32);
    cuzk_status status =
        file_write(path, s.memory, HEADER + a->int_count * sizeof(uint64_t) + a->node_count * 32, true, err);
    slot_set_release(&s);
    return status;
}

static uint64_t random_u64(void)
{
    static uint64_t state = 0x243f6a8885a308d3;
    uint64_t z = state += 0x9e3779b97f4a7c15; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void slot_set_random(struct slot_set *out, const struct circuit *c)
{
    uint64_t *at = allocate(out, c->slot_ints, c->slot_nodes, c->group_count - 1) + 3;
    for (size_t n = 0; n < c->instance_count; n++) {
        const struct program *p = &c->templates[c->instances[n].template]->program;
        for (size_t k = 0; k < p->length; k++) {
            if (p->code[k].op == OP_WORD_SLOT) *at++ = random_u64() >> (64 - p->code[k].k);
        }
    }
    for (size_t i = 0; i < 4 * (size_t)c->slot_nodes; i++) *at++ = random_u64() >> (i % 4 == 3 ? 2 : 0);
}

void slot_set_release(struct slot_set *s)
{
    free(s->memory);
    *s = (struct slot_set){ 0 };
}

struct assignment slot_set_first(const struct slot_set *s, const struct circuit *c, size_t groups)
{
    struct assignment a = s->a;
    struct instance end = circuit_group_start(c, 1 + groups);
    a.groups = groups;
    a.int_count = end.int_base;
    a.node_count = end.node_base;
    return a;
}
