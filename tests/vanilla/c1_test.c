/* The three forms of a PoRep's vanilla proof: what is read, and what is refused and how it is named. */
#include "fixture.h"
#include "vanilla/node.h"
#include "vanilla/public_inputs.h"
#include "vanilla/wrapper.h"

#include <jansson.h>
#include <stdio.h>

/* ---- the same job from every form ---- */

static void assert_same_challenges(const struct porep_input *a, const struct porep_input *b)
{
    const struct sector_shape *s = sector_shape_by_id("2k");
    assert_int_equal(a->challenge_count, b->challenge_count);
    for (size_t i = 0; i < a->challenge_count; i++) {
        const struct porep_challenge *p = &a->challenges[i], *q = &b->challenges[i];
        assert_int_equal(p->node, q->node);
        assert_memory_equal(&p->data_leaf, &q->data_leaf, NODE_BYTES);
        assert_memory_equal(p->path_d.siblings, q->path_d.siblings, s->tree_d.siblings * NODE_BYTES);
        assert_memory_equal(p->path_r.siblings, q->path_r.siblings, s->tree_r.siblings * NODE_BYTES);
        assert_memory_equal(p->path_c.siblings, q->path_c.siblings, s->tree_r.siblings * NODE_BYTES);
        for (size_t n = 0; n < PARENTS; n++) {
            const struct porep_column *x = &p->parents[n], *y = &q->parents[n];
            assert_int_equal(x->path.index, y->path.index);
            assert_memory_equal(x->rows, y->rows, s->layers * NODE_BYTES);
            assert_memory_equal(x->path.siblings, y->path.siblings, s->tree_r.siblings * NODE_BYTES);
        }
    }
}

static void vanilla_parse__reads_all_forms_alike(void **state)
{
    (void)state;
    struct fixture bare, wrapped, bincode;
    fixture_porep(&bare, "porep-s42.c1.json");
    fixture_porep(&wrapped, "porep-s42.wrapped.json");
    fixture_porep(&bincode, "porep-s42.c1.json");
    bincode.files[1] = bincode_of_c1(bincode.files[0]);
    bincode.request.vanilla_proof = bincode.files[1];
    assert_int_equal(c1_recognise(bare.request.vanilla_proof), C1_FORM_JSON);
    assert_int_equal(c1_recognise(wrapped.request.vanilla_proof), C1_FORM_WRAPPER);
    assert_int_equal(c1_recognise(bincode.request.vanilla_proof), C1_FORM_BINCODE);
    struct vanilla_job *jobs[3];
    struct fixture *const all[] = { &bare, &wrapped, &bincode };
    for (size_t i = 0; i < 3; i++) {
        cuzk_error err = { "" };
        if (vanilla_parse(&jobs[i], &all[i]->request, &err) != CUZK_OK) fail_msg("%s", err.detail);
        assert_int_equal(vanilla_check(jobs[i], NULL, &err), CUZK_OK);
        assert_int_equal(jobs[i]->input_count, 1);
        const struct porep_input *input = &jobs[i]->inputs[0].porep, *first = &jobs[0]->inputs[0].porep;
        assert_memory_equal(&input->replica_id, &first->replica_id, 5 * NODE_BYTES);
        assert_same_challenges(input, first);
    }
    for (size_t i = 0; i < 3; i++) {
        vanilla_job_free(jobs[i]);
        fixture_free(all[i]);
    }
}

static void vanilla_parse__takes_the_proof_type_from_the_payload(void **state)
{
    (void)state;
    struct fixture f;
    fixture_porep(&f, "porep-s42.c1.json");
    f.request.registered_proof = 0;
    f.request.miner_id = 0;
    f.request.has_sector_number = false;
    struct vanilla_job *job;
    assert_int_equal(vanilla_parse(&job, &f.request, NULL), CUZK_OK);
    assert_int_equal(job->proof->number, 5);
    assert_string_equal(job->shape->id, "2k");
    assert_false(job->has_identity);
    vanilla_job_free(job);
    fixture_free(&f);
}

static void vanilla_parse__compares_request_and_payload(void **state)
{
    (void)state;
    struct fixture f;
    fixture_porep(&f, "porep-s42.wrapped.json");
    struct request r = f.request;
    r.registered_proof = 6;
    assert_refused(&r, "registered_proof: 6 in the request, but the vanilla proof is of StackedDrg2KiBV1_1 (5)");
    r = f.request;
    r.sector_size = 8 << 20;
    assert_refused(&r, "sector_size: 8388608 given, but registered proof StackedDrg2KiBV1_1 (5) has 2048");
    r = f.request;
    r.sector_number = 43;
    assert_refused(&r, "SectorNum: 42, but the request's sector_number is 43");
    r = f.request;
    r.miner_id = 1001;
    assert_refused(&r, "replica_id: 59ea001b");
    r = f.request;
    r.kind = (enum proof_kind)0;
    assert_refused(&r, "proof_kind: 0 is none of 1 to 4");
    r = f.request;
    r.vanilla_proof.size = 0;
    assert_refused(&r, "vanilla_proof: empty");
    r = f.request;
    r.one_partition = true;
    assert_int_equal(parse_and_check(&r, NULL), CUZK_OK);
    r.partition = 1;
    assert_refused(&r, "partition 1 asked for, StackedDrg2KiBV1_1 has 0 to 0");
    fixture_free(&f);
}

/* ---- damage to the JSON's structure, through jansson ---- */

/* A document to be damaged, and the request that sends it. */
struct document {
    struct fixture f;
    json_t *top;
};

static void open_document(struct document *d)
{
    fixture_porep(&d->f, "porep-s42.c1.json");
    d->top = json_loadb((const char *)d->f.files[0].data, d->f.files[0].size, 0, NULL);
    assert_non_null(d->top);
}

static void close_document(struct document *d)
{
    json_decref(d->top);
    fixture_free(&d->f);
}

/* "a.b[1].c" below the document; "" is the document. */
static json_t *find(json_t *at, const char *path)
{
    while (*path) {
        if (*path == '[') {
            char *end;
            at = json_array_get(at, strtoul(path + 1, &end, 10));
            path = end + 1;
        } else {
            if (*path == '.') path++;
            size_t n = strcspn(path, ".[");
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)n, path);
            at = json_object_get(at, name);
            path += n;
        }
        assert_non_null(at);
    }
    return at;
}

#define PROOF "vanilla_proofs.StackedDrg2KiBV1[0][1]"
#define SHOWN "vanilla_proofs[0][1]."

static struct request request_of(struct document *d)
{
    char *text = json_dumps(d->top, JSON_COMPACT);
    assert_non_null(text);
    free(fixture_bytes(&d->f, 1));
    d->f.files[1] = (struct bytes){ (uint8_t *)text, strlen(text) };
    struct request r = d->f.request;
    r.vanilla_proof = d->f.files[1];
    return r;
}

static void refused_now(struct document *d, const char *place, const char *reason)
{
    struct request r = request_of(d);
    cuzk_error err = { "" };
    cuzk_status status = parse_and_check(&r, &err);
    if (status != CUZK_ERR_DATA || strncmp(err.detail, place, strlen(place)) != 0 || !strstr(err.detail, reason)) {
        fail_msg("%s … %s expected, found: %s", place, reason, err.detail);
    }
}

static void c1_json__takes_members_in_any_order_and_ignores_strangers(void **state)
{
    (void)state;
    struct document d;
    open_document(&d);
    json_t *reversed = json_object();
    static const char *const order[] = { "ticket", "seed",           "replica_id",      "comm_d",
                                         "comm_r", "vanilla_proofs", "registered_proof" };
    json_object_set_new(reversed, "Unknown", json_loads("[{\"comm_r\":[]},null,1.5]", 0, NULL));
    for (size_t i = 0; i < 7; i++) json_object_set(reversed, order[i], json_object_get(d.top, order[i]));
    json_decref(d.top);
    d.top = reversed;
    json_object_set_new(find(d.top, PROOF ".comm_d_proofs.data.Single"), "more", json_true());
    json_object_del(find(d.top, PROOF ".replica_column_proofs.c_x.column"), "_h");
    struct request r = request_of(&d);
    assert_int_equal(parse_and_check(&r, NULL), CUZK_OK);
    close_document(&d);
}

static void c1_json__names_every_missing_member(void **state)
{
    (void)state;
    static const struct {
        const char *object, *member, *place;
    } cases[] = {
        { "", "registered_proof", "byte " },
        { "", "ticket", "byte " },
        { "", "vanilla_proofs", "byte " },
        { PROOF, "encoding_proof", "vanilla_proofs[0][1]: byte " },
        { PROOF, "comm_d_proofs", "vanilla_proofs[0][1]: byte " },
        { PROOF ".comm_d_proofs", "data", SHOWN "comm_d_proofs: byte " },
        { PROOF ".comm_d_proofs.data.Single", "root", SHOWN "comm_d_proofs: byte " },
        { PROOF ".comm_r_last_proof.data.Single.path", "path", SHOWN "comm_r_last_proof.path: byte " },
        { PROOF ".comm_r_last_proof.data.Single.path.path[1]", "index",
          SHOWN "comm_r_last_proof.path.path[1]: byte " },
        { PROOF ".replica_column_proofs", "c_x", SHOWN "replica_column_proofs: byte " },
        { PROOF ".replica_column_proofs.exp_parents[7].column", "rows",
          SHOWN "replica_column_proofs.exp_parents[7].column: byte " },
        { PROOF ".labeling_proofs[1]", "node", SHOWN "labeling_proofs[1]: byte " },
        { PROOF ".encoding_proof", "layer_index", SHOWN "encoding_proof: byte " },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct document d;
        char reason[64];
        open_document(&d);
        assert_int_equal(json_object_del(find(d.top, cases[i].object), cases[i].member), 0);
        snprintf(reason, sizeof reason, "member \"%s\" is missing", cases[i].member);
        refused_now(&d, cases[i].place, reason);
        close_document(&d);
    }
}

static void c1_json__names_wrong_counts(void **state)
{
    (void)state;
    static const struct {
        const char *array, *place, *less, *more;
    } cases[] = {
        { "comm_r", "comm_r: byte ", "32 bytes expected, 31 found", "32 bytes expected, 33 found" },
        { "vanilla_proofs.StackedDrg2KiBV1[0]", "vanilla_proofs[0]: byte ", "2 challenges expected, 1 found",
          "2 challenges expected, 3 found" },
        { PROOF ".comm_d_proofs.data.Single.path.path", SHOWN "comm_d_proofs.path.path: byte ",
          "6 levels expected, 5 found", "6 levels expected, 7 found" },
        { PROOF ".replica_column_proofs.drg_parents[3].inclusion_proof.data.Single.path.path[1].hashes",
          SHOWN "replica_column_proofs.drg_parents[3].inclusion_proof.path.path[1].hashes: byte ",
          "7 hashes expected, 6 found", "7 hashes expected, 8 found" },
        { PROOF ".comm_d_proofs.data.Single.path.path[2].hashes", SHOWN "comm_d_proofs.path.path[2].hashes: byte ",
          "1 hash expected, 0 found", "1 hash expected, 2 found" },
        { PROOF ".replica_column_proofs.drg_parents", SHOWN "replica_column_proofs.drg_parents: byte ",
          "6 columns expected, 5 found", "6 columns expected, 7 found" },
        { PROOF ".replica_column_proofs.exp_parents", SHOWN "replica_column_proofs.exp_parents: byte ",
          "8 columns expected, 7 found", "8 columns expected, 9 found" },
        { PROOF ".replica_column_proofs.c_x.column.rows", SHOWN "replica_column_proofs.c_x.column.rows: byte ",
          "2 rows expected, 1 found", "2 rows expected, 3 found" },
        { PROOF ".labeling_proofs", SHOWN "labeling_proofs: byte ", "2 layers expected, 1 found",
          "2 layers expected, 3 found" },
        { PROOF ".labeling_proofs[0].parents", SHOWN "labeling_proofs[0].parents: byte ",
          "37 labels expected, 36 found", "37 labels expected, 38 found" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct document d;
        open_document(&d);
        json_t *array = find(d.top, cases[i].array);
        json_t *last = json_incref(json_array_get(array, json_array_size(array) - 1));
        json_array_append(array, last);
        refused_now(&d, cases[i].place, cases[i].more);
        json_array_remove(array, json_array_size(array) - 1);
        json_array_remove(array, json_array_size(array) - 1);
        refused_now(&d, cases[i].place, cases[i].less);
        json_decref(last);
        close_document(&d);
    }
}

static void c1_json__refuses_other_numbers_of_partitions(void **state)
{
    (void)state;
    struct document d;
    open_document(&d);
    json_t *partitions = find(d.top, "vanilla_proofs.StackedDrg2KiBV1");
    json_array_append(partitions, json_array_get(partitions, 0));
    refused_now(&d, "vanilla_proofs: ", "1 partitions expected, 2 found");
    for (int i = 0; i < 13; i++) json_array_append(partitions, json_array_get(partitions, 0));
    refused_now(&d, "vanilla_proofs[13]", "more than 13 partitions");
    json_array_clear(partitions);
    refused_now(&d, "vanilla_proofs: ", "no partition");
    json_t *proofs = find(d.top, "vanilla_proofs");
    json_object_del(proofs, "StackedDrg2KiBV1");
    refused_now(&d, "vanilla_proofs: ", "a member named like");
    json_object_set_new(proofs, "StackedDrg2KiBV1_1", json_array());
    refused_now(&d, "vanilla_proofs: ", "a member named like");
    close_document(&d);
}

/* Every 32-byte value and number that occurs, whether the circuit takes it or not. */
static void c1_json__refuses_wrong_values_everywhere(void **state)
{
    (void)state;
    static const char *const values[] = {
        "comm_r",
        "comm_d",
        "replica_id",
        PROOF ".comm_d_proofs.data.Single.root",
        PROOF ".comm_d_proofs.data.Single.leaf",
        PROOF ".comm_d_proofs.data.Single.path.path[5].hashes[0]",
        PROOF ".comm_r_last_proof.data.Single.leaf",
        PROOF ".comm_r_last_proof.data.Single.root",
        PROOF ".replica_column_proofs.c_x.column.rows[1]",
        PROOF ".replica_column_proofs.c_x.inclusion_proof.data.Single.leaf",
        PROOF ".replica_column_proofs.drg_parents[0].column.rows[0]",
        PROOF ".replica_column_proofs.exp_parents[7].inclusion_proof.data.Single.path.path[0].hashes[6]",
        PROOF ".labeling_proofs[1].parents[36]",
        PROOF ".encoding_proof.parents[0]",
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct document d;
        open_document(&d);
        json_t *array = find(d.top, values[i]);
        json_int_t last = json_integer_value(json_array_get(array, 31));
        json_array_set_new(array, 31, json_integer(0x74));
        refused_now(&d, "", "is not below r");
        json_array_set_new(array, 31, json_integer(256));
        refused_now(&d, "", "an integer up to 255 expected, 256 found");
        json_array_set_new(array, 31, json_real(1.5));
        refused_now(&d, "", "an integer 0 to 255 expected, 1.5 found");
        json_array_set_new(array, 31, json_integer(last ^ 1)); /* canonical, but not the same */
        refused_now(&d, "", "");
        close_document(&d);
    }
}

static void c1_json__refuses_wrong_numbers_everywhere(void **state)
{
    (void)state;
    static const char *const numbers[] = {
        PROOF ".comm_d_proofs.data.Single.path.path[5].index",
        PROOF ".comm_r_last_proof.data.Single.path.path[0].index",
        PROOF ".replica_column_proofs.c_x.column.index",
        PROOF ".replica_column_proofs.exp_parents[2].column.index",
        PROOF ".replica_column_proofs.drg_parents[5].inclusion_proof.data.Single.path.path[1].index",
        PROOF ".labeling_proofs[0].layer_index",
        PROOF ".labeling_proofs[0].node",
        PROOF ".labeling_proofs[1].node",
        PROOF ".encoding_proof.layer_index",
        PROOF ".encoding_proof.node",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct document d;
        open_document(&d);
        json_t *value = find(d.top, numbers[i]);
        json_int_t was = json_integer_value(value);
        const json_int_t others[] = { was ^ 1, was + 8, INT64_MAX, -1 };
        for (size_t k = 0; k < 4; k++) {
            json_integer_set(value, others[k]);
            refused_now(&d, "vanilla_proofs[0][1].", "");
        }
        close_document(&d);
    }
}

static void c1_json__refuses_other_types(void **state)
{
    (void)state;
    static const char *const places[] = {
        "registered_proof",
        "vanilla_proofs",
        "seed",
        PROOF,
        PROOF ".comm_d_proofs",
        PROOF ".comm_d_proofs.data.Single.path",
        PROOF ".replica_column_proofs.drg_parents",
        PROOF ".labeling_proofs[0].node",
        PROOF ".replica_column_proofs.c_x.column._h",
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct document d;
        open_document(&d);
        char parent[128];
        const char *dot = strrchr(places[i], '.');
        snprintf(parent, sizeof parent, "%.*s", dot ? (int)(dot - places[i]) : 0, places[i]);
        const char *member = dot ? dot + 1 : places[i];
        if (strchr(member, '[')) {
            json_array_set_new(find(d.top, "vanilla_proofs.StackedDrg2KiBV1[0]"), 1, json_true());
        } else {
            json_object_set_new(find(d.top, parent), member, json_true());
        }
        refused_now(&d, "", "expected, 't' found");
        close_document(&d);
    }
}

static void c1_json__refuses_other_variants_and_names(void **state)
{
    (void)state;
    struct document d;
    open_document(&d);
    json_t *data = find(d.top, PROOF ".comm_r_last_proof.data");
    json_object_set_new(data, "Sub", json_object());
    refused_now(&d, SHOWN "comm_r_last_proof: byte ", "a second member where one is allowed");
    json_object_del(data, "Single");
    refused_now(&d, SHOWN "comm_r_last_proof: byte ", "\"Single\" expected, \"Sub\" found");
    json_object_set_new(d.top, "registered_proof", json_string("StackedDrg2KiBV9"));
    refused_now(&d, "registered_proof: byte ", "\"StackedDrg2KiBV9\" is no registered seal proof");
    close_document(&d);
    open_document(&d);
    d.f.request.registered_proof = 0;
    json_object_set_new(d.top, "registered_proof", json_string("StackedDrg8MiBV1_1"));
    refused_now(&d, "vanilla_proofs: ", "of 2KiB, but registered_proof is StackedDrg8MiBV1_1");
    close_document(&d);
}

static void c1_json__refuses_zero_commitments_and_seed(void **state)
{
    (void)state;
    static const char *const names[] = { "comm_d", "comm_r", "seed" };
    for (size_t i = 0; i < 3; i++) {
        struct document d;
        open_document(&d);
        json_t *array = find(d.top, names[i]);
        for (size_t b = 0; b < 32; b++) json_array_set_new(array, b, json_integer(0));
        refused_now(&d, names[i], "");
        close_document(&d);
    }
}

/* Seed and ticket are hashed only: chains give them all 256 bits. */
static void c1_json__takes_any_ticket(void **state)
{
    (void)state;
    struct document d;
    open_document(&d);
    json_array_set_new(find(d.top, "ticket"), 31, json_integer(255));
    d.f.request.miner_id = 0;
    struct request r = request_of(&d);
    assert_int_equal(parse_and_check(&r, NULL), CUZK_OK);
    d.f.request.miner_id = 1000;
    refused_now(&d, "replica_id: ", "the ticket");
    close_document(&d);
}

static void c1_json__refuses_repeated_members(void **state)
{
    (void)state;
    static const char *const names[] = { "\"seed\":",  "\"comm_d_proofs\":", "\"Single\":", "\"hashes\":",
                                         "\"index\":", "\"parents\":",       "\"c_x\":",    "\"rows\":" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct fixture f;
        fixture_porep(&f, "porep-s42.c1.json");
        const char *text = (const char *)f.files[0].data, *at = strstr(text, names[i]);
        assert_non_null(at);
        size_t head = (size_t)(at - text), length = strlen(names[i]), size = f.files[0].size;
        uint8_t *twice = malloc(size + length + 5);
        memcpy(twice, text, head);
        memcpy(twice + head, names[i], length); /* once more with a value of its own, in front */
        memcpy(twice + head + length, "null,", 5);
        memcpy(twice + head + length + 5, at, size - head);
        f.files[1] = (struct bytes){ twice, size + length + 5 };
        f.request.vanilla_proof = f.files[1];
        assert_refused(&f.request, "");
        fixture_free(&f);
    }
}

/* ---- damage to the bytes ---- */

static void c1_json__refuses_truncation_and_extension(void **state)
{
    (void)state;
    static const char *const files[] = { "porep-s42.c1.json", "porep-s42.wrapped.json" };
    for (size_t i = 0; i < 2; i++) {
        struct fixture f;
        fixture_porep(&f, files[i]);
        size_t size = f.files[0].size;
        for (size_t cut = 0; cut < size; cut += cut < 300 || cut + 300 > size ? 1 : 499) {
            f.request.vanilla_proof.size = cut;
            assert_int_equal(parse_only(&f.request, NULL), CUZK_ERR_DATA);
        }
        uint8_t *longer = malloc(size + 1);
        memcpy(longer, f.files[0].data, size);
        f.request.vanilla_proof = (struct bytes){ longer, size + 1 };
        for (unsigned c = 0; c < 256; c++) {
            bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
            longer[size] = (uint8_t)c;
            assert_int_equal(parse_only(&f.request, NULL), space ? CUZK_OK : CUZK_ERR_DATA);
        }
        free(longer);
        fixture_free(&f);
    }
}

/* The name "_h" of a column's empty member, which may be missing, under another name too. */
static bool is_empty_member(const uint8_t *text, size_t at)
{
    for (size_t back = 0; back < 3; back++) {
        if (at > back && memcmp(text + at - back, "_h\":null", 8) == 0) return true;
    }
    return false;
}

static void c1_json__refuses_flipped_bits(void **state)
{
    (void)state;
    struct fixture f;
    fixture_porep(&f, "porep-s42.c1.json");
    uint8_t *text = fixture_bytes(&f, 0);
    for (size_t at = 0; at < f.files[0].size; at += 2111) {
        bool harmless = is_empty_member(text, at);
        text[at] ^= (uint8_t)(1u << at % 8);
        cuzk_error err = { "" };
        cuzk_status status = parse_and_check(&f.request, &err);
        if (!harmless && status != CUZK_ERR_DATA) fail_msg("byte %zu: %d %s", at, status, err.detail);
        text[at] ^= (uint8_t)(1u << at % 8);
    }
    fixture_free(&f);
}

static void c1_bincode__refuses_truncation_and_extension(void **state)
{
    (void)state;
    struct fixture f;
    fixture_porep(&f, "porep-s42.c1.json");
    f.files[1] = bincode_of_c1(f.files[0]);
    f.request.vanilla_proof = f.files[1];
    for (size_t cut = 0; cut < f.files[1].size; cut++) {
        f.request.vanilla_proof.size = cut;
        assert_int_equal(parse_only(&f.request, NULL), CUZK_ERR_DATA);
    }
    uint8_t *longer = calloc(1, f.files[1].size + 1);
    memcpy(longer, f.files[1].data, f.files[1].size);
    f.request.vanilla_proof = (struct bytes){ longer, f.files[1].size + 1 };
    assert_refused(&f.request, "1 more bytes follow");
    free(longer);
    fixture_free(&f);
}

static void c1_bincode__refuses_flipped_bits(void **state)
{
    (void)state;
    struct fixture f;
    fixture_porep(&f, "porep-s42.c1.json");
    f.files[1] = bincode_of_c1(f.files[0]);
    f.request.vanilla_proof = f.files[1];
    uint8_t *data = fixture_bytes(&f, 1);
    for (size_t at = 0; at < f.files[1].size; at += at < 120 ? 1 : 397) {
        data[at] ^= (uint8_t)(1u << at % 8);
        cuzk_error err = { "" };
        if (parse_and_check(&f.request, &err) != CUZK_ERR_DATA) fail_msg("byte %zu: %s", at, err.detail);
        data[at] ^= (uint8_t)(1u << at % 8);
    }
    fixture_free(&f);
}

static void c1_bincode__refuses_huge_counts(void **state)
{
    (void)state;
    struct fixture f;
    fixture_porep(&f, "porep-s42.c1.json");
    f.files[1] = bincode_of_c1(f.files[0]);
    f.request.vanilla_proof = f.files[1];
    static const uint64_t counts[] = { 0, 3, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX };
    /* partitions, challenges, levels, hashes */
    static const size_t places[] = { 0, 8, 16 + 4 + 64, 16 + 4 + 64 + 8 };
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        uint8_t *at = fixture_bytes(&f, 1) + places[p];
        uint64_t was = load_le64(at);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            store_le64(at, counts[i]);
            assert_refused(&f.request, "");
        }
        store_le64(at, was);
    }
    f.request.registered_proof = 8;
    assert_refused(&f.request, "StackedDrg32GiBV1_1 (8) in the request, but the vanilla proof is of 2KiB");
    fixture_free(&f);
}

/* ---- the wrapper ---- */

static void wrapper__names_its_members(void **state)
{
    (void)state;
    static const struct {
        const char *text, *detail;
    } cases[] = {
        { "{\"SectorNum\":42,\"Phase1Out\":\"\"}", "byte 30: member \"SectorSize\" is missing" },
        { "{\"SectorNum\":42,\"SectorSize\":2048}", "byte 33: member \"Phase1Out\" is missing" },
        { "{\"SectorNum\":-1}", "SectorNum: byte 13: an integer 0 to 9223372036854775807 expected, -1 found" },
        { "{\"SectorNum\":1,\"SectorNum\":1}", "byte 14: member \"SectorNum\" occurs twice" },
        { "{\"SectorNum\":42,\"SectorSize\":2048,\"Phase1Out\":\"A\"}", "Phase1Out: base64 of 1 characters" },
        { "{\"SectorNum\":42,\"SectorSize\":2048,\"Phase1Out\":\"e30=\"}",
          "Phase1Out: byte 1: member \"registered_proof\" is missing" },
        { "{\"SectorNum\":42,\"SectorSize\":2048,\"Phase1Out\":\"e30=\"} x", "the end expected, 'x' found" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct request r = { .kind = PROOF_POREP,
                             .vanilla_proof = { (const uint8_t *)cases[i].text, strlen(cases[i].text) } };
        assert_refused(&r, cases[i].detail);
    }
}

static void wrapper__compares_its_size(void **state)
{
    (void)state;
    struct fixture f;
    fixture_porep(&f, "porep-s42.wrapped.json");
    char *at = strstr((char *)fixture_bytes(&f, 0), "\"SectorSize\":2048");
    assert_non_null(at);
    memcpy(at, "\"SectorSize\":4096", 17);
    assert_refused(&f.request, "SectorSize: 4096 given, but Phase1Out is of StackedDrg2KiBV1_1 (2048)");
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(vanilla_parse__reads_all_forms_alike),
        test(vanilla_parse__takes_the_proof_type_from_the_payload),
        test(vanilla_parse__compares_request_and_payload),
        test(c1_json__takes_members_in_any_order_and_ignores_strangers),
        test(c1_json__names_every_missing_member),
        test(c1_json__names_wrong_counts),
        test(c1_json__refuses_other_numbers_of_partitions),
        test(c1_json__refuses_wrong_values_everywhere),
        test(c1_json__refuses_wrong_numbers_everywhere),
        test(c1_json__refuses_other_types),
        test(c1_json__refuses_other_variants_and_names),
        test(c1_json__refuses_zero_commitments_and_seed),
        test(c1_json__takes_any_ticket),
        test(c1_json__refuses_repeated_members),
        test(c1_json__refuses_truncation_and_extension),
        test(c1_json__refuses_flipped_bits),
        test(c1_bincode__refuses_truncation_and_extension),
        test(c1_bincode__refuses_flipped_bits),
        test(c1_bincode__refuses_huge_counts),
        test(wrapper__names_its_members),
        test(wrapper__compares_its_size),
    };
    return run_tests(tests);
}
