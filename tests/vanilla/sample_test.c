/* Samples are valid and stable, and the writers invert the readers. */
#include "fixture.h"
#include "hash/sha256.h"
#include "vanilla/bincode_write.h"
#include "vanilla/c1_json.h"
#include "vanilla/c1_write.h"
#include "vanilla/node.h"
#include "vanilla/path.h"
#include "vanilla/public_inputs.h"
#include "vanilla/sample.h"
#include "vanilla/sparse_tree.h"
#include "vanilla/sum_tree.h"
#include "vanilla/update_bincode.h"

#include <stdio.h>
#include <unistd.h>

/* A folder of its own for every test program that runs. */
static char folder[] = "/tmp/cuzk-sample-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static struct bytes sample_file(const char *name)
{
    uint8_t *data = NULL;
    size_t size = 0;
    cuzk_error err = { "" };
    char *path = path_join(folder, name);
    if (file_read(&data, &size, path, 1 << 26, &err) != CUZK_OK) fail_msg("%s", err.detail);
    unlink(path);
    free(path);
    return (struct bytes){ data, size };
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void free_bytes(struct bytes b) { free((void *)(uintptr_t)b.data); }

/* ---- the writers ---- */

static void c1_write_json__gives_filecoins_bytes(void **state)
{
    (void)state;
    struct bytes original = data_file("sealed-2kib/porep-s42.c1.json");
    struct arena arena = { 0 };
    struct c1 *c1 = arena_take(&arena, 1, sizeof *c1);
    const struct registered_proof *version;
    assert_int_equal(c1_json(c1, &version, &arena, original, NULL), CUZK_OK);
    struct file_writer w;
    char *path = path_join(folder, "c1.json");
    assert_int_equal(file_writer_open(&w, path, NULL), CUZK_OK);
    assert_int_equal(c1_write_json(&w, c1, version, NULL), CUZK_OK);
    assert_int_equal(file_writer_commit(&w, true, NULL), CUZK_OK);
    free(path);
    struct bytes written = sample_file("c1.json");
    assert_int_equal(written.size, original.size);
    assert_memory_equal(written.data, original.data, original.size);
    free_bytes(written);
    free_bytes(original);
    arena_release(&arena);
}

static void assert_rewritten(struct bytes original)
{
    struct bytes written = sample_file("rewritten");
    assert_int_equal(written.size, original.size);
    assert_memory_equal(written.data, original.data, original.size);
    free_bytes(written);
    free_bytes(original);
}

static void bincode_write__gives_filecoins_bytes(void **state)
{
    (void)state;
    const struct sector_shape *small = sector_shape_by_id("2k"), *large = sector_shape_by_id("32g");
    struct arena arena = { 0 };
    struct post_sector sector;
    struct update_input update;
    struct file_writer w;
    char *path = path_join(folder, "rewritten");
    for (int i = 0; i < 2; i++) {
        struct bytes original = data_file(i ? "real/window-post-32gib.vproof" : "sealed-2kib/window-42.vproof");
        const struct sector_shape *shape = i ? large : small;
        assert_int_equal(post_bincode(&sector, &arena, shape, 10, original, NULL), CUZK_OK);
        assert_int_equal(file_writer_open(&w, path, NULL), CUZK_OK);
        assert_int_equal(post_write_bincode(&w, shape, &sector, NULL), CUZK_OK);
        assert_int_equal(file_writer_commit(&w, true, NULL), CUZK_OK);
        assert_rewritten(original);
    }
    struct bytes original = data_file("sealed-2kib/update-42.part0.vproof");
    assert_int_equal(update_bincode(&update, &arena, small, original, NULL), CUZK_OK);
    assert_int_equal(file_writer_open(&w, path, NULL), CUZK_OK);
    assert_int_equal(update_write_bincode(&w, small, &update, NULL), CUZK_OK);
    assert_int_equal(file_writer_commit(&w, true, NULL), CUZK_OK);
    assert_rewritten(original);
    free(path);
    arena_release(&arena);
}

/* ---- the trees ---- */

/* Every opening of a small tree leads to its root, and openings differ where leaves differ. */
static void sum_tree__opens_anywhere(void **state)
{
    (void)state;
    const struct sector_shape *shape = sector_shape_by_id("32k"); /* 8-8-2 */
    struct node leaves[4 * SUM_TREE_SUMS], siblings[64];
    struct sample_source source;
    struct sum_tree tree;
    sample_source_init(&source, "trees");
    for (unsigned i = 0; i < 4 * SUM_TREE_SUMS; i++) sample_value(&leaves[i], &source, i, 0);
    for (unsigned top = 0; top <= 2; top += 2) {
        assert_int_equal(sum_tree_build(&tree, &shape->tree_r, SUM_TREE_POSEIDON, top, leaves, NULL, NULL), CUZK_OK);
        for (uint64_t i = 0; i < shape->nodes; i += 13) {
            fr_t leaf, root;
            struct node found;
            node_to_fr(&leaf, sum_tree_leaf(&tree, i));
            sum_tree_open(siblings, &tree, i);
            path_root_poseidon(&root, &shape->tree_r, &(struct tree_path){ i, siblings }, &leaf);
            node_from_fr(&found, &root);
            assert_true(node_equal(&found, sum_tree_root(&tree)));
        }
        sum_tree_free(&tree);
        assert_int_equal(sum_tree_build(&tree, &shape->tree_d, SUM_TREE_SHA256, top, leaves, NULL, NULL), CUZK_OK);
        for (uint64_t i = 0; i < shape->nodes; i++) {
            struct node found;
            sum_tree_open(siblings, &tree, i);
            path_root_sha256(&found, siblings, i, shape->tree_d.levels, sum_tree_leaf(&tree, i));
            assert_true(node_equal(&found, sum_tree_root(&tree)));
        }
        sum_tree_free(&tree);
    }
}

/* The same leaf in trees of either arity. */
static void sum_tree__agrees_across_arities(void **state)
{
    (void)state;
    const struct sector_shape *shape = sector_shape_by_id("32k");
    struct node leaves[SUM_TREE_SUMS] = { { { 1 } }, { { 2 } }, { { 3 } } };
    struct sum_tree d, r;
    assert_int_equal(sum_tree_build(&d, &shape->tree_d, SUM_TREE_SHA256, 0, leaves, NULL, NULL), CUZK_OK);
    assert_int_equal(sum_tree_build(&r, &shape->tree_r, SUM_TREE_POSEIDON, 0, leaves, NULL, NULL), CUZK_OK);
    unsigned seen[SUM_TREE_SUMS] = { 0 };
    for (uint64_t i = 0; i < shape->nodes; i++) {
        assert_true(node_equal(sum_tree_leaf(&d, i), sum_tree_leaf(&r, i)));
        seen[sum_tree_leaf(&d, i)->b[0] - 1]++;
    }
    for (unsigned i = 0; i < SUM_TREE_SUMS; i++) assert_true(seen[i] > 100);
    sum_tree_free(&d);
    sum_tree_free(&r);
}

/* ---- samples ---- */

static struct sample_options options_of(enum proof_kind kind, const char *shape)
{
    return (struct sample_options){ .kind = kind, .shape = sector_shape_by_id(shape), .seed = "test" };
}

/* The public file's statement has to give the same public inputs as the job. */
static void assert_same_statement(const struct vanilla_job *job, struct bytes public_file)
{
    struct arena arena = { 0 };
    struct statement s;
    cuzk_error err = { "" };
    if (statement_json(&s, &arena, job->kind, public_file, &err) != CUZK_OK) fail_msg("%s", err.detail);
    assert_ptr_equal(s.proof, job->proof);
    size_t count = public_inputs_count(job->kind, job->shape);
    fr_t *a = calloc(count, sizeof *a), *b = calloc(count, sizeof *b);
    public_inputs(a, &s, job->first_partition);
    public_inputs(b, &job->statement, job->first_partition);
    assert_memory_equal(a, b, count * sizeof *a);
    free(a);
    free(b);
    arena_release(&arena);
}

static void assert_valid(const struct request *request, const char *public_name)
{
    struct vanilla_job *job;
    struct pool *pool;
    cuzk_error err = { "" };
    assert_int_equal(pool_create(&pool, 2, NULL), CUZK_OK);
    if (vanilla_parse(&job, request, &err) != CUZK_OK) fail_msg("%s", err.detail);
    if (vanilla_check(job, pool, &err) != CUZK_OK) fail_msg("%s", err.detail);
    struct bytes public_file = sample_file(public_name);
    assert_same_statement(job, public_file);
    free_bytes(public_file);
    vanilla_job_free(job);
    pool_destroy(pool);
}

static void write_sample(const struct sample_options *options)
{
    struct pool *pool;
    cuzk_error err = { "" };
    assert_int_equal(pool_create(&pool, 2, NULL), CUZK_OK);
    if (sample_write(options, folder, pool, &err) != CUZK_OK) fail_msg("%s", err.detail);
    pool_destroy(pool);
}

static void porep_is_valid(const char *shape, size_t partitions)
{
    struct sample_options o = options_of(PROOF_POREP, shape);
    o.partitions = partitions;
    write_sample(&o);
    struct request r = { .kind = PROOF_POREP,
                         .registered_proof = sample_proof(PROOF_POREP, o.shape)->number,
                         .miner_id = SAMPLE_MINER,
                         .sector_number = SAMPLE_SECTOR,
                         .has_sector_number = true,
                         .one_partition = partitions != 0,
                         .partition = partitions ? (uint32_t)partitions - 1 : 0 };
    struct bytes c1 = sample_file("c1.json");
    r.vanilla_proof = c1;
    assert_valid(&r, "porep.public.json");
    if (partitions) {
        r.one_partition = false;
        assert_refused(&r, "vanilla_proofs: 10 partitions expected, 1 found");
    }
    free_bytes(c1);
}

static void sample__porep_is_valid(void **state)
{
    (void)state;
    porep_is_valid("2k", 0);
    porep_is_valid("512m", 0);
    porep_is_valid("32g", 1);
    porep_is_valid("64g", 1);
}

static void post_is_valid(enum proof_kind kind, const char *shape, size_t sectors)
{
    struct sample_options o = options_of(kind, shape);
    struct bytes files[3];
    struct node randomness;
    o.sectors = kind == PROOF_WINDOW ? sectors : 0;
    write_sample(&o);
    sample_randomness(&randomness, &o);
    for (size_t i = 0; i < sectors; i++) {
        char name[40] = "winning.vproof";
        if (kind == PROOF_WINDOW) snprintf(name, sizeof name, "window-%zu.vproof", i + 1);
        files[i] = sample_file(name);
    }
    struct request r = { .kind = kind,
                         .registered_proof = sample_proof(kind, o.shape)->number,
                         .randomness = { randomness.b, NODE_BYTES },
                         .vanilla_proofs = files,
                         .vanilla_proof_count = sectors };
    assert_valid(&r, kind == PROOF_WINDOW ? "window.public.json" : "winning.public.json");
    for (size_t i = 0; i < sectors; i++) free_bytes(files[i]);
}

static void sample__post_is_valid(void **state)
{
    (void)state;
    post_is_valid(PROOF_WINDOW, "2k", 2);
    post_is_valid(PROOF_WINDOW, "64g", 3);
    post_is_valid(PROOF_WINNING, "8m", 1);
    post_is_valid(PROOF_WINNING, "32g", 1);
}

static void sample__update_is_valid(void **state)
{
    (void)state;
    static const char *const shapes[] = { "2k", "8m" };
    for (size_t i = 0; i < 2; i++) {
        struct sample_options o = options_of(PROOF_UPDATE, shapes[i]);
        struct bytes files[4], text;
        size_t parts = o.shape->update_partitions;
        write_sample(&o);
        for (size_t k = 0; k < parts; k++) {
            char name[40];
            snprintf(name, sizeof name, "update.part%zu.vproof", k);
            files[k] = sample_file(name);
        }
        struct arena arena = { 0 };
        struct statement s;
        text = sample_file("update.public.json");
        assert_int_equal(statement_json(&s, &arena, PROOF_UPDATE, text, NULL), CUZK_OK);
        struct request r = { .kind = PROOF_UPDATE,
                             .registered_proof = s.proof->number,
                             .comm_r_old = { s.update.comm_r_old.b, NODE_BYTES },
                             .comm_r_new = { s.update.comm_r_new.b, NODE_BYTES },
                             .comm_d_new = { s.update.comm_d_new.b, NODE_BYTES },
                             .vanilla_proofs = files,
                             .vanilla_proof_count = parts };
        cuzk_error err = { "" };
        if (parse_and_check(&r, &err) != CUZK_OK) fail_msg("%s", err.detail);
        if (parts > 1) { /* one raw part is the partition that was asked for, and no other */
            r.vanilla_proofs = &files[3];
            r.vanilla_proof_count = 1;
            assert_refused(&r, "vanilla_proofs: 4 partitions expected, 1 found");
            r.one_partition = true;
            r.partition = 3;
            assert_int_equal(parse_and_check(&r, NULL), CUZK_OK);
            r.partition = 2;
            assert_refused(&r, "vanilla_proofs[0]: the leaves are of partition 3, partition 2 expected");
        }
        for (size_t k = 0; k < parts; k++) free_bytes(files[k]);
        free_bytes(text);
        arena_release(&arena);
    }
}

/* A change of these bytes would take the ground from under measurements that were made with samples. */
static void sample__bytes_are_stable(void **state)
{
    (void)state;
    struct sample_options o = options_of(PROOF_POREP, "2k");
    write_sample(&o);
    struct bytes c1 = sample_file("c1.json");
    free_bytes(sample_file("porep.public.json"));
    struct node digest;
    sha256(digest.b, c1.data, c1.size);
    assert_string_equal(node_hex(&digest).text, "1bc93fadf70e0d2426fcb39bd54643a18bf377d5075b1dc46e374c6583bfda7c");
    free_bytes(c1);
}

static void sample_write__refuses_options_out_of_range(void **state)
{
    (void)state;
    struct sample_options o = options_of(PROOF_POREP, "16k");
    assert_int_equal(sample_write(&o, folder, NULL, NULL), CUZK_ERR_USAGE);
    o = options_of(PROOF_POREP, "2k");
    o.partitions = 2;
    assert_int_equal(sample_write(&o, folder, NULL, NULL), CUZK_ERR_USAGE);
    o = options_of(PROOF_WINDOW, "2k");
    o.sectors = 3;
    assert_int_equal(sample_write(&o, folder, NULL, NULL), CUZK_ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(c1_write_json__gives_filecoins_bytes),
        test(bincode_write__gives_filecoins_bytes),
        test(sum_tree__opens_anywhere),
        test(sum_tree__agrees_across_arities),
        test(sample__porep_is_valid),
        test(sample__post_is_valid),
        test(sample__update_is_valid),
        test(sample__bytes_are_stable),
        test(sample_write__refuses_options_out_of_range),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
