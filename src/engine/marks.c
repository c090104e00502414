/* The marks of CUZK_TIMING. A job's id does not change, so no lock is needed. */
#include "engine/engine_private.h"

#include "base/timing.h"

void mark_step(const struct engine *e, const struct job *job, size_t partition, const char *name, uint64_t ns)
{
    if (!e->config.timing) return;
    struct timing_tag tag = timing_tag(job->job_id, partition);
    timing_mark(true, name, ns, &tag, NULL);
}

void mark_proof(const struct engine *e, const struct job *job, size_t partition, const struct step_timings *t)
{
    if (!e->config.timing) return;
    const struct {
        const char *name;
        uint64_t ns;
    } marks[] = {
        { "workspace", t->backend.memory }, { "evaluate", t->backend.evaluate }, { "quotient", t->backend.quotient },
        { "msm_h", t->backend.h },          { "msm_l", t->backend.l },           { "msm_a", t->backend.a },
        { "msm_b_g1", t->backend.b_g1 },    { "msm_b_g2", t->backend.b_g2 },     { "epilogue", t->epilogue },
    };
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        mark_step(e, job, partition, marks[i].name, marks[i].ns);
    }
}

void mark_finish(const struct engine *e, const struct job *job)
{
    if (!e->config.timing) return;
    mark_step(e, job, TIMING_WHOLE, "queue", job->timings.phase[PHASE_QUEUE]);
    mark_step(e, job, TIMING_WHOLE, "srs", job->timings.phase[PHASE_SRS]);
    mark_step(e, job, TIMING_WHOLE, "synth", job->timings.phase[PHASE_SYNTH]);
    mark_step(e, job, TIMING_WHOLE, "gpu", job->timings.phase[PHASE_GPU]);
    mark_step(e, job, TIMING_WHOLE, "finish", job->timings.phase[PHASE_FINISH]);
    mark_step(e, job, TIMING_WHOLE, "pre_destructor", job->timings.total);
}
