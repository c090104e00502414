/* How a device computes a circuit's values from the slots of a deferred witness: the templates' fill programs
 * (r1cs/program.h) unchanged, and the instances in an order in which many can run at once. C and C++; without CUDA,
 * so that it can be tested without a card.
 *
 * An instance's level is one more than the largest level of the instances whose variables it imports. What is on one
 * level is independent; a *step* is what has one level and one template, so its threads never diverge. The challenges
 * of window PoSt are independent paths: thirteen levels of up to 23,490 instances.
 */
#ifndef CUZK_CUDA_FILL_PLAN_H
#define CUZK_CUDA_FILL_PLAN_H

#include "base/status.h"
#include "r1cs/program.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct circuit;

/* A template's program: places in the plan's arrays, and how many registers it has. */
struct fill_program {
    uint32_t code, length, list, constants;
    uint32_t words, nums;
};

/* One arity of Poseidon: places in `elements` of what hash/poseidon.h describes under these names. OP_NUM_POSEIDON
 * names it in its field b. */
struct fill_poseidon {
    uint32_t t, partial_rounds;
    uint32_t constants, mds, pre_sparse_columns, sparse;
};

struct fill_instance {
    uint32_t number; /* in the circuit: groups are runs of numbers */
    uint32_t public_base, import_base, bit_base, wide_base, int_base, node_base;
};

struct fill_step {
    uint32_t first, count; /* of `instances` */
    struct fill_program program;
};

struct fill_plan {
    struct instruction *code;
    uint32_t *lists;
    struct fr *elements; /* constants of programs and of Poseidon, Montgomery form */
    struct fill_poseidon *hashes;
    uint32_t *places; /* of imports in the packed witness: rank among the wide values, or among the bits */
    struct fill_instance *instances; /* by step, ascending in each */
    struct fill_step *steps;         /* in the order of execution */
    size_t code_length, list_length, element_count, hash_count, place_count, instance_count, step_count;
    size_t levels;
};

/* What the interpreter (fill_program.cuh) reads: the plan's arrays and the slots. */
struct fill_source {
    const struct instruction *code;
    const uint32_t *lists, *places;
    const struct fr *elements;
    const struct fill_poseidon *hashes;
    const struct fill_instance *instances;
    const uint64_t *ints;
    const struct fr *nodes; /* canonical integers, 32 bytes each */
};

/* What it writes: the packed witness, its bits zero before, and the smallest number of an instance with a bad
 * slot. */
struct fill_target {
    uint64_t *bits;
    struct fr *wides, *inputs;
    uint32_t *bad;
};

/* Places [begin, end) repeat the `each` places before them. */
struct fill_span {
    uint64_t begin, end, each;
};

/* What an assignment with fewer groups than the circuit has leaves to be repeated, and the number of instances that
 * it is for. */
struct fill_extent {
    uint32_t instances;
    struct fill_span bits, wides, inputs;
};

void fill_extent_of(struct fill_extent *out, const struct circuit *circuit, size_t groups_given);

/* CUZK_ERR_RESOURCE without memory. */
cuzk_status fill_plan_create(struct fill_plan *out, const struct circuit *circuit, cuzk_error *err);
void fill_plan_release(struct fill_plan *p); /* harmless on a zeroed struct and when repeated */

/* Is the circuit of the kind for which the device computes the values, rather than receiving them? Where nearly all
 * values are wide and there are so many that memory and transfer hurt, which is window PoSt of large sectors. */
bool fill_pays(const struct circuit *circuit);

/* Bytes of registers that the largest step takes. */
size_t fill_register_bytes(const struct fill_plan *p);

#ifdef __cplusplus
}
#endif
#endif
