/* Private to job*.c: one builder per kind of proof. Each fills inputs, statement, partition_count,
 * first_partition, input_count and what the check needs; job->kind and the arena are ready. */
#ifndef CUZK_VANILLA_JOB_BUILD_H
#define CUZK_VANILLA_JOB_BUILD_H

#include "vanilla/job.h"

cuzk_status job_build_porep(struct vanilla_job *job, const struct request *request, cuzk_error *err);
cuzk_status job_build_post(struct vanilla_job *job, const struct request *request, cuzk_error *err);
cuzk_status job_build_update(struct vanilla_job *job, const struct request *request, cuzk_error *err);

/* Sets job->proof and job->shape; refuses a sector size that is not the proof's. */
cuzk_status job_set_proof(struct vanilla_job *job, const struct registered_proof *proof,
                          const struct request *request, cuzk_error *err);

/* Sets partition_count, first_partition and input_count for a payload that holds `found` partitions;
 * refuses a partition that it does not hold, and an incomplete payload unless one partition is asked for. */
cuzk_status job_set_partitions(struct vanilla_job *job, const struct request *request, size_t count, size_t found,
                               cuzk_error *err);

/* job->input_count inputs of job->kind, otherwise zero; NULL without memory (and *err says so). */
struct partition_input *job_take_inputs(struct vanilla_job *job, cuzk_error *err);

/* A 32-byte canonical value of the request. */
cuzk_status job_read_node(struct node *out, struct bytes value, const char *field, cuzk_error *err);

/* The list of vanilla proofs with JSON arrays taken apart. */
cuzk_status job_payloads(const struct bytes **out, size_t *count, struct vanilla_job *job,
                         const struct request *request, cuzk_error *err);

#endif
