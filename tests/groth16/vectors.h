/* The proofs and keys of tests/data/groth16, which Filecoin's own stack made with the insecure test
 * seed. */
#ifndef CUZK_TESTS_GROTH16_VECTORS_H
#define CUZK_TESTS_GROTH16_VECTORS_H

#include "base/bytes.h"
#include "groth16/proof.h"
#include "test.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static inline json_t *vectors_load(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, CUZK_TEST_DATA "/groth16/%s", name);
    json_error_t error;
    json_t *array = json_load_file(path, 0, &error);
    if (!array) fail_msg("%s: %s", path, error.text);
    return array;
}

static inline const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

static inline void hex_at(uint8_t *out, size_t n, const json_t *object, const char *key)
{
    const char *text = text_at(object, key);
    assert_true(hex_decode(out, n, text, strlen(text)));
}

static inline void fr_at(fr_t *out, const json_t *object, const char *key)
{
    uint8_t bytes[32];
    hex_at(bytes, sizeof bytes, object, key);
    assert_true(fr_from_bytes(out, bytes));
}

/* A list of field elements; the caller frees it. */
static inline fr_t *frs_at(size_t *count, const json_t *object, const char *key)
{
    const json_t *list = json_object_get(object, key);
    *count = json_array_size(list);
    fr_t *out = malloc((*count + 1) * sizeof *out);
    for (size_t i = 0; i < *count; i++) {
        uint8_t bytes[32];
        const char *text = json_string_value(json_array_get(list, i));
        assert_non_null(text);
        assert_true(hex_decode(bytes, sizeof bytes, text, strlen(text)));
        assert_true(fr_from_bytes(&out[i], bytes));
    }
    return out;
}

/* The key of tests/data/groth16/CIRCUIT.vk. */
static inline void vector_key(struct verifying_key *out, const char *circuit)
{
    char path[512];
    cuzk_error err = { "" };
    snprintf(path, sizeof path, CUZK_TEST_DATA "/groth16/%s.vk", circuit);
    if (vk_open(out, path, 0, NULL, &err) != CUZK_OK) fail_msg("%s", err.detail);
}

#endif
