#include "vanilla/sample.h"

#include "vanilla/bincode_write.h"
#include "vanilla/c1_write.h"
#include "vanilla/check.h"
#include "vanilla/identity.h"
#include "vanilla/node.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

const struct registered_proof *sample_proof(enum proof_kind kind, const struct sector_shape *shape)
{
    enum api_version api = kind == PROOF_POREP ? API_V1_1 : kind == PROOF_WINDOW ? API_V1_2 : API_V1_0;
    const struct registered_proof *proof;
    for (size_t i = 0; (proof = registered_at(i)); i++) {
        if (proof->kind == kind && proof->api == api && registered_shape(proof) == shape) return proof;
    }
    return NULL;
}

/* ---- files ---- */

/* Opens FOLDER/NAME for writing. */
static cuzk_status open_file(struct file_writer *w, const char *folder, const char *name, cuzk_error *err)
{
    char *path = path_join(folder, name);
    if (!path) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a path");
    cuzk_status status = file_writer_open(w, path, err);
    free(path);
    return status;
}

static cuzk_status close_file(struct file_writer *w, cuzk_status status, cuzk_error *err)
{
    if (status == CUZK_OK) return file_writer_commit(w, true, err);
    file_writer_abandon(w);
    return status;
}

/* Writes an object as FOLDER/NAME and drops it. */
static cuzk_status write_public(const char *folder, const char *name, json_t *object, cuzk_error *err)
{
    char *text = json_dumps(object, JSON_INDENT(2));
    json_decref(object);
    if (!text) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %s", name);
    struct file_writer w;
    cuzk_status status = open_file(&w, folder, name, err);
    if (status == CUZK_OK) {
        status = file_writer_put(&w, text, strlen(text), err);
        if (status == CUZK_OK) status = file_writer_put(&w, "\n", 1, err);
        status = close_file(&w, status, err);
    }
    free(text);
    return status;
}

static void set_node(json_t *object, const char *name, const struct node *n)
{
    json_object_set_new(object, name, json_string(node_hex(n).text));
}

/* What every public file begins with. jansson takes NULL values without harm and json_dumps then fails. */
static json_t *public_object(const struct registered_proof *proof, bool prover)
{
    json_t *object = json_object();
    json_object_set_new(object, "registered_proof", json_string(proof->name));
    json_object_set_new(object, "miner_id", json_integer(SAMPLE_MINER));
    if (prover) {
        struct node id;
        prover_id_make(&id, SAMPLE_MINER);
        set_node(object, "prover_id", &id);
    }
    return object;
}

/* ---- one kind each ---- */

static cuzk_status write_porep(const struct sample_options *options, const char *folder, struct pool *pool,
                               cuzk_error *err)
{
    struct arena arena = { 0 };
    struct file_writer w;
    const struct registered_proof *proof = sample_proof(PROOF_POREP, options->shape);
    struct c1 *c1 = arena_take(&arena, 1, sizeof *c1);
    if (!c1) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a vanilla proof");
    cuzk_status status = sample_porep(c1, &arena, options, pool, err);
    if (status == CUZK_OK) status = open_file(&w, folder, "c1.json", err);
    if (status == CUZK_OK) status = close_file(&w, c1_write_json(&w, c1, proof, err), err);
    if (status == CUZK_OK) {
        struct node seed, ticket;
        memcpy(seed.b, c1->seed, sizeof seed.b);
        memcpy(ticket.b, c1->ticket, sizeof ticket.b);
        json_t *object = public_object(proof, true);
        json_object_set_new(object, "sector", json_integer(SAMPLE_SECTOR));
        set_node(object, "ticket", &ticket);
        set_node(object, "seed", &seed);
        set_node(object, "comm_d", &c1->comm_d);
        set_node(object, "comm_r", &c1->comm_r);
        status = write_public(folder, "porep.public.json", object, err);
    }
    arena_release(&arena);
    return status;
}

/* A window or winning PoSt under way. */
struct post_work {
    const struct sample_options *options;
    const char *folder;
    struct pool *pool;
    struct node randomness;
    json_t **sectors; /* the public description of each */
};

static json_t *describe_sector(const struct post_sector *sector)
{
    json_t *object = json_object(), *challenges = json_array();
    for (size_t i = 0; i < sector->slot.challenge_count; i++) {
        json_array_append_new(challenges, json_integer((json_int_t)sector->slot.challenges[i].path.index));
    }
    json_object_set_new(object, "sector", json_integer((json_int_t)sector->number));
    set_node(object, "comm_r", &sector->slot.comm_r);
    json_object_set_new(object, "challenges", challenges);
    return object;
}

static cuzk_status write_sector(const void *context, size_t i, cuzk_error *err)
{
    const struct post_work *work = context;
    struct arena arena = { 0 };
    struct file_writer w;
    struct post_sector sector;
    char name[48] = "winning.vproof";
    uint64_t number = SAMPLE_SECTOR + i;
    if (work->options->kind == PROOF_WINDOW) {
        snprintf(name, sizeof name, "window-%llu.vproof", (unsigned long long)number);
    }
    cuzk_status status = sample_post(&sector, &arena, work->options, &work->randomness, number, work->pool, err);
    if (status == CUZK_OK) status = open_file(&w, work->folder, name, err);
    if (status == CUZK_OK) {
        status = close_file(&w, post_write_bincode(&w, work->options->shape, &sector, err), err);
    }
    if (status == CUZK_OK) work->sectors[i] = describe_sector(&sector);
    arena_release(&arena);
    return status;
}

static cuzk_status write_post(const struct sample_options *options, const char *folder, struct pool *pool,
                              cuzk_error *err)
{
    bool window = options->kind == PROOF_WINDOW;
    size_t count = window && options->sectors ? options->sectors : 1;
    struct post_work work = { .options = options, .folder = folder, .pool = pool };
    work.sectors = calloc(count, sizeof *work.sectors);
    if (!work.sectors) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu sectors", count);
    sample_randomness(&work.randomness, options);
    cuzk_status status = check_all(pool, count, write_sector, &work, err);
    json_t *sectors = json_array();
    for (size_t i = 0; i < count; i++) {
        if (work.sectors[i]) json_array_append_new(sectors, work.sectors[i]);
    }
    free(work.sectors);
    if (status != CUZK_OK) {
        json_decref(sectors);
        return status;
    }
    json_t *object = public_object(sample_proof(options->kind, options->shape), true);
    set_node(object, "randomness", &work.randomness);
    json_object_set_new(object, "sectors", sectors);
    return write_public(folder, window ? "window.public.json" : "winning.public.json", object, err);
}

static cuzk_status write_part(const struct sample_update *update, const struct sector_shape *shape,
                              const char *folder, uint32_t partition, struct update_input *out, cuzk_error *err)
{
    struct arena arena = { 0 };
    struct file_writer w;
    char name[48];
    snprintf(name, sizeof name, "update.part%u.vproof", partition);
    cuzk_status status = sample_update_partition(out, &arena, update, partition, err);
    if (status == CUZK_OK) status = open_file(&w, folder, name, err);
    if (status == CUZK_OK) status = close_file(&w, update_write_bincode(&w, shape, out, err), err);
    arena_release(&arena);
    return status;
}

static cuzk_status write_update(const struct sample_options *options, const char *folder, struct pool *pool,
                                cuzk_error *err)
{
    size_t partitions = options->partitions ? options->partitions : options->shape->update_partitions;
    struct sample_update *update;
    struct update_input u = { 0 }; /* its commitments outlive the arena of a part */
    cuzk_status status = sample_update_make(&update, options, pool, err);
    for (uint32_t k = 0; status == CUZK_OK && k < partitions; k++) {
        status = write_part(update, options->shape, folder, k, &u, err);
    }
    sample_update_free(update);
    if (status != CUZK_OK) return status;
    json_t *object = public_object(sample_proof(PROOF_UPDATE, options->shape), false);
    json_object_set_new(object, "sector", json_integer(SAMPLE_SECTOR));
    json_object_set_new(object, "partitions", json_integer(options->shape->update_partitions));
    set_node(object, "comm_r_old", &u.comm_r_old);
    set_node(object, "comm_d_new", &u.comm_d_new);
    set_node(object, "comm_r_new", &u.comm_r_new);
    return write_public(folder, "update.public.json", object, err);
}

/* ---- options ---- */

static cuzk_status check_options(const struct sample_options *o, cuzk_error *err)
{
    const struct sector_shape *shape = o->shape;
    if (!sample_proof(o->kind, shape)) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "%s: no registered proof of this kind and size", shape->name);
    }
    size_t most = o->kind == PROOF_POREP    ? shape->porep_partitions
                  : o->kind == PROOF_UPDATE ? shape->update_partitions
                                            : 1;
    if (o->partitions > most) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "%zu partitions: %s of %s has %zu", o->partitions,
                         proof_kind_name(o->kind), shape->name, most);
    }
    most = o->kind == PROOF_WINDOW ? shape->window_sectors : 1;
    if (o->sectors > most) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "%zu sectors: at most %zu in a partition of %s", o->sectors, most,
                         proof_kind_name(o->kind));
    }
    return CUZK_OK;
}

cuzk_status sample_write(const struct sample_options *options, const char *folder, struct pool *pool, cuzk_error *err)
{
    cuzk_status status = check_options(options, err);
    if (status != CUZK_OK) return status;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", folder, strerror(errno));
    }
    switch (options->kind) {
    case PROOF_POREP: return write_porep(options, folder, pool, err);
    case PROOF_UPDATE: return write_update(options, folder, pool, err);
    case PROOF_WINDOW:
    case PROOF_WINNING: return write_post(options, folder, pool, err);
    }
    return cuzk_fail(err, CUZK_ERR_USAGE, "kind %d", (int)options->kind);
}
