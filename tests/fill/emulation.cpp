#include "fill/emulation.h"

#include "backend/cuda/fill_program.cuh"

static void run_step(const fill_source &s, const fill_target &out, const fill_step &step, uint32_t instances,
                     void *registers, bool backwards)
{
    fr *nums = (fr *)registers;
    uint64_t *words = (uint64_t *)(nums + (size_t)step.count * step.program.nums);
    for (uint32_t n = 0; n < step.count; n++) {
        uint32_t t = backwards ? step.count - 1 - n : n;
        const fill_instance &in = s.instances[step.first + t];
        if (in.number < instances) fill_run(s, out, step.program, in, words + t, nums + t, step.count);
    }
}

void emulate_fill(const fill_source *s, const fill_target *out, const fill_plan *plan, const fill_extent *extent,
                  void *registers, bool backwards)
{
    const fill_span &bits = extent->bits, *spans[] = { &extent->wides, &extent->inputs };
    fr *values[] = { out->wides, out->inputs };
    for (size_t i = 0; i < plan->step_count; i++) {
        run_step(*s, *out, plan->steps[i], extent->instances, registers, backwards);
    }
    for (int i = 0; i < 2; i++) {
        for (uint64_t at = spans[i]->begin; at < spans[i]->end; at++) {
            values[i][at] = values[i][repeated(*spans[i], at)];
        }
    }
    if (bits.end == bits.begin) return;
    for (uint64_t word = bits.begin >> 6; word * 64 < bits.end; word++) fill_repeat_word(out->bits, bits, word);
}
