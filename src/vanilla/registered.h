/* The registered proof types of Filecoin: numbers, names, and what each decides (spec §2.1).
 *
 * Numbers and names mean something within a kind only: 5 is a seal proof of PoRep and a window
 * PoSt, and "StackedDrg2KiBV1" is a seal and an update proof. Of the PoSt numbers 0–4 are winning,
 * 5–14 window. All data is constant; thread-safe.
 */
#ifndef CUZK_VANILLA_REGISTERED_H
#define CUZK_VANILLA_REGISTERED_H

#include "base/status.h"
#include "circuit/shape.h"

enum api_version {
    API_V1_0, /* the first graph and PoSt challenges numbered through the partition */
    API_V1_1,
    API_V1_2
};

/* How a PoRep's challenges are drawn. */
enum porep_mode { POREP_INTERACTIVE, POREP_SYNTHETIC, POREP_NON_INTERACTIVE };

struct registered_proof {
    enum proof_kind kind;
    uint32_t number;
    const char *name;     /* in Rust's spelling */
    const char *go_name;  /* in Go's spelling, without the type in front */
    const char *shape_id; /* for sector_shape_by_id */
    enum api_version api;
    enum porep_mode mode; /* POREP_INTERACTIVE for the other kinds */
};

/* All of them, grouped by kind; NULL past the end. */
const struct registered_proof *registered_at(size_t i);

/* NULL if there is none. */
const struct registered_proof *registered_by_number(enum proof_kind kind, uint64_t number);

/* `name` of `length` bytes in either spelling, also with the type in front as Rust
 * ("RegisteredSealProof::") and Go ("RegisteredSealProof_") write it; NULL if there is none. */
const struct registered_proof *registered_by_name(enum proof_kind kind, const char *name,
                                                  size_t length);

const struct sector_shape *registered_shape(const struct registered_proof *proof);

/* A number or a name, as a person types it. CUZK_ERR_DATA says what the kind offers. */
cuzk_status registered_parse(const struct registered_proof **out, enum proof_kind kind,
                             const char *text, cuzk_error *err);

/* A number from the wire; CUZK_ERR_DATA as above. */
cuzk_status registered_check(const struct registered_proof **out, enum proof_kind kind,
                             uint64_t number, cuzk_error *err);

#endif
