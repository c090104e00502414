/* sample_porep: see sample.h. */
#include "hash/poseidon.h"
#include "vanilla/challenges.h"
#include "vanilla/graph.h"
#include "vanilla/identity.h"
#include "vanilla/label.h"
#include "vanilla/node.h"
#include "vanilla/path.h"
#include "vanilla/sample.h"
#include "vanilla/sample_source.h"
#include "vanilla/sparse_tree.h"
#include "vanilla/sum_tree.h"

#include <stdlib.h>

/* A sample under construction. */
struct work {
    struct c1 *c1;
    const struct sector_shape *shape;
    const struct registered_proof *proof;
    struct sample_source source;
    struct stacked_graph graph;
    struct pool *pool;
    struct sum_tree tree_d;
    struct sparse_tree tree_c, tree_r;
    size_t challenge_count; /* of all partitions */
    uint64_t *challenges;   /* in the order of the proof */
    uint64_t *sorted;       /* the same, ascending and distinct */
    size_t sorted_count;
    uint64_t *opened; /* challenges and parents, ascending and distinct: the leaves of TreeC */
    size_t opened_count;
    struct node *rows;    /* shape->layers labels for each of them; in the arena */
    struct node *columns; /* their hashes */
    struct node *encoded; /* of the sorted challenges: the leaves of TreeR */
};

static struct node *column_of(const struct work *w, uint64_t node)
{
    return w->rows + sparse_place(w->opened, w->opened_count, node) * w->shape->layers;
}

/* comm_d, and what follows from it: identity, challenges, graph. */
static cuzk_status make_data(struct work *w, cuzk_error *err)
{
    struct node leaves[SUM_TREE_SUMS], prover, value;
    struct sample_source data;
    uint8_t porep_id[32];
    sample_source_derive(&data, &w->source, "data", 0);
    for (unsigned i = 0; i < SUM_TREE_SUMS; i++) sample_value(&leaves[i], &data, i, 0);
    cuzk_status status = sum_tree_build(&w->tree_d, &w->shape->tree_d, SUM_TREE_SHA256, 0, leaves, NULL, err);
    if (status != CUZK_OK) return status;
    w->c1->comm_d = *sum_tree_root(&w->tree_d);
    sample_named(&value, &w->source, "ticket");
    memcpy(w->c1->ticket, value.b, sizeof value.b);
    sample_named(&value, &w->source, "seed");
    memcpy(w->c1->seed, value.b, sizeof value.b);
    prover_id_make(&prover, SAMPLE_MINER);
    porep_id_make(porep_id, w->proof->number, 0);
    replica_id_make(&w->c1->replica_id, &prover, SAMPLE_SECTOR, w->c1->ticket, &w->c1->comm_d, porep_id);
    graph_init(&w->graph, w->shape->nodes, porep_id, w->proof->api);
    return CUZK_OK;
}

/* The challenges and all nodes that have to be opened for them. */
static cuzk_status make_challenges(struct work *w, size_t partitions, cuzk_error *err)
{
    size_t n = w->shape->porep_challenges, all = partitions * n;
    w->challenge_count = all;
    w->challenges = calloc(all, sizeof *w->challenges);
    w->sorted = calloc(all, sizeof *w->sorted);
    w->opened = calloc(all * (1 + PARENTS), sizeof *w->opened);
    if (!w->challenges || !w->sorted || !w->opened) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu challenges", all);
    }
    struct porep_challenge_source source = { .mode = w->proof->mode,
                                             .nodes = w->shape->nodes,
                                             .replica_id = w->c1->replica_id };
    memcpy(source.seed, w->c1->seed, sizeof source.seed);
    for (size_t k = 0; k < partitions; k++) {
        porep_challenges(w->challenges + k * n, n, &source, (uint32_t)k);
    }
    for (size_t i = 0; i < all; i++) {
        w->sorted[i] = w->challenges[i];
        w->opened[i * (1 + PARENTS)] = w->challenges[i];
        graph_parents(w->opened + i * (1 + PARENTS) + 1, &w->graph, w->challenges[i]);
    }
    w->sorted_count = sparse_sort(w->sorted, all);
    w->opened_count = sparse_sort(w->opened, all * (1 + PARENTS));
    return CUZK_OK;
}

/* The label of a challenge in one layer, from its parents' rows. */
static void make_label(struct work *w, uint64_t node, unsigned layer)
{
    uint64_t parents[PARENTS];
    struct node labels[PARENTS];
    unsigned count = layer == 1 ? DRG_PARENTS : PARENTS;
    graph_parents(parents, &w->graph, node);
    for (unsigned p = 0; p < count; p++) {
        labels[p] = column_of(w, parents[p])[c1_label_source(layer, p).row];
    }
    label_make(&column_of(w, node)[layer - 1], &w->c1->replica_id, layer, node, labels, count);
}

static void hash_columns(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct work *w = context;
    unsigned layers = w->shape->layers;
    for (size_t i = begin; i < end; i++) {
        fr_t rows[MAX_LAYERS], hash;
        for (unsigned l = 0; l < layers; l++) node_to_fr(&rows[l], &w->rows[i * layers + l]);
        poseidon_node(&hash, layers, rows);
        node_from_fr(&w->columns[i], &hash);
    }
}

/* Columns: arbitrary, except for the challenges, whose labels are made in the order in which they depend on
 * each other: layer by layer, ascending within a layer. */
static cuzk_status make_columns(struct work *w, cuzk_error *err)
{
    struct sample_source columns;
    unsigned layers = w->shape->layers;
    w->rows = arena_take(w->c1->arena, w->opened_count * layers, sizeof *w->rows);
    w->columns = calloc(w->opened_count, sizeof *w->columns);
    w->encoded = calloc(w->sorted_count, sizeof *w->encoded);
    if (!w->rows || !w->columns || !w->encoded) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu columns", w->opened_count);
    }
    sample_source_derive(&columns, &w->source, "columns", 0);
    for (size_t i = 0; i < w->opened_count; i++) {
        for (unsigned l = 0; l < layers; l++) {
            sample_value(&w->rows[i * layers + l], &columns, w->opened[i], l + 1);
        }
    }
    for (unsigned layer = 1; layer <= layers; layer++) {
        for (size_t i = 0; i < w->sorted_count; i++) make_label(w, w->sorted[i], layer);
    }
    for (size_t i = 0; i < w->sorted_count; i++) {
        fr_t label, data;
        node_to_fr(&label, &column_of(w, w->sorted[i])[layers - 1]);
        node_to_fr(&data, sum_tree_leaf(&w->tree_d, w->sorted[i]));
        fr_add(&label, &label, &data);
        node_from_fr(&w->encoded[i], &label);
    }
    pool_for(w->pool, w->opened_count, 8, hash_columns, w);
    return CUZK_OK;
}

static cuzk_status make_trees(struct work *w, cuzk_error *err)
{
    struct sample_source source;
    sample_source_derive(&source, &w->source, "TreeC", 0);
    cuzk_status status = sparse_tree_build(&w->tree_c, &w->shape->tree_r, &source, w->opened, w->columns,
                                           w->opened_count, w->pool, err);
    if (status != CUZK_OK) return status;
    sample_source_derive(&source, &w->source, "TreeR", 0);
    status = sparse_tree_build(&w->tree_r, &w->shape->tree_r, &source, w->sorted, w->encoded, w->sorted_count,
                               w->pool, err);
    if (status != CUZK_OK) return status;
    w->c1->comm_c = *sparse_tree_root(&w->tree_c);
    w->c1->comm_r_last = *sparse_tree_root(&w->tree_r);
    comm_r_make(&w->c1->comm_r, &w->c1->comm_c, &w->c1->comm_r_last);
    return CUZK_OK;
}

/* An opening in TreeC or TreeR; NULL siblings without memory. */
static struct tree_path open_leaf(const struct work *w, const struct sparse_tree *tree, uint64_t index)
{
    struct node *siblings = arena_take(w->c1->arena, w->shape->tree_r.siblings, sizeof *siblings);
    if (siblings) sparse_tree_open(siblings, tree, index);
    return (struct tree_path){ index, siblings };
}

static bool fill_challenge(const struct work *w, uint64_t node, struct porep_challenge *c,
                           struct porep_claims *claims)
{
    uint64_t parents[PARENTS];
    struct node *path_d = arena_take(w->c1->arena, w->shape->tree_d.siblings, sizeof *path_d);
    if (!path_d) return false;
    sum_tree_open(path_d, &w->tree_d, node);
    c->node = node;
    c->data_leaf = *sum_tree_leaf(&w->tree_d, node);
    c->path_d = (struct tree_path){ node, path_d };
    c->path_r = open_leaf(w, &w->tree_r, node);
    c->path_c = open_leaf(w, &w->tree_c, node);
    claims->labels = column_of(w, node);
    claims->column = w->columns[sparse_place(w->opened, w->opened_count, node)];
    claims->replica = w->encoded[sparse_place(w->sorted, w->sorted_count, node)];
    bool done = c->path_r.siblings && c->path_c.siblings;
    graph_parents(parents, &w->graph, node);
    for (unsigned p = 0; done && p < PARENTS; p++) {
        c->parents[p].rows = column_of(w, parents[p]);
        c->parents[p].path = open_leaf(w, &w->tree_c, parents[p]);
        claims->parents[p] = w->columns[sparse_place(w->opened, w->opened_count, parents[p])];
        done = c->parents[p].path.siblings != NULL;
    }
    return done;
}

static cuzk_status fill_partitions(struct work *w, size_t partitions, cuzk_error *err)
{
    size_t n = w->shape->porep_challenges;
    for (size_t k = 0; k < partitions; k++) {
        cuzk_status status = c1_begin_partition(w->c1, err);
        if (status != CUZK_OK) return status;
        const struct c1_partition *p = &w->c1->partitions[k];
        for (size_t i = 0; i < n; i++) {
            if (!fill_challenge(w, w->challenges[k * n + i], &p->challenges[i], &p->claims[i])) {
                return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the openings");
            }
        }
    }
    return CUZK_OK;
}

cuzk_status sample_porep(struct c1 *out, struct arena *arena, const struct sample_options *options, struct pool *pool,
                         cuzk_error *err)
{
    *out = (struct c1){ 0 };
    c1_begin(out, options->shape, arena);
    struct work w = { .c1 = out, .shape = options->shape, .pool = pool };
    w.proof = sample_proof(PROOF_POREP, options->shape);
    size_t partitions = options->partitions ? options->partitions : options->shape->porep_partitions;
    sample_source_init(&w.source, options->seed);
    sample_source_derive(&w.source, &w.source, "porep", options->shape->bytes);
    cuzk_status status = make_data(&w, err);
    if (status == CUZK_OK) status = make_challenges(&w, partitions, err);
    if (status == CUZK_OK) status = make_columns(&w, err);
    if (status == CUZK_OK) status = make_trees(&w, err);
    if (status == CUZK_OK) status = fill_partitions(&w, partitions, err);
    sum_tree_free(&w.tree_d);
    sparse_tree_free(&w.tree_c);
    sparse_tree_free(&w.tree_r);
    free(w.challenges);
    free(w.sorted);
    free(w.opened);
    free(w.columns);
    free(w.encoded);
    return status;
}
