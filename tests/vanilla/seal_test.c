/* A 2 KiB sector sealed here, so that every way of drawing challenges and both graphs meet the check: V1, V1_1,
 * synthetic and non-interactive PoRep. */
#include "fixture.h"
#include "hash/poseidon.h"
#include "vanilla/c1_json.h"
#include "vanilla/c1_write.h"
#include "vanilla/challenges.h"
#include "vanilla/identity.h"
#include "vanilla/label.h"
#include "vanilla/node.h"
#include "vanilla/path.h"
#include "vanilla/sparse_tree.h"
#include "vanilla/sum_tree.h"

#include <stdio.h>
#include <unistd.h>

enum { NODES = 64, LAYERS = 2 };

/* A sealed sector: everything that its vanilla proof is taken from. */
struct sealed {
    const struct registered_proof *proof;
    const struct sector_shape *shape;
    struct stacked_graph graph;
    struct node labels[LAYERS][NODES];
    struct node rows[NODES][LAYERS]; /* the same by node */
    struct node columns[NODES], encoded[NODES];
    struct sum_tree tree_d;
    struct sparse_tree tree_c, tree_r;
    struct c1 c1;
    struct arena arena;
};

static void seal_nodes(struct sealed *s)
{
    for (uint64_t v = 0; v < NODES; v++) {
        fr_t rows[LAYERS], value, data;
        for (unsigned l = 0; l < LAYERS; l++) {
            s->rows[v][l] = s->labels[l][v];
            node_to_fr(&rows[l], &s->labels[l][v]);
        }
        poseidon_node(&value, LAYERS, rows);
        node_from_fr(&s->columns[v], &value);
        node_to_fr(&data, sum_tree_leaf(&s->tree_d, v));
        fr_add(&value, &rows[LAYERS - 1], &data);
        node_from_fr(&s->encoded[v], &value);
    }
}

static void seal(struct sealed *s, uint32_t number)
{
    struct node data[SUM_TREE_SUMS] = { { { 1 } }, { { 2 } }, { { 3 } } }, prover;
    uint8_t porep_id[32];
    uint64_t positions[NODES];
    struct sample_source source;
    s->proof = registered_by_number(PROOF_POREP, number);
    s->shape = registered_shape(s->proof);
    assert_int_equal(s->shape->nodes, NODES);
    c1_begin(&s->c1, s->shape, &s->arena);
    memset(s->c1.ticket, 0xf7, 32);
    memset(s->c1.seed, 0xf1, 32);
    assert_int_equal(sum_tree_build(&s->tree_d, &s->shape->tree_d, SUM_TREE_SHA256, 0, data, NULL, NULL), CUZK_OK);
    s->c1.comm_d = *sum_tree_root(&s->tree_d);
    prover_id_make(&prover, 1000);
    porep_id_make(porep_id, number, 0);
    replica_id_make(&s->c1.replica_id, &prover, 7, s->c1.ticket, &s->c1.comm_d, porep_id);
    graph_init(&s->graph, NODES, porep_id, s->proof->api);
    labels_make(s->labels[0], &s->graph, &s->c1.replica_id, LAYERS);
    seal_nodes(s);
    for (uint64_t v = 0; v < NODES; v++) positions[v] = v;
    sample_source_init(&source, "");
    assert_int_equal(
        sparse_tree_build(&s->tree_c, &s->shape->tree_r, &source, positions, s->columns, NODES, NULL, NULL), CUZK_OK);
    assert_int_equal(
        sparse_tree_build(&s->tree_r, &s->shape->tree_r, &source, positions, s->encoded, NODES, NULL, NULL), CUZK_OK);
    s->c1.comm_c = *sparse_tree_root(&s->tree_c);
    s->c1.comm_r_last = *sparse_tree_root(&s->tree_r);
    comm_r_make(&s->c1.comm_r, &s->c1.comm_c, &s->c1.comm_r_last);
}

static struct tree_path open_leaf(struct sealed *s, const struct sparse_tree *tree, uint64_t index)
{
    struct node *siblings = arena_take(&s->arena, s->shape->tree_r.siblings, sizeof *siblings);
    sparse_tree_open(siblings, tree, index);
    return (struct tree_path){ index, siblings };
}

static void prove_challenge(struct sealed *s, uint64_t node, struct porep_challenge *c, struct porep_claims *claims)
{
    uint64_t parents[PARENTS];
    struct node *path_d = arena_take(&s->arena, s->shape->tree_d.siblings, sizeof *path_d);
    sum_tree_open(path_d, &s->tree_d, node);
    c->node = node;
    c->data_leaf = *sum_tree_leaf(&s->tree_d, node);
    c->path_d = (struct tree_path){ node, path_d };
    c->path_r = open_leaf(s, &s->tree_r, node);
    c->path_c = open_leaf(s, &s->tree_c, node);
    claims->labels = s->rows[node];
    claims->column = s->columns[node];
    claims->replica = s->encoded[node];
    graph_parents(parents, &s->graph, node);
    for (unsigned p = 0; p < PARENTS; p++) {
        c->parents[p] = (struct porep_column){ s->rows[parents[p]], open_leaf(s, &s->tree_c, parents[p]) };
        claims->parents[p] = s->columns[parents[p]];
    }
}

/* The whole C1 output, as a file. */
static struct bytes prove(struct sealed *s, const char *path)
{
    size_t n = s->shape->porep_challenges;
    bool ni = s->proof->mode == POREP_NON_INTERACTIVE;
    struct porep_challenge_source source = {
        .mode = s->proof->mode, .nodes = NODES, .replica_id = s->c1.replica_id, .comm_r = s->c1.comm_r
    };
    memcpy(source.seed, s->c1.seed, 32);
    for (uint32_t k = 0; k < (ni ? s->shape->ni_partitions : s->shape->porep_partitions); k++) {
        uint64_t challenges[18];
        assert_int_equal(c1_begin_partition(&s->c1, NULL), CUZK_OK);
        porep_challenges(challenges, n, &source, k);
        for (size_t i = 0; i < n; i++) {
            prove_challenge(s, challenges[i], &s->c1.partitions[k].challenges[i], &s->c1.partitions[k].claims[i]);
        }
    }
    struct file_writer w;
    uint8_t *data;
    size_t size;
    assert_int_equal(file_writer_open(&w, path, NULL), CUZK_OK);
    assert_int_equal(c1_write_json(&w, &s->c1, s->proof, NULL), CUZK_OK);
    assert_int_equal(file_writer_commit(&w, true, NULL), CUZK_OK);
    assert_int_equal(file_read(&data, &size, path, 1 << 24, NULL), CUZK_OK);
    return (struct bytes){ data, size };
}

static void seal_and_check(uint32_t number, size_t partitions)
{
    char path[] = "/tmp/cuzk-seal-XXXXXX";
    struct sealed *s = calloc(1, sizeof *s);
    int fd = mkstemp(path);
    assert_true(s && fd >= 0);
    close(fd);
    seal(s, number);
    struct bytes c1 = prove(s, path);
    unlink(path);
    struct request r = { .kind = PROOF_POREP,
                         .registered_proof = number,
                         .miner_id = 1000,
                         .sector_number = 7,
                         .has_sector_number = true,
                         .vanilla_proof = c1 };
    struct vanilla_job *job;
    cuzk_error err = { "" };
    if (vanilla_parse(&job, &r, &err) != CUZK_OK) fail_msg("%u: %s", number, err.detail);
    if (vanilla_check(job, NULL, &err) != CUZK_OK) fail_msg("%u: %s", number, err.detail);
    assert_int_equal(job->partition_count, partitions);
    assert_int_equal(job->input_count, partitions);
    assert_int_equal(job->aggregated, number == 15);
    vanilla_job_free(job);
    r.one_partition = true;
    r.partition = (uint32_t)partitions - 1;
    assert_int_equal(parse_and_check(&r, NULL), CUZK_OK);
    /* The same proof under another seed or type: other challenges, another graph. */
    r.one_partition = false;
    uint8_t *seed = (uint8_t *)strstr((char *)(uintptr_t)c1.data, "\"seed\":[241,241");
    memcpy(seed, "\"seed\":[241,242", 15);
    if (number == 15)
        assert_int_equal(parse_and_check(&r, NULL), CUZK_OK); /* has no seed */
    else
        assert_refused(&r, "labeling_proofs[0].node: leaf ");
    free((void *)(uintptr_t)c1.data);
    sum_tree_free(&s->tree_d);
    sparse_tree_free(&s->tree_c);
    sparse_tree_free(&s->tree_r);
    arena_release(&s->arena);
    free(s);
}

static void vanilla_check__accepts_every_registered_proof(void **state)
{
    (void)state;
    seal_and_check(0, 1);
    seal_and_check(5, 1);
    seal_and_check(10, 1);
    seal_and_check(15, 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = { test(vanilla_check__accepts_every_registered_proof) };
    return run_tests(tests);
}
