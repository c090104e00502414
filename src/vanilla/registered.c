#include "vanilla/registered.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One row: five sizes under consecutive numbers. `rust` and `go` are what follows the size. */
#define FIVE(kind_, first, prefix, rust, go, api_, mode_)                                          \
    ONE(kind_, (first) + 0, prefix "2KiB" rust, prefix "2KiB" go, "2k", api_, mode_),              \
        ONE(kind_, (first) + 1, prefix "8MiB" rust, prefix "8MiB" go, "8m", api_, mode_),          \
        ONE(kind_, (first) + 2, prefix "512MiB" rust, prefix "512MiB" go, "512m", api_, mode_),    \
        ONE(kind_, (first) + 3, prefix "32GiB" rust, prefix "32GiB" go, "32g", api_, mode_),       \
        ONE(kind_, (first) + 4, prefix "64GiB" rust, prefix "64GiB" go, "64g", api_, mode_)
#define ONE(kind_, number_, rust, go, shape, api_, mode_)                                          \
    {                                                                                              \
        .kind = kind_, .number = number_, .name = rust, .go_name = go, .shape_id = shape,          \
        .api = api_, .mode = mode_                                                                 \
    }

static const struct registered_proof table[] = {
    FIVE(PROOF_POREP, 0, "StackedDrg", "V1", "V1", API_V1_0, POREP_INTERACTIVE),
    FIVE(PROOF_POREP, 5, "StackedDrg", "V1_1", "V1_1", API_V1_1, POREP_INTERACTIVE),
    FIVE(PROOF_POREP, 10, "StackedDrg", "V1_1_Feat_SyntheticPoRep", "V1_1_Feat_SyntheticPoRep",
         API_V1_2, POREP_SYNTHETIC),
    FIVE(PROOF_POREP, 15, "StackedDrg", "V1_2_Feat_NonInteractivePoRep", "V1_2_Feat_NiPoRep",
         API_V1_2, POREP_NON_INTERACTIVE),
    FIVE(PROOF_WINNING, 0, "StackedDrgWinning", "V1", "V1", API_V1_0, POREP_INTERACTIVE),
    FIVE(PROOF_WINDOW, 5, "StackedDrgWindow", "V1", "V1", API_V1_0, POREP_INTERACTIVE),
    FIVE(PROOF_WINDOW, 10, "StackedDrgWindow", "V1_2", "V1_1", API_V1_2, POREP_INTERACTIVE),
    FIVE(PROOF_UPDATE, 0, "StackedDrg", "V1", "V1", API_V1_0, POREP_INTERACTIVE),
};

enum { PROOFS = sizeof table / sizeof table[0] };

const struct registered_proof *registered_at(size_t i) { return i < PROOFS ? &table[i] : NULL; }

const struct registered_proof *registered_by_number(enum proof_kind kind, uint64_t number)
{
    for (size_t i = 0; i < PROOFS; i++) {
        if (table[i].kind == kind && table[i].number == number) return &table[i];
    }
    return NULL;
}

/* The type that Rust and Go put in front of a name, or that alone matters to people: which enum it
 * is. */
static const char *type_name(enum proof_kind kind)
{
    switch (kind) {
    case PROOF_POREP: return "RegisteredSealProof";
    case PROOF_UPDATE: return "RegisteredUpdateProof";
    case PROOF_WINDOW:
    case PROOF_WINNING: return "RegisteredPoStProof";
    }
    return "";
}

static bool equals(const char *name, size_t length, const char *expected)
{
    return strlen(expected) == length && memcmp(name, expected, length) == 0;
}

/* Length of "TYPE::" or "TYPE_" at the beginning of a name. */
static size_t type_prefix(enum proof_kind kind, const char *name, size_t length)
{
    const char *type = type_name(kind);
    size_t n = strlen(type);
    if (length <= n || memcmp(name, type, n) != 0) return 0;
    if (name[n] == '_') return n + 1;
    return length > n + 1 && name[n] == ':' && name[n + 1] == ':' ? n + 2 : 0;
}

const struct registered_proof *registered_by_name(enum proof_kind kind, const char *name,
                                                  size_t length)
{
    size_t prefix = type_prefix(kind, name, length);
    name += prefix;
    length -= prefix;
    for (size_t i = 0; i < PROOFS; i++) {
        if (table[i].kind != kind) continue;
        if (equals(name, length, table[i].name) || equals(name, length, table[i].go_name)) {
            return &table[i];
        }
    }
    return NULL;
}

const struct sector_shape *registered_shape(const struct registered_proof *proof)
{
    return sector_shape_by_id(proof->shape_id);
}

/* The numbers of a kind are consecutive. */
static cuzk_status unknown(enum proof_kind kind, const char *text, cuzk_error *err)
{
    const struct registered_proof *first = NULL, *last = NULL;
    for (size_t i = 0; i < PROOFS; i++) {
        if (table[i].kind != kind) continue;
        if (!first) first = &table[i];
        last = &table[i];
    }
    if (!first) return cuzk_fail(err, CUZK_ERR_DATA, "unknown kind of proof %d", (int)kind);
    return cuzk_fail(
        err, CUZK_ERR_DATA,
        "registered proof '%.64s' is not one of kind %s: %u to %u or a name like %s expected", text,
        proof_kind_name(kind), first->number, last->number, first->name);
}

cuzk_status registered_check(const struct registered_proof **out, enum proof_kind kind,
                             uint64_t number, cuzk_error *err)
{
    char text[24];
    *out = registered_by_number(kind, number);
    if (*out) return CUZK_OK;
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    return unknown(kind, text, err);
}

cuzk_status registered_parse(const struct registered_proof **out, enum proof_kind kind,
                             const char *text, cuzk_error *err)
{
    size_t length = strlen(text);
    if (length >= 1 && length <= 3 && strspn(text, "0123456789") == length) {
        *out = registered_by_number(kind, (uint64_t)strtoul(text, NULL, 10));
    } else {
        *out = registered_by_name(kind, text, length);
    }
    return *out ? CUZK_OK : unknown(kind, text, err);
}
