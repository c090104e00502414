#include "backend/cuda/circuit.h"

#include "backend/cuda/buckets.h"
#include "backend/cuda/fr.cuh"

enum { THREADS = 128 };

static unsigned blocks_for(size_t n) { return (unsigned)((n + THREADS - 1) / THREADS); }

/* What the row kernels read. */
struct row_source {
    const uint32_t *starts, *order, *places;
    const row_task *tasks;
    const flat_term *terms;
    const flat_instance *instances;
    const flat_coeff *coeffs;
    const uint64_t *bits;
    const fr *wides, *inputs;
    uint32_t constraints, rows, task_count;
};

__device__ __forceinline__ bool packed_bit(const row_source &s, uint32_t place)
{
    return s.bits[place >> 6] >> (place & 63) & 1;
}

__device__ __forceinline__ fr coefficient(const flat_coeff *coeff)
{
    const uint4 *from = reinterpret_cast<const uint4 *>(coeff);
    uint4 a = from[0], b = from[1];
    return fr{ { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w } };
}

enum { COEFFICIENT_ONE = 0, COEFFICIENT_MINUS_ONE = 1 }; /* r1cs/coeffs.h */

/* ⟨row, w⟩; start points at the row's place in `starts`. */
__device__ fr row_value(const row_source &s, const flat_instance &in, const uint32_t *start)
{
    fr sum = fr_zero();
    int64_t small = 0;
    for (uint32_t k = start[0], end = start[1]; k < end; k++) {
        flat_term term = s.terms[k];
        uint32_t number = term.value & ((1u << FLAT_SHIFT) - 1);
        const fr *wide = NULL;
        bool one = false;
        switch (term.value >> FLAT_SHIFT) {
        case FLAT_ONE: one = true; break;
        case FLAT_PUBLIC: wide = &s.inputs[in.public_base + number]; break;
        case FLAT_IMPORT_BIT: one = packed_bit(s, s.places[in.import_base + number]); break;
        case FLAT_IMPORT_WIDE: wide = &s.wides[s.places[in.import_base + number]]; break;
        case FLAT_LOCAL_BIT: one = packed_bit(s, in.bit_base + number); break;
        default: wide = &s.wides[in.wide_base + number];
        }
        if (wide) {
            fr v = *wide;
            if (term.coeff == COEFFICIENT_ONE)
                sum = add(sum, v);
            else if (term.coeff == COEFFICIENT_MINUS_ONE)
                sum = sub(sum, v);
            else
                sum = add(sum, mul(v, coefficient(&s.coeffs[term.coeff])));
        } else if (one) {
            int64_t value = s.coeffs[term.coeff].small;
            if (value != 0)
                small += value;
            else
                sum = add(sum, coefficient(&s.coeffs[term.coeff]));
        }
    }
    if (small == 1) return add(sum, fr_one());
    return small == 0 ? sum : add(sum, fr_from_i64(small));
}

/* The wanted vectors (those that are not NULL): rows of A, of B, and their products; k is the domain's log2 in
 * bit-reversed order, or 64. */
struct row_target {
    fr *a, *b, *product;
    unsigned k;
};

__device__ __forceinline__ void put_row(const row_target &out, uint32_t row, const fr &left, const fr &right)
{
    uint32_t place = out.k == 64 ? row : out.k == 0 ? 0 : __brev(row) >> (32 - out.k);
    if (out.a) out.a[place] = left;
    if (out.b) out.b[place] = right;
    if (out.product) out.product[place] = mul(left, right);
}

/* One task a warp. */
__global__ void __launch_bounds__(THREADS) evaluate_tasks(const row_target out, const row_source s)
{
    uint32_t task_number = (blockIdx.x * THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (task_number >= s.task_count) return;
    const row_task task = s.tasks[task_number];
    if (task.lanes != 0 && lane >= task.lanes) return;
    const flat_instance in = s.instances[s.order[task.first + (task.lanes != 0 ? lane : 0)]];
    uint32_t step = task.lanes != 0 ? 1 : 32;
    for (uint32_t row = task.row_begin + (task.lanes != 0 ? 0 : lane); row < task.row_end; row += step) {
        fr left = fr_zero(), right = fr_zero();
        for (int m = 0; m < 2; m++) {
            if (!out.product && !(m == 0 ? out.a : out.b)) continue;
            fr value = row_value(s, in, &s.starts[in.rows_at[m] + row]);
            if (m == 0)
                left = value;
            else
                right = value;
        }
        put_row(out, in.row_base + row, left, right);
    }
}

/* The rows of the public inputs, and zeros from there to `count`. */
__global__ void __launch_bounds__(THREADS) evaluate_rest(const row_target out, const row_source s, uint32_t count)
{
    uint32_t row = s.constraints + blockIdx.x * THREADS + threadIdx.x;
    if (row >= count) return;
    put_row(out, row, row < s.rows ? s.inputs[row - s.constraints] : fr_zero(), fr_zero());
}

cuzk_status circuit_evaluate(fr *a, fr *b, fr *product, const device_circuit *d, const device_witness *w,
                             bool reversed, struct context *c, cuzk_error *err)
{
    const flat_circuit *f = &d->shape;
    row_source s = { d->starts, d->order, d->places, d->tasks,       d->terms, d->instances,           d->coeffs,
                     w->bits,   w->wides, w->inputs, f->constraints, f->rows,  (uint32_t)f->task_count };
    row_target out = { a, b, product, reversed ? f->log2_domain : 64 };
    uint32_t count = reversed ? (uint32_t)((uint64_t)1 << f->log2_domain) : f->rows;
    if (f->task_count != 0) {
        evaluate_tasks<<<blocks_for(f->task_count * 32), THREADS, 0, c->stream>>>(out, s);
        TRY_LAUNCH();
    }
    if (count != f->constraints) {
        evaluate_rest<<<blocks_for(count - f->constraints), THREADS, 0, c->stream>>>(out, s, count);
        TRY_LAUNCH();
    }
    return CUZK_OK;
}

/* The packed bits at the places of their variables: 64 variables a thread. Wide variables get zero. */
__global__ void spread_bits(uint64_t *out, const uint64_t *bits, const uint64_t *wide, const uint32_t *before,
                            uint32_t aux, size_t words)
{
    size_t w = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= words) return;
    uint64_t holes = wide[w], place = w * 64 - before[w], spread = 0;
    if ((w + 1) * 64 > aux) holes |= ~(uint64_t)0 << (aux & 63);
    if (~holes == 0) {
        out[w] = 0;
        return;
    }
    unsigned shift = place & 63;
    uint64_t packed = bits[place >> 6] >> shift;
    if (shift != 0) packed |= bits[(place >> 6) + 1] << (64 - shift);
    if (holes == 0) {
        spread = packed;
    } else {
        for (uint64_t free = ~holes; free != 0; free &= free - 1, packed >>= 1) {
            if (packed & 1) spread |= free & (0 - free);
        }
    }
    out[w] = spread;
}

cuzk_status circuit_select(uint32_t *out, uint32_t *count, const device_circuit *d, const device_witness *w,
                           enum circuit_sum sum, struct context *c, cuzk_error *err)
{
    const flat_circuit *f = &d->shape;
    size_t mark = context_mark(c);
    uint64_t *spread;
    TRY_TAKE(spread, f->aux_words + 1, "a witness's bits");
    spread_bits<<<blocks_for(f->aux_words + 1), THREADS, 0, c->stream>>>(spread, w->bits, d->bitmap[0], d->before[0],
                                                                         f->aux, f->aux_words);
    TRY_LAUNCH();
    TRY_STATUS(bits_select(out, count, spread, sum == SUM_L ? NULL : d->bitmap[sum],
                           sum == SUM_L ? NULL : d->before[sum], f->aux_words, c, err));
    context_release(c, mark);
    return CUZK_OK;
}

__global__ void gather(fr *out, const fr *values, const uint32_t *sources, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = values[sources[i]];
}

cuzk_status circuit_gather(fr *scalars, const device_circuit *d, const device_witness *w, enum circuit_sum sum,
                           size_t first, size_t count, struct context *c, cuzk_error *err)
{
    if (count == 0) return CUZK_OK;
    gather<<<blocks_for(count), THREADS, 0, c->stream>>>(scalars, w->wides, d->wide[sum].sources + first, count);
    TRY_LAUNCH();
    return CUZK_OK;
}

static __device__ uint32_t lower_bound(const uint32_t *numbers, uint32_t count, uint32_t least)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (numbers[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void find_range(uint32_t *range, uint32_t *count, const uint32_t *numbers, uint32_t begin, uint32_t end)
{
    range[0] = lower_bound(numbers, *count, begin);
    range[1] = lower_bound(numbers, *count, end);
    *count = range[1] - range[0];
}

cuzk_status circuit_find_range(uint32_t range[2], const uint32_t *numbers, uint32_t *count, uint32_t begin,
                               uint32_t end, struct context *c, cuzk_error *err)
{
    size_t mark = context_mark(c);
    uint32_t *found;
    TRY_TAKE(found, 2, "a range");
    find_range<<<1, 1, 0, c->stream>>>(found, count, numbers, begin, end);
    TRY_LAUNCH();
    TRY(cudaMemcpyAsync(range, found, 2 * sizeof *range, cudaMemcpyDeviceToHost, c->stream));
    TRY(cudaStreamSynchronize(c->stream));
    context_release(c, mark);
    return CUZK_OK;
}

/* Points and sources of the first entries of a list: the public inputs. They stand behind the wide values. */
__global__ void list_inputs(uint32_t *points, uint32_t *sources, const uint32_t *inputs, uint32_t count,
                            uint32_t wides)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    points[i] = i;
    sources[i] = wides + (inputs ? inputs[i] : i);
}

__global__ void shift_numbers(uint32_t *numbers, size_t n, uint32_t by)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) numbers[i] += by;
}

/* Device memory is cut from one block: call with base NULL to count. */
static void *cut(size_t *used, char *base, size_t bytes)
{
    void *p = base ? base + *used : NULL;
    *used += (bytes + 255) / 256 * 256;
    return p;
}

static size_t lay_out(device_circuit *d, char *base)
{
    const flat_circuit *f = &d->shape;
    size_t used = 0;
    d->starts = (uint32_t *)cut(&used, base, (f->start_count + 1) * sizeof *d->starts);
    d->terms = (flat_term *)cut(&used, base, (f->term_count + 1) * sizeof *d->terms);
    d->instances = (flat_instance *)cut(&used, base, (f->instance_count + 1) * sizeof *d->instances);
    d->order = (uint32_t *)cut(&used, base, (f->instance_count + 1) * sizeof *d->order);
    d->tasks = (row_task *)cut(&used, base, (f->task_count + 1) * sizeof *d->tasks);
    d->places = (uint32_t *)cut(&used, base, (f->place_count + 1) * sizeof *d->places);
    d->coeffs = (flat_coeff *)cut(&used, base, (f->coeff_count + 1) * sizeof *d->coeffs);
    for (int i = 0; i < 3; i++) {
        d->bitmap[i] = (uint64_t *)cut(&used, base, (f->aux_words + 1) * sizeof *d->bitmap[i]);
        d->before[i] = (uint32_t *)cut(&used, base, (f->aux_words + 1) * sizeof *d->before[i]);
    }
    for (int s = 0; s < CIRCUIT_SUMS; s++) {
        size_t inputs = s == SUM_L ? 0 : s == SUM_A ? f->inputs : f->b_input_count;
        size_t most = f->wides + inputs;
        d->wide[s].points = (uint32_t *)cut(&used, base, (most + 1) * sizeof(uint32_t));
        d->wide[s].sources = (uint32_t *)cut(&used, base, (most + 1) * sizeof(uint32_t));
    }
    return used;
}

static cuzk_status copy_in(void *to, const void *from, size_t bytes, struct context *c, cuzk_error *err)
{
    TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, c->stream));
    return CUZK_OK;
}

static cuzk_status make_list(device_circuit *d, int sum, struct context *c, cuzk_error *err)
{
    const flat_circuit *f = &d->shape;
    wide_list *list = &d->wide[sum];
    uint32_t inputs = sum == SUM_L ? 0 : sum == SUM_A ? f->inputs : (uint32_t)f->b_input_count, *count;
    size_t mark = context_mark(c);
    TRY_TAKE(count, 1, "a counter");
    if (inputs != 0) {
        uint32_t *numbers = NULL;
        if (sum == SUM_B) {
            TRY_TAKE(numbers, inputs, "public inputs");
            TRY_STATUS(copy_in(numbers, f->b_inputs, inputs * sizeof *numbers, c, err));
        }
        list_inputs<<<blocks_for(inputs), THREADS, 0, c->stream>>>(list->points, list->sources, numbers, inputs,
                                                                   f->wides);
        TRY_LAUNCH();
    }
    const uint64_t *dense = sum == SUM_L ? NULL : d->bitmap[sum];
    const uint32_t *dense_before = sum == SUM_L ? NULL : d->before[sum];
    TRY_STATUS(bits_select(list->points + inputs, count, d->bitmap[0], dense, dense_before, f->aux_words, c, err));
    TRY_STATUS(bits_select(list->sources + inputs, count, dense ? dense : d->bitmap[0], d->bitmap[0], d->before[0],
                           f->aux_words, c, err));
    uint32_t found = 0;
    TRY(cudaMemcpyAsync(&found, count, sizeof found, cudaMemcpyDeviceToHost, c->stream));
    TRY(cudaStreamSynchronize(c->stream));
    if (inputs != 0 && found != 0) {
        shift_numbers<<<blocks_for(found), THREADS, 0, c->stream>>>(list->points + inputs, found, inputs);
        TRY_LAUNCH();
    }
    list->count = (size_t)inputs + found;
    context_release(c, mark);
    return CUZK_OK;
}

static cuzk_status fill(device_circuit *d, const flat_circuit *f, struct context *c, cuzk_error *err)
{
    TRY_STATUS(copy_in(d->starts, f->starts, f->start_count * sizeof *f->starts, c, err));
    TRY_STATUS(copy_in(d->terms, f->terms, f->term_count * sizeof *f->terms, c, err));
    TRY_STATUS(copy_in(d->instances, f->instances, f->instance_count * sizeof *f->instances, c, err));
    TRY_STATUS(copy_in(d->order, f->order, f->instance_count * sizeof *f->order, c, err));
    TRY_STATUS(copy_in(d->tasks, f->tasks, f->task_count * sizeof *f->tasks, c, err));
    TRY_STATUS(copy_in(d->places, f->places, f->place_count * sizeof *f->places, c, err));
    TRY_STATUS(copy_in(d->coeffs, f->coeffs, f->coeff_count * sizeof *f->coeffs, c, err));
    for (int i = 0; i < 3; i++) {
        TRY_STATUS(copy_in(d->bitmap[i], f->bitmap[i], f->aux_words * sizeof *f->bitmap[i], c, err));
        TRY_STATUS(copy_in(d->before[i], f->before[i], f->aux_words * sizeof *f->before[i], c, err));
    }
    for (int s = 0; s < CIRCUIT_SUMS; s++) TRY_STATUS(make_list(d, s, c, err));
    return context_wait(c, err);
}

cuzk_status device_circuit_create(device_circuit *out, flat_circuit *flat, struct context *c, cuzk_error *err)
{
    *out = device_circuit{};
    out->shape = *flat;
    out->bytes = lay_out(out, NULL);
    TRY_STATUS(context_allocate(&out->memory, c, out->bytes, "a circuit", err));
    lay_out(out, (char *)out->memory);
    cuzk_status status = fill(out, flat, c, err);
    if (status != CUZK_OK) device_circuit_release(out, c);
    return status;
}

void device_circuit_release(device_circuit *d, struct context *c)
{
    context_free(c, d->memory, d->bytes);
    *d = device_circuit{};
}

size_t circuit_scratch_bytes(const flat_circuit *f)
{
    return (f->aux_words + 1) * 16 + ((size_t)f->b_input_count + 64) * 4 + ((size_t)4 << 20);
}
