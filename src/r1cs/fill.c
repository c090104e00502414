/* The interpreter of fill programs (r1cs/program.h) and the parallel filling of a packed witness.
 *
 * Every group's bits form one stream. A stream's interior 64-bit words belong to its group alone and are stored
 * whole; its first and last word may be shared with the neighbouring groups, so these are zeroed beforehand and
 * OR-ed in atomically. That is the only place where groups touch common memory.
 */
#include "r1cs/witness.h"

#include "hash/poseidon.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 16 };

/* Appends bits to the packed witness. */
struct bit_stream {
    uint64_t *words;
    uint64_t at;          /* position of the next bit */
    uint64_t pending;     /* bits of the current word, from the group's own variables */
    uint64_t first, last; /* indices of the words that may be shared */
};

static void store_word(struct bit_stream *s, uint64_t index, uint64_t value)
{
    if (index == s->first || index == s->last) {
        __atomic_fetch_or(&s->words[index], value, __ATOMIC_RELAXED);
    } else {
        __atomic_store_n(&s->words[index], value, __ATOMIC_RELAXED);
    }
}

static void append_bits(struct bit_stream *s, uint64_t bits, unsigned count)
{
    unsigned shift = s->at & 63;
    s->pending |= bits << shift;
    if (shift + count >= 64) {
        store_word(s, s->at >> 6, s->pending);
        s->pending = shift ? bits >> (64 - shift) : 0;
        if (shift + count == 64) s->pending = 0;
    }
    s->at += count;
}

/* Makes everything appended so far readable. */
static void flush_bits(struct bit_stream *s)
{
    if (s->at & 63) store_word(s, s->at >> 6, s->pending);
}

/* The bits of `value` under `mask`, packed towards bit 0. */
static uint64_t extract_bits(uint64_t value, uint64_t mask)
{
    uint64_t out = 0;
    for (unsigned at = 0; mask; mask &= mask - 1, at++) {
        out |= (value >> __builtin_ctzll(mask) & 1) << at;
    }
    return out;
}

static void emit_word(struct bit_stream *s, uint64_t value, uint64_t mask, uint64_t negated)
{
    if (mask == 0) return;
    value ^= negated;
    if ((mask & (mask + 1)) == 0) { /* a run from bit 0: nearly always */
        append_bits(s, value & mask, (unsigned)__builtin_popcountll(mask));
    } else {
        append_bits(s, extract_bits(value, mask), (unsigned)__builtin_popcountll(mask));
    }
}

/* Bit j of x to position 2j. */
static uint64_t spread_bits(uint64_t x)
{
    x &= 0xffffffffu;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    x = (x | x << 1) & 0x5555555555555555u;
    return x;
}

/* One thread's registers and the group it is working on. */
struct machine {
    const struct witness *w;
    const struct assignment *a;
    uint64_t *words;
    fr_t *nums;
    struct bit_stream bits;
    fr_t *wide; /* where the next wide value goes */
    uint32_t int_at, node_at;
    cuzk_status status;
    cuzk_error error;
};

static bool imported_bit(const struct machine *m, const struct instance *i, uint32_t code)
{
    uint32_t ref = code >> 1;
    bool value = true; /* ONE */
    if (ref != REF_ONE) {
        uint32_t v = m->w->circuit->imports[i->import_base + ref - 1];
        value = witness_bit(m->w, v - bitmap_rank(&m->w->circuit->wide, v));
    }
    return value ^ (code & 1);
}

static uint64_t import_word(const struct machine *m, const struct instance *i, const struct program *p,
                            const struct instruction *in)
{
    uint64_t word = 0;
    for (unsigned j = 0; j < in->k; j++) {
        word |= (uint64_t)imported_bit(m, i, p->list[in->list + j]) << j;
    }
    return word;
}

static uint64_t next_int(struct machine *m, unsigned width)
{
    uint64_t v = m->a->ints[m->int_at];
    if (width < 64 && v >> width && m->status == CUZK_OK) {
        m->status = assignment_int_error(m->a, m->int_at, width, &m->error);
    }
    m->int_at++;
    return v;
}

static void next_node(struct machine *m, fr_t *out)
{
    if (!fr_from_bytes(out, m->a->nodes[m->node_at]) && m->status == CUZK_OK) {
        m->status = assignment_node_error(m->node_at, &m->error);
    }
    m->node_at++;
}

static uint32_t bswap32(uint32_t x) { return __builtin_bswap32(x); }

static void run_word(struct machine *m, const struct instance *i, const struct program *p,
                     const struct instruction *in)
{
    uint64_t *r = m->words;
    uint64_t a = r[in->a], b = r[in->b], c = r[in->c], value = 0;
    switch (in->op) {
    case OP_WORD_IMPORT: value = import_word(m, i, p, in); break;
    case OP_WORD_CONST: value = in->imm; break;
    case OP_WORD_ROTR: value = (uint32_t)(a >> in->k | a << (32 - in->k)); break;
    case OP_WORD_SLICE: value = (a >> in->k) & in->imm; break;
    case OP_WORD_BSWAP: value = bswap32((uint32_t)a); break;
    case OP_WORD_SLOT:
        value = next_int(m, in->k);
        emit_word(&m->bits, value, in->emit, 0);
        break;
    case OP_WORD_XOR:
        value = a ^ b;
        emit_word(&m->bits, value, in->emit, in->negated);
        break;
    case OP_WORD_AND:
        value = a & b;
        emit_word(&m->bits, value, in->emit, in->negated);
        break;
    case OP_WORD_NOR:
        value = ~(a | b) & in->imm;
        emit_word(&m->bits, value, in->emit, 0);
        break;
    case OP_WORD_CH:
        value = (a & b) ^ (~a & c);
        emit_word(&m->bits, value, in->emit, in->negated);
        break;
    case OP_WORD_MAJ:
        value = (a & b) ^ (a & c) ^ (b & c);
        emit_word(&m->bits, spread_bits(value) | spread_bits(b & c) << 1, in->emit, in->negated);
        break;
    case OP_WORD_SUM:
        for (unsigned j = 0; j < in->k; j++) value += r[p->list[in->list + j]];
        emit_word(&m->bits, value, in->emit, 0);
        value = (uint32_t)value;
        break;
    }
    r[in->dst] = value;
}

static void linear_combination(struct machine *m, const struct program *p, const struct instruction *in, fr_t *out)
{
    fr_t sum = FR_ZERO;
    for (unsigned j = 0; j < in->k; j++) {
        fr_t term;
        fr_mul(&term, &m->nums[p->list[in->list + 2 * j]], &p->constants[p->list[in->list + 2 * j + 1]]);
        fr_add(&sum, &sum, &term);
    }
    *out = sum;
}

static void pack_words(struct machine *m, const struct program *p, const struct instruction *in, fr_t *out)
{
    uint64_t limbs[5] = { 0 };
    unsigned at = 0;
    for (unsigned j = 0; j < in->k; j++) {
        uint64_t word = m->words[p->list[in->list + 2 * j]];
        unsigned width = p->list[in->list + 2 * j + 1];
        if (width < 64) word &= (UINT64_C(1) << width) - 1;
        limbs[at >> 6] |= word << (at & 63);
        if (at & 63) limbs[(at >> 6) + 1] |= word >> (64 - (at & 63));
        at += width;
    }
    fr_from_limbs(out, limbs); /* at most 254 bits: always below r */
}

static void unpack_number(struct machine *m, const struct instruction *in)
{
    uint64_t limbs[4];
    fr_to_limbs(limbs, &m->nums[in->a]);
    for (unsigned j = 0; j < 8; j++) m->words[in->dst + j] = (uint32_t)(limbs[j / 2] >> 32 * (j % 2));
    if (in->emit) {
        for (unsigned j = 0; j < 3; j++) append_bits(&m->bits, limbs[j], 64);
        append_bits(&m->bits, limbs[3], 63);
    }
}

static void run_poseidon(struct machine *m, const struct program *p, const struct instruction *in)
{
    fr_t inputs[MAX_OPERANDS];
    for (unsigned j = 0; j < in->k; j++) inputs[j] = m->nums[p->list[in->list + j]];
    const struct poseidon_params *params = poseidon_params(in->k);
    size_t length = poseidon_trace_length(params);
    poseidon_trace(m->wide, params, &p->constants[in->a], inputs);
    m->wide += length;
    m->nums[in->dst] = m->wide[-1];
}

static void run_num(struct machine *m, const struct instance *i, const struct program *p,
                    const struct instruction *in)
{
    const struct circuit *c = m->w->circuit;
    fr_t *r = m->nums;
    switch (in->op) {
    case OP_NUM_IMPORT:
        r[in->dst] = m->w->wides[bitmap_rank(&c->wide, c->imports[i->import_base + in->list - 1])];
        break;
    case OP_NUM_SLOT: next_node(m, &r[in->dst]); break;
    case OP_NUM_CONST: r[in->dst] = p->constants[in->a]; break;
    case OP_NUM_MUL: fr_mul(&r[in->dst], &r[in->a], &r[in->b]); break;
    case OP_NUM_LC: linear_combination(m, p, in, &r[in->dst]); break;
    case OP_NUM_PICK: r[in->dst] = m->words[in->a] & 1 ? r[in->b] : r[in->c]; break;
    case OP_NUM_PACK: pack_words(m, p, in, &r[in->dst]); break;
    case OP_NUM_BITS: unpack_number(m, in); return;
    case OP_NUM_POSEIDON: run_poseidon(m, p, in); return;
    case OP_NUM_PUBLIC: m->w->inputs[i->public_base + in->list] = r[in->a]; return;
    }
    if (in->emit) *m->wide++ = r[in->dst];
}

static void run_instance(struct machine *m, const struct instance *i)
{
    const struct program *p = &m->w->circuit->templates[i->template]->program;
    for (size_t k = 0; k < p->length; k++) {
        const struct instruction *in = &p->code[k];
        if (in->op < OP_NUM_IMPORT) run_word(m, i, p, in);
        else run_num(m, i, p, in);
    }
    flush_bits(&m->bits);
}

static void run_group(struct machine *m, size_t group)
{
    const struct circuit *c = m->w->circuit;
    struct instance start = circuit_group_start(c, group), end = circuit_group_start(c, group + 1);
    m->bits = (struct bit_stream){ .words = m->w->bits, .at = start.bit_base, .first = start.bit_base >> 6,
                                   .last = end.bit_base >> 6 };
    m->wide = m->w->wides + start.wide_base;
    m->int_at = start.int_base;
    m->node_at = start.node_base;
    for (uint32_t n = c->groups[group]; n < c->groups[group + 1]; n++) run_instance(m, &c->instances[n]);
}

/* Copies `count` bits from position `from` to the group stream's current position. */
static void copy_bits(struct bit_stream *s, const struct witness *w, uint64_t from, uint64_t count)
{
    while (count > 0) {
        unsigned shift = from & 63, n = 64 - shift;
        if (n > count) n = (unsigned)count;
        uint64_t word = __atomic_load_n(&w->bits[from >> 6], __ATOMIC_RELAXED) >> shift;
        if (n < 64) word &= (UINT64_C(1) << n) - 1;
        append_bits(s, word, n);
        from += n;
        count -= n;
    }
    flush_bits(s);
}

/* Makes `group` a copy of `source`, which has the same shape. */
static void repeat_group(const struct witness *w, size_t group, size_t source)
{
    const struct circuit *c = w->circuit;
    struct instance to = circuit_group_start(c, group), to_end = circuit_group_start(c, group + 1);
    struct instance from = circuit_group_start(c, source);
    struct bit_stream s = { .words = w->bits, .at = to.bit_base, .first = to.bit_base >> 6,
                            .last = to_end.bit_base >> 6 };
    copy_bits(&s, w, from.bit_base, to_end.bit_base - to.bit_base);
    memcpy(w->wides + to.wide_base, w->wides + from.wide_base,
           (to_end.wide_base - to.wide_base) * sizeof(fr_t));
    memcpy(w->inputs + to.public_base, w->inputs + from.public_base,
           (to_end.public_base - to.public_base) * sizeof(fr_t));
}

static cuzk_status machine_create(struct machine *m, const struct witness *w, const struct assignment *a,
                                  cuzk_error *err)
{
    const struct circuit *c = w->circuit;
    size_t words = 1, nums = 1;
    for (size_t i = 0; i < c->template_count; i++) {
        const struct program *p = &c->templates[i]->program;
        if (p->word_registers > words) words = p->word_registers;
        if (p->num_registers > nums) nums = p->num_registers;
    }
    *m = (struct machine){ .w = w, .a = a, .words = calloc(words, sizeof *m->words),
                           .nums = calloc(nums, sizeof *m->nums) };
    if (!m->words || !m->nums) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for fill registers");
    return CUZK_OK;
}

static void machine_release(struct machine *m)
{
    free(m->words);
    free(m->nums);
}

struct fill {
    const struct witness *w;
    struct machine *machines; /* one per worker */
    size_t given;             /* groups with inputs, group 0 included */
};

static void fill_groups(void *context, size_t begin, size_t end, unsigned worker)
{
    struct fill *f = context;
    for (size_t g = begin; g < end; g++) run_group(&f->machines[worker], 1 + g);
}

static void repeat_groups(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct fill *f = context;
    for (size_t g = begin; g < end; g++) repeat_group(f->w, f->given + g, f->given - 1);
}

/* The words that neighbouring groups share begin as zero. */
static void clear_shared_words(struct witness *w)
{
    const struct circuit *c = w->circuit;
    for (size_t g = 0; g <= c->group_count; g++) w->bits[circuit_group_start(c, g).bit_base >> 6] = 0;
}

cuzk_status witness_fill(struct witness *w, const struct assignment *a, struct pool *pool, cuzk_error *err)
{
    const struct circuit *c = w->circuit;
    if (witness_is_deferred(w)) return witness_defer(w, a, pool, err);
    cuzk_status status = assignment_check_counts(a, c, err);
    if (status != CUZK_OK) return status;
    unsigned workers = pool_threads(pool), made = 0;
    struct fill f = { .w = w, .machines = calloc(workers, sizeof *f.machines), .given = 1 + a->groups };
    if (!f.machines) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for fill registers");
    for (; made < workers && status == CUZK_OK; made++) {
        status = machine_create(&f.machines[made], w, a, err);
    }
    if (status == CUZK_OK) {
        clear_shared_words(w);
        w->inputs[0] = FR_ONE;
        run_group(&f.machines[0], 0);
        pool_for(pool, a->groups, 1, fill_groups, &f);
        pool_for(pool, c->group_count - f.given, 1, repeat_groups, &f);
    }
    for (unsigned i = 0; i < made && status == CUZK_OK; i++) {
        status = f.machines[i].status;
        if (status != CUZK_OK && err) *err = f.machines[i].error;
    }
    for (unsigned i = 0; i < made; i++) machine_release(&f.machines[i]);
    free(f.machines);
    return status;
}
