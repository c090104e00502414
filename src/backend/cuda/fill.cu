#include "backend/cuda/fill.h"

#include "backend/cuda/fill_program.cuh"

/* Few, as a step of window PoSt has six warps for each multiprocessor: small blocks spread them evenly. */
enum { STEP_THREADS = 64, COPY_THREADS = 256 };

/* One instance a thread. Neighbours have neighbouring registers. */
__global__ void __launch_bounds__(STEP_THREADS)
    run_step(const fill_source s, const fill_target out, const fill_step step, uint32_t instances, fr *nums,
             uint64_t *words)
{
    uint32_t t = blockIdx.x * STEP_THREADS + threadIdx.x;
    if (t >= step.count) return;
    const fill_instance in = s.instances[step.first + t];
    if (in.number >= instances) return; /* of a group that is repeated */
    fill_run(s, out, step.program, in, words + t, nums + t, step.count);
}

cuzk_status fill_queue_steps(const fill_source *s, const fill_target *out, const fill_plan *plan,
                             const fill_extent *extent, void *registers, struct context *c, cuzk_error *err)
{
    for (size_t i = 0; i < plan->step_count; i++) {
        const fill_step &step = plan->steps[i];
        fr *nums = (fr *)registers;
        uint64_t *words = (uint64_t *)(nums + (size_t)step.count * step.program.nums);
        unsigned blocks = (step.count + STEP_THREADS - 1) / STEP_THREADS;
        run_step<<<blocks, STEP_THREADS, 0, c->stream>>>(*s, *out, step, extent->instances, nums, words);
        TRY_LAUNCH();
    }
    return CUZK_OK;
}

__global__ void repeat_values(fr *values, const fill_span s)
{
    uint64_t place = s.begin + (uint64_t)blockIdx.x * COPY_THREADS + threadIdx.x;
    if (place < s.end) values[place] = values[repeated(s, place)];
}

__global__ void repeat_bits(uint64_t *bits, const fill_span s)
{
    uint64_t word = (s.begin >> 6) + (uint64_t)blockIdx.x * COPY_THREADS + threadIdx.x;
    if (word * 64 < s.end) fill_repeat_word(bits, s, word);
}

static unsigned copy_blocks(uint64_t n) { return (unsigned)((n + COPY_THREADS - 1) / COPY_THREADS); }

static cuzk_status queue_values(fr *values, const fill_span &s, struct context *c, cuzk_error *err)
{
    if (s.end == s.begin) return CUZK_OK;
    repeat_values<<<copy_blocks(s.end - s.begin), COPY_THREADS, 0, c->stream>>>(values, s);
    TRY_LAUNCH();
    return CUZK_OK;
}

cuzk_status fill_queue_repeats(const fill_target *out, const fill_extent *extent, struct context *c, cuzk_error *err)
{
    const fill_span &bits = extent->bits;
    TRY_STATUS(queue_values(out->wides, extent->wides, c, err));
    TRY_STATUS(queue_values(out->inputs, extent->inputs, c, err));
    if (bits.end == bits.begin) return CUZK_OK;
    repeat_bits<<<copy_blocks((bits.end - bits.begin) / 64 + 2), COPY_THREADS, 0, c->stream>>>(out->bits, bits);
    TRY_LAUNCH();
    return CUZK_OK;
}
