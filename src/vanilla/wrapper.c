#include "vanilla/wrapper.h"

#include "vanilla/base64.h"
#include "vanilla/place.h"

/* The members of both JSON forms that are not in the other. */
static const char *const wrapper_names[] = { "SectorNum", "SectorSize", "Phase1Out" };
enum { SECTOR_NUM, SECTOR_SIZE, PHASE1_OUT, WRAPPER_NAMES };
static const char *const c1_names[] = { "registered_proof", "vanilla_proofs", "comm_r", "comm_d",
                                        "replica_id",       "seed",           "ticket" };

static bool is_one_of(const struct json_text *key, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (json_text_equal(key, names[i])) return true;
    }
    return false;
}

enum c1_form c1_recognise(struct bytes data)
{
    struct json_reader j = json_reader_over(data.data, data.size);
    if (json_read_peek(&j) != JSON_NEXT_OBJECT) return C1_FORM_BINCODE;
    struct json_text key;
    bool more = false;
    cuzk_status status = json_read_object(&j, NULL);
    while (status == CUZK_OK) {
        status = json_read_key(&j, &more, &key, NULL);
        if (status != CUZK_OK || !more) break;
        if (is_one_of(&key, wrapper_names, WRAPPER_NAMES)) return C1_FORM_WRAPPER;
        if (is_one_of(&key, c1_names, sizeof c1_names / sizeof c1_names[0])) return C1_FORM_JSON;
        status = json_read_skip(&j, NULL);
    }
    return C1_FORM_JSON;
}

cuzk_status wrapper_json(struct wrapper *out, struct arena *arena, struct bytes text, cuzk_error *err)
{
    struct json_reader j = json_reader_over(text.data, text.size);
    struct json_members m = { .names = wrapper_names,
                              .count = WRAPPER_NAMES,
                              .required = JSON_ALL_OF(WRAPPER_NAMES) };
    struct json_text c1 = { 0 };
    cuzk_status status = json_read_object(&j, err);
    for (unsigned which; json_read_member(&j, &m, &which, &status, err);) {
        switch (which) {
        case SECTOR_NUM: status = json_read_u64(&j, &out->sector_number, INT64_MAX, err); break;
        case SECTOR_SIZE: status = json_read_u64(&j, &out->sector_size, UINT64_MAX, err); break;
        default: status = json_read_string(&j, &c1, err); break;
        }
        status = place_member(status, err, wrapper_names[which]);
    }
    if (status == CUZK_OK) status = json_read_finish(&j, err);
    if (status != CUZK_OK) return status;
    return place_member(base64_text(&out->c1, arena, &c1, err), err, wrapper_names[PHASE1_OUT]);
}
