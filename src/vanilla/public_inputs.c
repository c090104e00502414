#include "vanilla/public_inputs.h"

#include "vanilla/challenges.h"
#include "vanilla/identity.h"
#include "vanilla/node.h"

enum { MAX_CHALLENGES = 18 }; /* of a PoRep partition */

static size_t post_slots(enum proof_kind kind, const struct sector_shape *shape)
{
    return kind == PROOF_WINNING ? WINNING_SLOTS : shape->window_sectors;
}

static size_t slot_challenges(enum proof_kind kind) { return kind == PROOF_WINNING ? 1 : POST_CHALLENGES; }

size_t public_inputs_count(enum proof_kind kind, const struct sector_shape *shape)
{
    switch (kind) {
    case PROOF_POREP: return 3 + (size_t)shape->porep_challenges * (PARENTS + 4);
    case PROOF_UPDATE: return 4;
    case PROOF_WINDOW:
    case PROOF_WINNING: return post_slots(kind, shape) * (1 + slot_challenges(kind));
    }
    return 0;
}

void statement_porep_challenges(uint64_t *out, const struct statement *s, size_t partition)
{
    struct porep_challenge_source source = {
        .mode = s->proof->mode, .nodes = s->shape->nodes, .replica_id = s->porep.replica_id, .comm_r = s->porep.comm_r
    };
    memcpy(source.seed, s->porep.seed, sizeof source.seed);
    porep_challenges(out, s->shape->porep_challenges, &source, (uint32_t)partition);
}

void statement_graph(struct stacked_graph *out, const struct statement *s)
{
    uint8_t porep_id[32];
    porep_id_make(porep_id, s->proof->number, 0);
    graph_init(out, s->shape->nodes, porep_id, s->proof->api);
}

/* Per challenge: its node, the parents, and the node three times more (trap 11 of spec §9). */
static void porep_inputs(fr_t *out, const struct statement *s, size_t partition)
{
    uint64_t challenges[MAX_CHALLENGES], parents[PARENTS];
    struct stacked_graph graph;
    statement_graph(&graph, s);
    statement_porep_challenges(challenges, s, partition);
    node_to_fr(out++, &s->porep.replica_id);
    node_to_fr(out++, &s->porep.comm_d);
    node_to_fr(out++, &s->porep.comm_r);
    for (size_t i = 0; i < s->shape->porep_challenges; i++) {
        graph_parents(parents, &graph, challenges[i]);
        fr_from_u64(out++, challenges[i]);
        for (size_t p = 0; p < PARENTS; p++) fr_from_u64(out++, parents[p]);
        for (size_t n = 0; n < 3; n++) fr_from_u64(out++, challenges[i]);
    }
}

/* The sector that stands in a slot of the circuit. Winning proves one sector in all 66 slots, each with a
 * challenge of its own; window repeats the last sector, challenges and all (spec §10). */
static size_t sector_in_slot(const struct statement *s, size_t slot)
{
    size_t last = s->post.sector_count - 1;
    return slot < last ? slot : last;
}

uint64_t statement_post_challenge(const struct statement *s, size_t slot, size_t n)
{
    size_t sector = sector_in_slot(s, slot);
    uint64_t counted = s->kind == PROOF_WINNING ? slot : sector;
    uint64_t first = (uint64_t)s->post.partition * post_slots(s->kind, s->shape);
    uint64_t index = post_challenge_index(s->proof->api, first + counted, slot_challenges(s->kind), n);
    return post_challenge(s->post.randomness.b, s->post.sectors[sector].number, index, s->shape->nodes);
}

static void post_inputs(fr_t *out, const struct statement *s)
{
    size_t slots = post_slots(s->kind, s->shape), challenges = slot_challenges(s->kind);
    size_t per_slot = 1 + challenges;
    for (size_t slot = 0; slot < slots; slot++, out += per_slot) {
        if (s->kind == PROOF_WINDOW && slot >= s->post.sector_count) {
            memcpy(out, out - per_slot, per_slot * sizeof *out);
            continue;
        }
        node_to_fr(out, &s->post.sectors[sector_in_slot(s, slot)].comm_r);
        for (size_t n = 0; n < challenges; n++) {
            fr_from_u64(&out[1 + n], statement_post_challenge(s, slot, n));
        }
    }
}

void statement_update_challenges(uint64_t *out, const struct statement *s, size_t partition)
{
    update_challenges(out, s->shape->update_challenges, &s->update.comm_r_new, s->shape->node_bits,
                      update_partition_bits(s->shape), (uint32_t)partition);
}

static void update_inputs(fr_t *out, const struct statement *s, size_t partition)
{
    uint64_t h_select = s->shape->update_h_select;
    fr_from_u64(&out[0], partition | h_select << update_partition_bits(s->shape));
    node_to_fr(&out[1], &s->update.comm_r_old);
    node_to_fr(&out[2], &s->update.comm_d_new);
    node_to_fr(&out[3], &s->update.comm_r_new);
}

void public_inputs(fr_t *out, const struct statement *s, size_t partition)
{
    switch (s->kind) {
    case PROOF_POREP: porep_inputs(out, s, partition); break;
    case PROOF_UPDATE: update_inputs(out, s, partition); break;
    case PROOF_WINDOW:
    case PROOF_WINNING: post_inputs(out, s); break;
    }
}
