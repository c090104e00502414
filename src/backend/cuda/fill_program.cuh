/* The interpreter of fill programs for one instance: r1cs/fill.c's, with registers in memory that the threads of a
 * step share in turns, and bits that are OR-ed into words which were zero. For the device and, to test it, for the
 * host. */
#ifndef CUZK_CUDA_FILL_PROGRAM_CUH
#define CUZK_CUDA_FILL_PROGRAM_CUH

#include "backend/cuda/fill_poseidon.cuh"

struct fill_machine {
    const fill_source *s;
    const fill_target *out;
    const uint32_t *list; /* the program's */
    const fr *constants;
    uint64_t *words; /* register i is element i·stride */
    fr *nums;
    size_t stride;
    const uint32_t *places; /* the instance's imports, from the first */
    uint64_t bit_at;
    fr *wide;
    uint32_t int_at, node_at, public_base, number;
};

HD void or_word(uint64_t *word, uint64_t bits)
{
#ifdef __CUDA_ARCH__
    if (bits) atomicOr(reinterpret_cast<unsigned long long *>(word), (unsigned long long)bits);
#else
    *word |= bits;
#endif
}

HD void report_slot(const fill_machine &m)
{
#ifdef __CUDA_ARCH__
    atomicMin(m.out->bad, m.number);
#else
    if (m.number < *m.out->bad) *m.out->bad = m.number;
#endif
}

/* ---- bits ---- */

HD uint32_t count_bits(uint64_t x)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__popcll(x);
#else
    return (uint32_t)__builtin_popcountll(x);
#endif
}

HD void append_bits(fill_machine &m, uint64_t bits, uint32_t count)
{
    uint32_t shift = m.bit_at & 63;
    uint64_t *word = m.out->bits + (m.bit_at >> 6);
    or_word(word, bits << shift);
    if (shift + count > 64) or_word(word + 1, bits >> (64 - shift));
    m.bit_at += count;
}

/* The bits of `value` under `mask`, packed towards bit 0. */
HD uint64_t extract_bits(uint64_t value, uint64_t mask)
{
    uint64_t out = 0;
    for (uint32_t at = 0; mask; mask &= mask - 1, at++) out |= (uint64_t)((value & mask & (0 - mask)) != 0) << at;
    return out;
}

HD void emit_word(fill_machine &m, uint64_t value, uint64_t mask, uint64_t negated)
{
    if (mask == 0) return;
    value ^= negated;
    append_bits(m, (mask & (mask + 1)) == 0 ? value & mask : extract_bits(value, mask), count_bits(mask));
}

/* Bit j of x to position 2j. */
HD uint64_t double_bits(uint64_t x)
{
    x &= 0xffffffffu;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    x = (x | x << 1) & 0x5555555555555555u;
    return x;
}

/* ---- words ---- */

HD uint64_t &word_at(const fill_machine &m, uint32_t reg) { return m.words[reg * m.stride]; }

HD uint64_t import_word(const fill_machine &m, const instruction &in)
{
    uint64_t word = 0;
    for (uint32_t j = 0; j < in.k; j++) {
        uint32_t code = m.list[in.list + j], ref = code >> 1;
        uint64_t value = 1; /* ONE */
        if (ref != 0) {
            uint32_t place = m.places[ref - 1];
            value = m.out->bits[place >> 6] >> (place & 63) & 1;
        }
        word |= (value ^ (code & 1)) << j;
    }
    return word;
}

HD uint64_t slot_word(fill_machine &m, const instruction &in)
{
    uint64_t value = m.s->ints[m.int_at++];
    if (in.k < 64 && value >> in.k) report_slot(m);
    return value;
}

HD uint64_t sum_words(const fill_machine &m, const instruction &in)
{
    uint64_t sum = 0;
    for (uint32_t j = 0; j < in.k; j++) sum += word_at(m, m.list[in.list + j]);
    return sum;
}

HD uint32_t reverse_bytes(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

HD void run_word(fill_machine &m, const instruction &in)
{
    uint64_t value = 0, emitted, a = 0, b = 0;
    if (in.op > OP_WORD_CONST && in.op != OP_WORD_SUM) a = word_at(m, in.a);
    if (in.op >= OP_WORD_XOR && in.op != OP_WORD_SUM) b = word_at(m, in.b);
    switch (in.op) {
    case OP_WORD_IMPORT: value = import_word(m, in); break;
    case OP_WORD_SLOT: value = slot_word(m, in); break;
    case OP_WORD_CONST: value = in.imm; break;
    case OP_WORD_ROTR: value = (uint32_t)(a >> in.k | a << (32 - in.k)); break;
    case OP_WORD_SLICE: value = (a >> in.k) & in.imm; break;
    case OP_WORD_BSWAP: value = reverse_bytes((uint32_t)a); break;
    case OP_WORD_XOR: value = a ^ b; break;
    case OP_WORD_AND: value = a & b; break;
    case OP_WORD_NOR: value = ~(a | b) & in.imm; break;
    case OP_WORD_CH: value = (a & b) ^ (~a & word_at(m, in.c)); break;
    case OP_WORD_MAJ: value = (a & b) ^ (a & word_at(m, in.c)) ^ (b & word_at(m, in.c)); break;
    case OP_WORD_SUM: value = sum_words(m, in); break;
    }
    emitted = value;
    if (in.op == OP_WORD_MAJ) emitted = double_bits(value) | double_bits(b & word_at(m, in.c)) << 1;
    if (in.op == OP_WORD_SUM) value = (uint32_t)value;
    bool negates = in.op == OP_WORD_XOR || in.op == OP_WORD_AND || in.op == OP_WORD_CH || in.op == OP_WORD_MAJ;
    bool emits = negates || in.op == OP_WORD_SLOT || in.op == OP_WORD_NOR || in.op == OP_WORD_SUM;
    if (emits) emit_word(m, emitted, in.emit, negates ? in.negated : 0);
    word_at(m, in.dst) = value;
}

/* ---- numbers ---- */

HD fr num_at(const fill_machine &m, uint32_t reg) { return fetch(&m.nums[reg * m.stride]); }
HD void set_num(const fill_machine &m, uint32_t reg, const fr &v) { put(&m.nums[reg * m.stride], v); }

HD fr slot_number(fill_machine &m)
{
    fr value = fetch(&m.s->nodes[m.node_at++]);
    if (is_canonical<fr_modulus>(value.l)) return mul(value, fr_montgomery_square());
    report_slot(m);
    return fr_zero();
}

HD fr combine_numbers(const fill_machine &m, const instruction &in)
{
    fr sum = fr_zero();
    const uint32_t *pair = m.list + in.list;
    for (uint32_t j = 0; j < in.k; j++, pair += 2) {
        sum = add(sum, mul(num_at(m, pair[0]), fetch(&m.constants[pair[1]])));
    }
    return sum;
}

HD fr pack_words(const fill_machine &m, const instruction &in)
{
    uint64_t limbs[5] = { 0, 0, 0, 0, 0 };
    uint32_t at = 0;
    const uint32_t *piece = m.list + in.list;
    for (uint32_t j = 0; j < in.k; j++, piece += 2) {
        uint64_t word = word_at(m, piece[0]);
        uint32_t width = piece[1];
        if (width < 64) word &= ((uint64_t)1 << width) - 1;
        limbs[at >> 6] |= word << (at & 63);
        if (at & 63) limbs[(at >> 6) + 1] |= word >> (64 - (at & 63));
        at += width;
    }
    fr value;
    for (uint32_t i = 0; i < 8; i++) value.l[i] = (uint32_t)(limbs[i / 2] >> 32 * (i % 2));
    return mul(value, fr_montgomery_square()); /* at most 254 bits: always below r */
}

HD void unpack_number(fill_machine &m, const instruction &in)
{
    fr value = leave(num_at(m, in.a));
    for (uint32_t j = 0; j < 8; j++) {
        word_at(m, in.dst + j) = value.l[j];
        if (in.emit) append_bits(m, value.l[j], j < 7 ? 32 : 31);
    }
}

HD void run_poseidon(fill_machine &m, const instruction &in)
{
    fr state[FILL_MAX_WIDTH];
    put(state, fetch(&m.constants[in.a]));
    for (uint32_t j = 0; j < in.k; j++) put(&state[1 + j], num_at(m, m.list[in.list + j]));
    fill_poseidon_trace(m.wide, state, m.s->hashes[in.b], m.s->elements);
    set_num(m, in.dst, fetch(m.wide - 1));
}

HD void run_num(fill_machine &m, const instruction &in)
{
    fr value;
    switch (in.op) {
    case OP_NUM_IMPORT: value = fetch(&m.out->wides[m.places[in.list - 1]]); break;
    case OP_NUM_SLOT: value = slot_number(m); break;
    case OP_NUM_CONST: value = fetch(&m.constants[in.a]); break;
    case OP_NUM_MUL: value = mul(num_at(m, in.a), num_at(m, in.b)); break;
    case OP_NUM_LC: value = combine_numbers(m, in); break;
    case OP_NUM_PICK: value = num_at(m, word_at(m, in.a) & 1 ? in.b : in.c); break;
    case OP_NUM_PACK: value = pack_words(m, in); break;
    case OP_NUM_BITS: unpack_number(m, in); return;
    case OP_NUM_POSEIDON: run_poseidon(m, in); return;
    case OP_NUM_PUBLIC: put(&m.out->inputs[m.public_base + in.list], num_at(m, in.a)); return;
    default: return;
    }
    set_num(m, in.dst, value);
    if (in.emit) put(m.wide++, value);
}

/* Runs an instance's program. Its registers begin at words and nums, `stride` elements apart. */
HD void fill_run(const fill_source &s, const fill_target &out, const fill_program &p, const fill_instance &i,
                 uint64_t *words, fr *nums, size_t stride)
{
    fill_machine m = { &s,    &out,       s.lists + p.list, s.elements + p.constants,
                       words, nums,       stride,           s.places + i.import_base,
                       i.bit_base, out.wides + i.wide_base, i.int_base, i.node_base,
                       i.public_base, i.number };
    for (uint32_t k = 0; k < p.length; k++) {
        const instruction &in = s.code[p.code + k];
        if (in.op < OP_NUM_IMPORT)
            run_word(m, in);
        else
            run_num(m, in);
    }
}

/* ---- groups that are repeated ---- */

HD uint64_t repeated(const fill_span &s, uint64_t place) { return s.begin - s.each + (place - s.begin) % s.each; }

/* The repeated bits of one word. */
HD void fill_repeat_word(uint64_t *bits, const fill_span &s, uint64_t word)
{
    uint64_t value = 0;
    for (uint32_t j = 0; j < 64; j++) {
        uint64_t place = word * 64 + j;
        if (place < s.begin || place >= s.end) continue;
        uint64_t from = repeated(s, place);
        value |= (bits[from >> 6] >> (from & 63) & 1) << j;
    }
    or_word(&bits[word], value);
}

#endif
