#include "fixture.h"

#include "base/vec.h"

#include <jansson.h>
#include <stdio.h>

struct bytes data_file(const char *name)
{
    char path[512];
    uint8_t *data = NULL;
    size_t size = 0;
    cuzk_error err = { "" };
    snprintf(path, sizeof path, "%s/%s", CUZK_TEST_DATA, name);
    if (file_read(&data, &size, path, 1 << 24, &err) != CUZK_OK) fail_msg("%s", err.detail);
    return (struct bytes){ data, size };
}

static struct bytes sealed_file(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "sealed-2kib/%s", name);
    return data_file(path);
}

static struct bytes view(struct node *n, const char *hex)
{
    assert_true(hex_decode(n->b, NODE_BYTES, hex, strlen(hex)));
    return (struct bytes){ n->b, NODE_BYTES };
}

void fixture_porep(struct fixture *f, const char *file)
{
    *f = (struct fixture){ .request = { .kind = PROOF_POREP, .registered_proof = 5, .miner_id = 1000 } };
    f->files[0] = sealed_file(file);
    f->request.vanilla_proof = f->files[0];
    f->request.sector_number = strstr(file, "43") ? 43 : 42;
    f->request.has_sector_number = true;
}

static const char post_randomness[] = "786b91f30069e89c21ccee795ae4481181a3c019a66ec538c2af37900f6daa16";

void fixture_window(struct fixture *f)
{
    *f = (struct fixture){ .request = { .kind = PROOF_WINDOW, .registered_proof = 10, .miner_id = 1000 } };
    f->files[0] = sealed_file("window-42.vproof");
    f->files[1] = sealed_file("window-43.vproof");
    f->request.randomness = view(&f->nodes[0], post_randomness);
    f->request.vanilla_proofs = f->files;
    f->request.vanilla_proof_count = 2;
}

void fixture_winning(struct fixture *f)
{
    *f = (struct fixture){ .request = { .kind = PROOF_WINNING, .miner_id = 1000 } };
    f->files[0] = sealed_file("winning-42.vproof");
    f->request.randomness = view(&f->nodes[0], post_randomness);
    f->request.vanilla_proofs = f->files;
    f->request.vanilla_proof_count = 1;
}

void fixture_update(struct fixture *f, const char *file)
{
    *f = (struct fixture){ .request = { .kind = PROOF_UPDATE } };
    f->files[0] = sealed_file(file);
    f->request.comm_r_old = view(&f->nodes[0], "091912d1148b560dba265ab0b3a19367c3b26263cb67039a4e20bc99ab9dd335");
    f->request.comm_r_new = view(&f->nodes[1], "b8dea90eb2ebeb7c472755d843a6549a2a2e465a7c8410e1646a85d5f7112a6a");
    f->request.comm_d_new = view(&f->nodes[2], "9298a8ccd1aa0c561829957c17d54218c31c95e30a270ccd604bcdfa6e101310");
    f->request.vanilla_proofs = f->files;
    f->request.vanilla_proof_count = 1;
}

void fixture_real_window(struct fixture *f)
{
    *f = (struct fixture){ .request = { .kind = PROOF_WINDOW, .registered_proof = 13, .miner_id = 1000 } };
    f->files[0] = data_file("real/window-post-32gib.vproof");
    f->request.randomness = (struct bytes){ f->nodes[0].b, NODE_BYTES };
    f->request.vanilla_proofs = f->files;
    f->request.vanilla_proof_count = 1;
}

void fixture_free(struct fixture *f)
{
    for (size_t i = 0; i < FIXTURE_FILES; i++) free(fixture_bytes(f, i));
}

cuzk_status parse_only(const struct request *request, cuzk_error *err)
{
    struct vanilla_job *job;
    cuzk_status status = vanilla_parse(&job, request, err);
    assert_true((status == CUZK_OK) == (job != NULL));
    vanilla_job_free(job);
    return status;
}

cuzk_status parse_and_check(const struct request *request, cuzk_error *err)
{
    struct vanilla_job *job;
    cuzk_status status = vanilla_parse(&job, request, err);
    if (status == CUZK_OK) status = vanilla_check(job, NULL, err);
    vanilla_job_free(job);
    return status;
}

void assert_refused(const struct request *request, const char *part)
{
    cuzk_error err = { "" };
    cuzk_status status = parse_and_check(request, &err);
    if (status != CUZK_ERR_DATA) fail_msg("\"%s\" expected, status %d, %s", part, status, err.detail);
    if (!strstr(err.detail, part)) fail_msg("\"%s\" expected, found: %s", part, err.detail);
    assert_null(strchr(err.detail, '\n'));
}

/* ---- C1 as bincode ---- */

static void put(struct vec *v, const void *data, size_t size)
{
    void *at = vec_extend(v, size, 1);
    assert_non_null(at);
    memcpy(at, data, size);
}

static void put_number(struct vec *v, uint64_t n, size_t bytes)
{
    uint8_t b[8];
    store_le64(b, n);
    put(v, b, bytes);
}

static void put_node(struct vec *v, const json_t *array)
{
    for (size_t i = 0; i < 32; i++) put_number(v, (uint64_t)json_integer_value(json_array_get(array, i)), 1);
}

static void put_nodes(struct vec *v, const json_t *array)
{
    put_number(v, json_array_size(array), 8);
    for (size_t i = 0; i < json_array_size(array); i++) put_node(v, json_array_get(array, i));
}

static const json_t *get(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    assert_non_null(value);
    return value;
}

static uint64_t number(const json_t *object, const char *name)
{
    return (uint64_t)json_integer_value(get(object, name));
}

/* The small shapes have Single proofs only. */
static void put_merkle(struct vec *v, const json_t *proof)
{
    const json_t *single = get(get(proof, "data"), "Single"), *path = get(get(single, "path"), "path");
    put_number(v, 0, 4);
    put_node(v, get(single, "root"));
    put_node(v, get(single, "leaf"));
    put_number(v, json_array_size(path), 8);
    for (size_t i = 0; i < json_array_size(path); i++) {
        const json_t *level = json_array_get(path, i);
        put_nodes(v, get(level, "hashes"));
        put_number(v, number(level, "index"), 8);
    }
}

static void put_column(struct vec *v, const json_t *proof)
{
    put_number(v, number(get(proof, "column"), "index"), 4);
    put_nodes(v, get(get(proof, "column"), "rows"));
    put_merkle(v, get(proof, "inclusion_proof"));
}

static void put_columns(struct vec *v, const json_t *array)
{
    put_number(v, json_array_size(array), 8);
    for (size_t i = 0; i < json_array_size(array); i++) put_column(v, json_array_get(array, i));
}

static void put_label(struct vec *v, const json_t *label)
{
    put_nodes(v, get(label, "parents"));
    put_number(v, number(label, "layer_index"), 4);
    put_number(v, number(label, "node"), 8);
}

static void put_challenge(struct vec *v, const json_t *c)
{
    const json_t *columns = get(c, "replica_column_proofs"), *labels = get(c, "labeling_proofs");
    put_merkle(v, get(c, "comm_d_proofs"));
    put_merkle(v, get(c, "comm_r_last_proof"));
    put_column(v, get(columns, "c_x"));
    put_columns(v, get(columns, "drg_parents"));
    put_columns(v, get(columns, "exp_parents"));
    put_number(v, json_array_size(labels), 8);
    for (size_t i = 0; i < json_array_size(labels); i++) put_label(v, json_array_get(labels, i));
    put_label(v, get(c, "encoding_proof"));
}

struct bytes bincode_of_c1(struct bytes json)
{
    static const char *const tail[] = { "comm_r", "comm_d", "replica_id", "seed", "ticket" };
    json_t *top = json_loadb((const char *)json.data, json.size, 0, NULL);
    assert_non_null(top);
    const json_t *partitions = get(get(top, "vanilla_proofs"), "StackedDrg2KiBV1");
    struct vec v = { 0 };
    put_number(&v, json_array_size(partitions), 8);
    for (size_t k = 0; k < json_array_size(partitions); k++) {
        const json_t *challenges = json_array_get(partitions, k);
        put_number(&v, json_array_size(challenges), 8);
        for (size_t i = 0; i < json_array_size(challenges); i++) {
            put_challenge(&v, json_array_get(challenges, i));
        }
    }
    for (size_t i = 0; i < 5; i++) put_node(&v, get(top, tail[i]));
    json_decref(top);
    size_t size = v.count;
    return (struct bytes){ vec_take(&v, 1), size };
}
