#include "r1cs/builder.h"

#include "base/vec.h"
#include "r1cs/coeffs.h"

#include <stdlib.h>
#include <string.h>

/* A cached template with the pattern under which it is found. */
struct cached {
    const struct block *block;
    uint32_t *pattern; /* params and import pattern as words */
    size_t pattern_length;
    uint64_t hash;
};

struct builder {
    struct coeff_table coeffs;
    struct vec templates; /* struct template * */
    struct vec cache;     /* struct cached, parallel to templates */
    struct vec instances; /* struct instance */
    struct vec imports;   /* uint32_t */
    struct vec groups;    /* uint32_t */
    struct instance next; /* running totals: what the next instance begins with */
    /* Scratch of one call. */
    struct vec pattern;    /* uint32_t */
    struct vec distinct;   /* uint32_t: variable number of each import of this call */
    struct vec local_bits; /* struct bit */
    struct vec local_nums; /* uint32_t */
    struct vec wide;       /* bool by import */
    struct vec slots;      /* uint32_t: hash slots over `distinct`, import index + 1 */
    cuzk_status status;
    cuzk_error error;
};

cuzk_status builder_create(struct builder **out, cuzk_error *err)
{
    struct builder *b = calloc(1, sizeof *b);
    *out = b;
    if (!b) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to build a circuit");
    cuzk_status status = coeff_table_create(&b->coeffs, err);
    if (status != CUZK_OK) {
        free(b);
        *out = NULL;
        return status;
    }
    b->next.public_base = 1; /* ONE */
    uint32_t first = 0;
    vec_push(&b->groups, &first, sizeof first);
    return CUZK_OK;
}

void builder_free(struct builder *b)
{
    if (!b) return;
    struct template **templates = b->templates.data;
    for (size_t i = 0; i < b->templates.count; i++) template_free(templates[i]);
    struct cached *cache = b->cache.data;
    for (size_t i = 0; i < b->cache.count; i++) free(cache[i].pattern);
    struct vec *all[] = { &b->templates, &b->cache, &b->instances, &b->imports, &b->groups, &b->pattern,
                          &b->distinct, &b->local_bits, &b->local_nums, &b->wide, &b->slots };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) vec_free(all[i]);
    coeff_table_free(&b->coeffs);
    free(b);
}

static void fail(struct builder *b, cuzk_status status, const char *block, const char *what)
{
    if (b->status == CUZK_OK) b->status = cuzk_fail(&b->error, status, "block %s: %s", block, what);
}

void builder_fail(struct builder *b, const char *what)
{
    if (b->status == CUZK_OK) b->status = cuzk_fail(&b->error, CUZK_ERR_RESOURCE, "%s", what);
}

/* The import number of a variable within this call; `distinct` grows when it is new. */
static uint32_t import_of(struct builder *b, uint32_t variable, bool wide)
{
    uint32_t *slots = b->slots.data, *distinct = b->distinct.data;
    size_t mask = b->slots.count - 1;
    size_t s = variable * 2654435761u & mask;
    for (; slots[s] != 0; s = (s + 1) & mask) {
        if (distinct[slots[s] - 1] == variable) return slots[s] - 1;
    }
    vec_push(&b->distinct, &variable, sizeof variable);
    vec_push(&b->wide, &wide, sizeof wide);
    slots[s] = (uint32_t)b->distinct.count;
    return slots[s] - 1;
}

static bool prepare_scratch(struct builder *b, const struct call *call)
{
    struct vec *scratch[] = { &b->pattern, &b->distinct, &b->local_bits, &b->local_nums, &b->wide, &b->slots };
    for (size_t i = 0; i < sizeof scratch / sizeof scratch[0]; i++) scratch[i]->count = 0;
    size_t slot_count = 16;
    while (slot_count < 2 * (call->bit_count + call->num_count)) slot_count *= 2;
    uint32_t *slots = vec_extend(&b->slots, slot_count, sizeof *slots);
    if (slots) memset(slots, 0, slot_count * sizeof *slots);
    return slots != NULL;
}

static void push_pattern(struct builder *b, uint32_t word) { vec_push(&b->pattern, &word, sizeof word); }

/* Fills pattern, distinct imports and the imports in local refs. */
static bool describe_call(struct builder *b, const struct call *call)
{
    if (!prepare_scratch(b, call)) return false;
    push_pattern(b, (uint32_t)call->params_size);
    push_pattern(b, (uint32_t)call->bit_count);
    push_pattern(b, (uint32_t)call->num_count);
    for (size_t i = 0; i < call->params_size; i += 4) {
        uint32_t word = 0;
        size_t left = call->params_size - i;
        memcpy(&word, (const char *)call->params + i, left < 4 ? left : 4);
        push_pattern(b, word);
    }
    for (size_t i = 0; i < call->bit_count; i++) {
        struct bit local = call->bits[i];
        if (!bit_is_constant(local)) {
            uint32_t import = import_of(b, bit_ref(local) - 1, false);
            local = (struct bit){ (1 + import) << 1 | bit_negated(local) };
        }
        vec_push(&b->local_bits, &local, sizeof local);
        push_pattern(b, local.code);
    }
    for (size_t i = 0; i < call->num_count; i++) {
        uint32_t local = 1 + import_of(b, call->nums[i] - 1, true);
        vec_push(&b->local_nums, &local, sizeof local);
        push_pattern(b, local);
    }
    return !(b->pattern.failed || b->distinct.failed || b->wide.failed || b->local_bits.failed ||
             b->local_nums.failed);
}

static uint64_t hash_pattern(const struct vec *pattern)
{
    uint64_t h = 0xcbf29ce484222325u;
    const uint32_t *words = pattern->data;
    for (size_t i = 0; i < pattern->count; i++) h = (h ^ words[i]) * 0x100000001b3u;
    return h;
}

static bool find_template(uint32_t *out, const struct builder *b, const struct block *block, uint64_t hash)
{
    const struct cached *cache = b->cache.data;
    for (size_t i = 0; i < b->cache.count; i++) {
        if (cache[i].hash == hash && cache[i].block == block && cache[i].pattern_length == b->pattern.count &&
            memcmp(cache[i].pattern, b->pattern.data, b->pattern.count * sizeof(uint32_t)) == 0) {
            *out = (uint32_t)i;
            return true;
        }
    }
    return false;
}

static cuzk_status record_template(struct template **out, struct builder *b, const struct call *call)
{
    struct recorder_imports imports = { .bits = b->local_bits.data, .bit_count = call->bit_count,
                                        .nums = b->local_nums.data, .num_count = call->num_count,
                                        .imports = (uint32_t)b->distinct.count, .wide = b->wide.data };
    struct recorder *r = NULL;
    cuzk_status status = recorder_create(&r, call->block->name, &imports, &b->coeffs, &b->error);
    if (status == CUZK_OK) {
        call->block->record(r, call->params);
        status = recorder_finish(out, r, &b->error);
    }
    recorder_free(r);
    return status;
}

static void add_template(uint32_t *out, struct builder *b, const struct call *call, uint64_t hash)
{
    struct template *t = NULL;
    b->status = record_template(&t, b, call);
    if (b->status != CUZK_OK) return;
    struct cached entry = { call->block, malloc((b->pattern.count + 1) * sizeof(uint32_t)), b->pattern.count,
                            hash };
    if (entry.pattern) memcpy(entry.pattern, b->pattern.data, b->pattern.count * sizeof(uint32_t));
    *out = (uint32_t)b->templates.count;
    vec_push(&b->templates, &t, sizeof(struct template *));
    if (b->templates.failed) template_free(t);
    vec_push(&b->cache, &entry, sizeof entry);
    if (b->cache.failed) free(entry.pattern);
    if (!entry.pattern || b->templates.failed || b->cache.failed) {
        fail(b, CUZK_ERR_RESOURCE, call->block->name, "no memory");
    }
}

/* Advances the totals by one instance; false if a number would not fit 32 bits. */
static bool advance(struct instance *next, const struct template *t)
{
    uint32_t *totals[] = { &next->aux_base,  &next->public_base, &next->row_base, &next->bit_base,
                           &next->wide_base, &next->int_base,    &next->node_base };
    uint32_t more[] = { t->locals, t->publics, t->rows, t->bits, t->wides, t->slot_ints, t->slot_nodes };
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        if (__builtin_add_overflow(*totals[i], more[i], totals[i]) || *totals[i] >= REF_PUBLIC) return false;
    }
    return true;
}

static uint32_t exported_ref(const struct builder *b, const struct instance *i, const struct template *t,
                             uint32_t ref)
{
    if (ref == REF_ONE) return REF_ONE;
    const uint32_t *distinct = b->distinct.data;
    if (ref <= t->imports) return 1 + distinct[ref - 1];
    return 1 + i->aux_base + ref - t->imports - 1;
}

void builder_call(struct builder *b, const struct call *call)
{
    if (b->status != CUZK_OK) return;
    if (!describe_call(b, call)) {
        fail(b, CUZK_ERR_RESOURCE, call->block->name, "no memory");
        return;
    }
    uint64_t hash = hash_pattern(&b->pattern);
    struct instance instance = b->next;
    if (!find_template(&instance.template, b, call->block, hash)) {
        add_template(&instance.template, b, call, hash);
        if (b->status != CUZK_OK) return;
    }
    const struct template *t = ((struct template **)b->templates.data)[instance.template];
    if (t->bit_export_count != call->bits_out_count || t->num_export_count != call->nums_out_count) {
        fail(b, CUZK_ERR_INTERNAL, call->block->name, "the caller expects other exports");
        return;
    }
    vec_push(&b->instances, &instance, sizeof instance);
    uint32_t *imports = vec_extend(&b->imports, b->distinct.count, sizeof *imports);
    if (imports && t->imports > 0) memcpy(imports, b->distinct.data, b->distinct.count * sizeof *imports);
    for (uint32_t i = 0; i < t->bit_export_count; i++) {
        struct bit local = t->bit_exports[i];
        call->bits_out[i].code = exported_ref(b, &instance, t, bit_ref(local)) << 1 | bit_negated(local);
    }
    for (uint32_t i = 0; i < t->num_export_count; i++) {
        call->nums_out[i] = exported_ref(b, &instance, t, t->num_exports[i]);
    }
    b->next.import_base = (uint32_t)b->imports.count;
    if (!advance(&b->next, t)) fail(b, CUZK_ERR_RESOURCE, call->block->name, "the circuit has too many variables");
}

void builder_group(struct builder *b)
{
    uint32_t start = (uint32_t)b->instances.count;
    vec_push(&b->groups, &start, sizeof start);
}

/* ORs `count` bits of `from`, beginning with bit `first`, into `to` at bit position `at`. */
static void or_bits(uint64_t *to, uint64_t at, const uint64_t *from, uint32_t first, uint32_t count)
{
    for (uint32_t done = 0; done < count;) {
        uint32_t source = first + done;
        uint32_t in_word = 64 - (source & 63), n = count - done < in_word ? count - done : in_word;
        uint64_t bits = from[source >> 6] >> (source & 63);
        if (n < 64) bits &= (UINT64_C(1) << n) - 1;
        uint64_t target = at + done;
        to[target >> 6] |= bits << (target & 63);
        if ((target & 63) + n > 64) to[(target >> 6) + 1] |= bits >> (64 - (target & 63));
        done += n;
    }
}

static bool ranked_create(struct ranked_bitmap *b, uint32_t size)
{
    size_t words = size / 64 + 1;
    b->words = calloc(words, sizeof *b->words);
    b->before = malloc(words * sizeof *b->before);
    return b->words && b->before;
}

static void ranked_finish(struct ranked_bitmap *b, uint32_t size)
{
    size_t words = size / 64 + 1;
    b->total = 0;
    for (size_t i = 0; i < words; i++) {
        b->before[i] = b->total;
        b->total += (uint32_t)__builtin_popcountll(b->words[i]);
    }
}

/* Bitmaps by variable, and the numbers of non-zero entries, from the templates. */
static bool derive_bitmaps(struct circuit *c)
{
    if (!ranked_create(&c->wide, c->aux)) return false;
    if (!ranked_create(&c->dense[0], c->aux) || !ranked_create(&c->dense[1], c->aux)) return false;
    for (size_t n = 0; n < c->instance_count; n++) {
        const struct instance *i = &c->instances[n];
        const struct template *t = c->templates[i->template];
        or_bits(c->wide.words, i->aux_base, t->wide, t->imports + 1, t->locals);
        for (int m = 0; m < MATRICES; m++) c->nonzero[m] += t->matrix[m].start[t->rows];
        for (int m = MATRIX_A; m <= MATRIX_B; m++) {
            or_bits(c->dense[m].words, i->aux_base, t->dense[m], t->imports + 1, t->locals);
            for (uint32_t k = 0; k < t->imports; k++) {
                if (!(t->dense[m][(k + 1) >> 6] >> ((k + 1) & 63) & 1)) continue;
                uint32_t v = c->imports[i->import_base + k];
                c->dense[m].words[v >> 6] |= UINT64_C(1) << (v & 63);
            }
        }
    }
    c->nonzero[MATRIX_A] += c->inputs;
    ranked_finish(&c->wide, c->aux);
    ranked_finish(&c->dense[0], c->aux);
    ranked_finish(&c->dense[1], c->aux);
    return true;
}

static void take_totals(struct circuit *c, const struct instance *totals)
{
    c->inputs = totals->public_base;
    c->aux = totals->aux_base;
    c->constraints = totals->row_base;
    c->rows = c->constraints + c->inputs;
    c->bits = totals->bit_base;
    c->wides = totals->wide_base;
    c->slot_ints = totals->int_base;
    c->slot_nodes = totals->node_base;
    while ((UINT64_C(1) << c->log2_domain) < c->rows) c->log2_domain++;
}

cuzk_status builder_finish(struct circuit **out, struct builder *b, cuzk_error *err)
{
    *out = NULL;
    if (b->status != CUZK_OK) {
        if (err) *err = b->error;
        return b->status;
    }
    struct circuit *c = calloc(1, sizeof *c);
    bool good = c && !b->instances.failed && !b->imports.failed && !b->groups.failed;
    if (good) {
        builder_group(b); /* the end of the last group */
        c->template_count = b->templates.count;
        c->instance_count = b->instances.count;
        c->import_count = b->imports.count;
        c->group_count = b->groups.count - 1;
        c->coeffs = b->coeffs.entries;
        c->coeff_count = b->coeffs.count;
        b->coeffs.entries = NULL;
        take_totals(c, &b->next);
        good = !b->groups.failed;
        c->templates = vec_take(&b->templates, sizeof *c->templates);
        c->instances = vec_take(&b->instances, sizeof *c->instances);
        c->imports = vec_take(&b->imports, sizeof *c->imports);
        c->groups = vec_take(&b->groups, sizeof *c->groups);
        good = good && c->templates && c->instances && c->imports && c->groups && derive_bitmaps(c);
    }
    if (!good) {
        circuit_free(c);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the compiled circuit");
    }
    *out = c;
    return CUZK_OK;
}
