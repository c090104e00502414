#include "circuit/compile.h"

#include "circuit/assign.h"
#include "circuit/porep.h"
#include "circuit/post.h"
#include "circuit/update.h"

static bool describe(struct builder *b, enum proof_kind kind, const struct sector_shape *shape)
{
    switch (kind) {
    case PROOF_POREP:
        if (shape->porep_challenges == 0) return false;
        porep_describe(b, shape);
        return true;
    case PROOF_WINDOW:
        if (shape->window_sectors == 0) return false;
        post_describe(b, shape, shape->window_sectors, POST_CHALLENGES);
        return true;
    case PROOF_WINNING:
        if (!shape->published) return false;
        post_describe(b, shape, WINNING_SLOTS, 1);
        return true;
    case PROOF_UPDATE: update_describe(b, shape); return true;
    }
    return false;
}

cuzk_status circuit_compile(struct circuit **out, enum proof_kind kind, const struct sector_shape *shape,
                            cuzk_error *err)
{
    struct builder *b = NULL;
    *out = NULL;
    cuzk_status status = builder_create(&b, err);
    if (status != CUZK_OK) return status;
    if (describe(b, kind, shape)) {
        status = builder_finish(out, b, err);
    } else {
        status = cuzk_fail(err, CUZK_ERR_USAGE, "there is no %s circuit for %s sectors", proof_kind_name(kind),
                           shape->name);
    }
    builder_free(b);
    return status;
}

cuzk_status circuit_fill(struct witness *w, const struct partition_input *in, struct pool *pool, cuzk_error *err)
{
    struct slots s;
    size_t groups = 0;
    slots_begin(&s, w);
    switch (in->kind) {
    case PROOF_POREP:
        porep_assign(&s, in->shape, &in->porep);
        groups = in->porep.challenge_count;
        break;
    case PROOF_WINDOW:
    case PROOF_WINNING:
        post_assign(&s, in->shape, &in->post);
        groups = in->post.slot_count;
        break;
    case PROOF_UPDATE:
        update_assign(&s, in->shape, &in->update);
        groups = in->update.challenge_count;
        break;
    }
    struct assignment a = { .ints = s.ints, .int_count = s.int_count, .nodes = (const uint8_t(*)[32])s.nodes,
                            .node_count = s.node_count, .groups = groups };
    return witness_fill(w, &a, pool, err);
}
