#include "vanilla/payloads.h"

#include "vanilla/base64.h"
#include "vanilla/place.h"

enum { LOOK_AT = 64 };

static bool looks_like_json(struct bytes part)
{
    struct json_reader j = json_reader_over(part.data, part.size);
    if (json_read_peek(&j) != JSON_NEXT_ARRAY) return false;
    for (size_t i = 0; i < part.size && i < LOOK_AT; i++) {
        uint8_t c = part.data[i];
        if ((c < 0x20 || c > 0x7e) && c != '\n' && c != '\r' && c != '\t') return false;
    }
    return true;
}

/* The number of elements, 0 if the text is no array: the reader then says why. */
static size_t count_elements(struct bytes part)
{
    struct json_reader j = json_reader_over(part.data, part.size);
    size_t count = 0;
    bool more = false;
    cuzk_status status = json_read_array(&j, NULL);
    while (status == CUZK_OK) {
        status = json_read_item(&j, &more, NULL);
        if (status != CUZK_OK || !more) break;
        status = json_read_skip(&j, NULL);
        count++;
    }
    return count;
}

static cuzk_status read_element(struct bytes *out, struct arena *arena, struct json_reader *j, cuzk_error *err)
{
    struct json_text text;
    cuzk_status status = json_read_string(j, &text, err);
    return status == CUZK_OK ? base64_text(out, arena, &text, err) : status;
}

/* Appends the elements of one array. */
static cuzk_status read_array(struct bytes *out, size_t expected, struct arena *arena, struct bytes part,
                              cuzk_error *err)
{
    struct json_reader j = json_reader_over(part.data, part.size);
    struct json_elements e = { .expected = expected, .what = "parts" };
    cuzk_status status = json_read_elements(&j, &e, err);
    while (json_read_element(&j, &e, &status, err)) {
        status = place_index(read_element(&out[e.index], arena, &j, err), err, e.index);
    }
    return status == CUZK_OK ? json_read_finish(&j, err) : status;
}

cuzk_status payloads_expand(struct bytes **out, size_t *out_count, struct arena *arena, const struct bytes *parts,
                            size_t count, cuzk_error *err)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) total += looks_like_json(parts[i]) ? count_elements(parts[i]) : 1;
    struct bytes *all = arena_take(arena, total, sizeof *all);
    if (!all) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu parts", total);
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        if (!looks_like_json(parts[i])) {
            all[done] = parts[i];
            if (parts[i].size == 0) all[done].data = (const uint8_t *)""; /* protobuf has NULL there */
            done++;
            continue;
        }
        size_t elements = count_elements(parts[i]);
        cuzk_status status = read_array(all + done, elements, arena, parts[i], err);
        if (status != CUZK_OK) {
            return place_member(place_index(status, err, i), err, "vanilla_proofs");
        }
        done += elements;
    }
    *out = all;
    *out_count = total;
    return CUZK_OK;
}
