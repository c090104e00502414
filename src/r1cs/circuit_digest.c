#include "r1cs/circuit_digest.h"

#include "base/bytes.h"
#include "hash/digest.h"
#include "hash/sha256.h"
#include "r1cs/evaluate.h"
#include "r1cs/row_terms.h"

#include <stdlib.h>

void chunk_digests_free(struct chunk_digests *d)
{
    free(d->chunks);
    *d = (struct chunk_digests){ 0 };
}

static cuzk_status chunk_digests_create(struct chunk_digests *out, size_t items, uint32_t chunk, cuzk_error *err)
{
    *out = (struct chunk_digests){ .chunk = chunk };
    if (chunk == 0) return cuzk_fail(err, CUZK_ERR_USAGE, "a chunk of 0 rows");
    out->count = (items + chunk - 1) / chunk;
    out->chunks = calloc(out->count + 1, sizeof *out->chunks);
    if (!out->chunks) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu digests", out->count);
    return CUZK_OK;
}

static void chunk_digests_close(struct chunk_digests *d) { sha256(d->digest, d->chunks, d->count * 32); }

/* Rows */

struct rows_job {
    const struct circuit *c;
    struct chunk_digests *out;
    uint32_t rows;
    uint8_t (*coeffs)[32];    /* canonical bytes */
    struct row_term *space;   /* per worker */
    size_t space_size;
};

static void put_row(struct sha256 *h, const struct rows_job *job, const struct instance *i, uint32_t row,
                    struct row_term *space)
{
    for (int m = 0; m < MATRICES; m++) {
        size_t n = row_terms(space, job->c, i, (enum matrix_name)m, row);
        uint8_t bytes[37];
        store_le32(bytes, (uint32_t)n);
        sha256_put(h, bytes, 4);
        for (size_t k = 0; k < n; k++) {
            bytes[0] = (uint8_t)(space[k].key >> 32);
            store_le32(bytes + 1, (uint32_t)space[k].key);
            memcpy(bytes + 5, job->coeffs[space[k].coeff], 32);
            sha256_put(h, bytes, 37);
        }
    }
}

static void digest_row_chunks(void *context, size_t begin, size_t end, unsigned worker)
{
    struct rows_job *job = context;
    const struct circuit *c = job->c;
    for (size_t chunk = begin; chunk < end; chunk++) {
        uint32_t row = (uint32_t)chunk * job->out->chunk;
        uint32_t stop = job->rows - row < job->out->chunk ? job->rows : row + job->out->chunk;
        const struct instance *i = circuit_instance_of_row(c, row < c->constraints ? row : 0);
        struct sha256 h;
        sha256_begin(&h);
        for (; row < stop; row++) {
            while (row < c->constraints && row >= i->row_base + c->templates[i->template]->rows) i++;
            put_row(&h, job, i, row, job->space + worker * job->space_size);
        }
        sha256_end(&h, job->out->chunks[chunk]);
    }
}

static uint8_t (*canonical_coeffs(const struct circuit *c))[32]
{
    uint8_t(*bytes)[32] = malloc((c->coeff_count + 1) * sizeof *bytes);
    for (size_t i = 0; bytes && i < c->coeff_count; i++) fr_to_bytes(bytes[i], &c->coeffs[i].value);
    return bytes;
}

cuzk_status circuit_rows_digest(struct chunk_digests *out, const struct circuit *c, uint32_t chunk, bool input_rows,
                                struct pool *pool, cuzk_error *err)
{
    struct rows_job job = { .c = c, .out = out, .rows = input_rows ? c->rows : c->constraints };
    cuzk_status status = chunk_digests_create(out, job.rows, chunk, err);
    if (status != CUZK_OK) return status;
    job.space_size = circuit_widest_row(c) + 1;
    job.space = malloc(pool_threads(pool) * job.space_size * sizeof *job.space);
    job.coeffs = canonical_coeffs(c);
    if (job.space && job.coeffs) {
        pool_for(pool, out->count, 1, digest_row_chunks, &job);
        chunk_digests_close(out);
    } else {
        status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to digest rows");
    }
    free(job.space);
    free(job.coeffs);
    return status;
}

void circuit_density_digest(uint8_t out[32], const struct circuit *c, enum matrix_name m)
{
    struct sha256 h;
    sha256_begin(&h);
    for (size_t i = 0; i < (c->aux + (size_t)63) / 64; i++) {
        uint8_t bytes[8];
        store_le64(bytes, c->dense[m].words[i]);
        sha256_put(&h, bytes, 8);
    }
    sha256_end(&h, out);
}

/* Fingerprint */

static void fingerprint_row(struct digest *h, const struct circuit *c, const struct instance *i, uint32_t row,
                            struct row_term *space)
{
    for (int m = 0; m < MATRICES; m++) {
        size_t n = row_terms(space, c, i, (enum matrix_name)m, row);
        uint8_t bytes[41];
        store_be64(bytes, n);
        digest_put(h, bytes, 8);
        for (size_t k = 0; k < n; k++) {
            bytes[0] = space[k].key >> 32 ? 'A' : 'I';
            store_be64(bytes + 1, (uint32_t)space[k].key);
            uint8_t value[32];
            fr_to_bytes(value, &c->coeffs[space[k].coeff].value);
            for (int j = 0; j < 32; j++) bytes[9 + j] = value[31 - j];
            digest_put(h, bytes, 41);
        }
    }
}

cuzk_status circuit_fingerprint(uint8_t out[32], const struct circuit *c, cuzk_error *err)
{
    struct digest h;
    cuzk_status status = digest_open(&h, DIGEST_BLAKE2S256, err);
    if (status != CUZK_OK) return status;
    struct row_term *space = malloc((circuit_widest_row(c) + 1) * sizeof *space);
    if (space) {
        uint8_t counts[24];
        store_be64(counts, c->inputs);
        store_be64(counts + 8, c->aux);
        store_be64(counts + 16, c->constraints);
        digest_put(&h, counts, sizeof counts);
        const struct instance *i = c->instances;
        for (uint32_t row = 0; row < c->constraints; row++) {
            while (row >= i->row_base + c->templates[i->template]->rows) i++;
            fingerprint_row(&h, c, i, row, space);
        }
        status = digest_end(&h, out, err);
    } else {
        status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to fingerprint rows");
    }
    digest_close(&h);
    free(space);
    return status;
}

/* Witness values */

struct values_job {
    const struct witness *w;
    enum matrix_name m;
    struct chunk_digests *out;
    uint32_t items;
    fr_t *space; /* per worker, one chunk each */
    uint64_t (*counts)[3]; /* per worker: zeros, ones, others */
    cuzk_status *status;
};

static void put_value(struct sha256 *h, const fr_t *v)
{
    uint8_t bytes[32];
    fr_to_bytes(bytes, v);
    sha256_put(h, bytes, 32);
}

static void digest_evaluations(void *context, size_t begin, size_t end, unsigned worker)
{
    struct values_job *job = context;
    fr_t *values = job->space + (size_t)worker * job->out->chunk;
    for (size_t chunk = begin; chunk < end; chunk++) {
        uint32_t at = (uint32_t)chunk * job->out->chunk;
        uint32_t stop = job->items - at < job->out->chunk ? job->items : at + job->out->chunk;
        job->status[worker] |= evaluate_rows(values, job->w, job->m, at, stop, NULL, NULL);
        struct sha256 h;
        sha256_begin(&h);
        for (uint32_t i = at; i < stop; i++) put_value(&h, &values[i - at]);
        sha256_end(&h, job->out->chunks[chunk]);
    }
}

cuzk_status witness_rows_digest(struct chunk_digests *out, const struct witness *w, enum matrix_name m,
                                uint32_t chunk, struct pool *pool, cuzk_error *err)
{
    unsigned workers = pool_threads(pool);
    struct values_job job = { .w = w, .m = m, .out = out, .items = w->circuit->rows };
    cuzk_status status = chunk_digests_create(out, job.items, chunk, err);
    if (status != CUZK_OK) return status;
    job.space = malloc((size_t)workers * chunk * sizeof *job.space);
    job.status = calloc(workers, sizeof *job.status);
    if (job.space && job.status) {
        pool_for(pool, out->count, 1, digest_evaluations, &job);
        for (unsigned i = 0; i < workers; i++) {
            if (job.status[i] != CUZK_OK) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to evaluate rows");
        }
        chunk_digests_close(out);
    } else {
        status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to digest evaluations");
    }
    free(job.space);
    free(job.status);
    return status;
}

static void digest_aux(void *context, size_t begin, size_t end, unsigned worker)
{
    struct values_job *job = context;
    uint64_t *counts = job->counts[worker];
    for (size_t chunk = begin; chunk < end; chunk++) {
        uint32_t at = (uint32_t)chunk * job->out->chunk;
        uint32_t stop = job->items - at < job->out->chunk ? job->items : at + job->out->chunk;
        struct sha256 h;
        sha256_begin(&h);
        for (uint32_t v = at; v < stop; v++) {
            fr_t value = witness_value(job->w, v);
            counts[fr_is_zero(&value) ? 0 : fr_is_one(&value) ? 1 : 2]++;
            put_value(&h, &value);
        }
        sha256_end(&h, job->out->chunks[chunk]);
    }
}

cuzk_status witness_aux_digest(struct aux_digest *out, const struct witness *w, uint32_t chunk, struct pool *pool,
                               cuzk_error *err)
{
    *out = (struct aux_digest){ .zeros = 0 };
    unsigned workers = pool_threads(pool);
    struct values_job job = { .w = w, .out = &out->chunks, .items = w->circuit->aux };
    cuzk_status status = chunk_digests_create(&out->chunks, job.items, chunk, err);
    if (status != CUZK_OK) return status;
    job.counts = calloc(workers, sizeof *job.counts);
    if (!job.counts) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to digest a witness");
    pool_for(pool, out->chunks.count, 1, digest_aux, &job);
    chunk_digests_close(&out->chunks);
    for (unsigned i = 0; i < workers; i++) {
        out->zeros += job.counts[i][0];
        out->ones += job.counts[i][1];
        out->others += job.counts[i][2];
    }
    free(job.counts);
    struct sha256 h;
    sha256_begin(&h);
    for (uint32_t v = 0; v < job.items; v++) {
        fr_t value = witness_value(w, v);
        put_value(&h, &value);
    }
    sha256_end(&h, out->sha256);
    return CUZK_OK;
}

void witness_inputs_digest(uint8_t out[32], const struct witness *w)
{
    struct sha256 h;
    sha256_begin(&h);
    for (uint32_t i = 0; i < w->circuit->inputs; i++) put_value(&h, &w->inputs[i]);
    sha256_end(&h, out);
}
