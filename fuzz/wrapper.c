/* The client's wrapper around the JSON, and telling the forms apart. */
#include "vanilla/wrapper.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wrapper wrapper;
    struct arena arena = { 0 };
    struct bytes text = { data, size };
    (void)c1_recognise(text);
    (void)wrapper_json(&wrapper, &arena, text, NULL);
    arena_release(&arena);
    return 0;
}
