#include "cli/digests.h"

#include <string.h>

/* The fingerprint is serial: left out (null) where it would take many seconds. */
enum { FINGERPRINT_ROWS = 10000000, LISTED_INPUTS = 1024, CHUNK_PREFIX = 8 };

/* The catalogue's file name without its version. */
static json_t *entry_id(const struct circuit_entry *e)
{
    char stem[CATALOGUE_STEM_BYTES];
    catalogue_stem(stem, e);
    return json_string(strchr(stem, '-') + 1);
}

static json_t *chunks_json(const struct chunk_digests *d)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->count; i++) json_array_append_new(list, json_hex(d->chunks[i], CHUNK_PREFIX));
    return list;
}

static json_t *fingerprint_json(const struct circuit *c)
{
    uint8_t digest[32];
    if (c->constraints > FINGERPRINT_ROWS || circuit_fingerprint(digest, c, NULL) != CUZK_OK) return json_null();
    return json_hex(digest, 32);
}

static json_t *density_json(const struct circuit *c, enum matrix_name m)
{
    uint8_t digest[32];
    circuit_density_digest(digest, c, m);
    return json_hex(digest, 32);
}

/* Public inputs that occur in B: in Filecoin's circuits ONE alone, but count them. */
static json_int_t b_input_density(const struct circuit *c)
{
    json_int_t count = 0;
    bool one = false;
    for (size_t i = 0; i < c->template_count; i++) one = one || (c->templates[i]->dense[MATRIX_B][0] & 1);
    for (size_t n = 0; n < c->instance_count; n++) {
        const struct template *t = c->templates[c->instances[n].template];
        for (uint32_t k = 0; t->publics > 0 && k < t->matrix[MATRIX_B].start[t->rows]; k++) {
            count += (t->matrix[MATRIX_B].terms[k].ref & REF_PUBLIC) != 0;
        }
    }
    return count + one;
}

cuzk_status shape_digest_json(json_t **out, const struct circuit *c, const struct circuit_entry *e, uint32_t chunk,
                              struct pool *pool, cuzk_error *err)
{
    struct chunk_digests rows;
    cuzk_status status = circuit_rows_digest(&rows, c, chunk, true, pool, err);
    if (status != CUZK_OK) return status;
    *out = json_pack("{s:o, s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:I, s:[III], s:I, s:o, s:o}",
                     "a_aux_bitmap_sha256", density_json(c, MATRIX_A), "a_aux_density",
                     (json_int_t)c->dense[MATRIX_A].total, "aux", (json_int_t)c->aux, "b_aux_bitmap_sha256",
                     density_json(c, MATRIX_B), "b_aux_density", (json_int_t)c->dense[MATRIX_B].total,
                     "b_input_density", b_input_density(c), "chunk", (json_int_t)chunk, "constraints",
                     (json_int_t)c->constraints, "fingerprint_blake2s", fingerprint_json(c), "id", entry_id(e),
                     "inputs", (json_int_t)c->inputs, "nnz", (json_int_t)c->nonzero[0], (json_int_t)c->nonzero[1],
                     (json_int_t)c->nonzero[2], "rows", (json_int_t)c->rows, "rows_chunks", chunks_json(&rows),
                     "rows_digest", json_hex(rows.digest, 32));
    chunk_digests_free(&rows);
    return CUZK_OK;
}

static json_t *inputs_json(const struct witness *w)
{
    if (w->circuit->inputs > LISTED_INPUTS) return json_null();
    json_t *list = json_array();
    for (uint32_t i = 0; i < w->circuit->inputs; i++) {
        uint8_t bytes[32];
        fr_to_bytes(bytes, &w->inputs[i]);
        json_array_append_new(list, json_hex(bytes, 32));
    }
    return list;
}

cuzk_status witness_digest_json(json_t **out, const struct witness *w, const struct circuit_entry *e, uint32_t chunk,
                                struct pool *pool, cuzk_error *err)
{
    static const char *const chunk_keys[MATRICES] = { "a_chunks", "b_chunks", "c_chunks" };
    static const char *const digest_keys[MATRICES] = { "a_digest", "b_digest", "c_digest" };
    struct aux_digest aux;
    json_t *value = json_object();
    cuzk_status status = witness_aux_digest(&aux, w, chunk, pool, err);
    for (int m = 0; m < MATRICES && status == CUZK_OK; m++) {
        struct chunk_digests rows;
        status = witness_rows_digest(&rows, w, (enum matrix_name)m, chunk, pool, err);
        if (status == CUZK_OK) {
            json_object_set_new(value, chunk_keys[m], chunks_json(&rows));
            json_object_set_new(value, digest_keys[m], json_hex(rows.digest, 32));
        }
        chunk_digests_free(&rows);
    }
    if (status == CUZK_OK) {
        uint8_t inputs[32];
        witness_inputs_digest(inputs, w);
        json_object_update_new(
            value, json_pack("{s:o, s:I, s:o, s:o, s:[III], s:I, s:I, s:o, s:o, s:I, s:o}", "aux_chunks",
                             chunks_json(&aux.chunks), "aux_count", (json_int_t)w->circuit->aux, "aux_digest",
                             json_hex(aux.chunks.digest, 32), "aux_sha256", json_hex(aux.sha256, 32),
                             "aux_zero_one_other", (json_int_t)aux.zeros, (json_int_t)aux.ones,
                             (json_int_t)aux.others, "chunk", (json_int_t)chunk, "constraints",
                             (json_int_t)w->circuit->constraints, "id", entry_id(e), "inputs", inputs_json(w),
                             "inputs_count", (json_int_t)w->circuit->inputs, "inputs_sha256", json_hex(inputs, 32)));
    }
    chunk_digests_free(&aux.chunks);
    if (status == CUZK_OK) *out = value;
    else json_decref(value);
    return status;
}
