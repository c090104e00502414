#define _GNU_SOURCE
#include "cli/cases.h"

#include "groth16/vectors.h"

const struct sealed_case sealed_cases[SEALED_CASES] = {
    { "window-2KiB-42-43", "wpost-2k", "window-42-43", WINDOW "$SEALED/window-42.vproof $SEALED/window-43.vproof",
      "-t window --public $SEALED/window.public.json" },
    { "winning-2KiB", "winning-2k", "winning-42", WINNING "$SEALED/winning-42.vproof",
      "-t winning --public $SEALED/winning.public.json" },
    { "update-2KiB", "snap-2k", "update-42", SNAP "$SEALED/update-42.json",
      "-t snap --public $SEALED/update-42.public.json" },
    { "porep-2KiB-s42", "porep-2k", "porep-42", POREP_42 "$SEALED/porep-s42.wrapped.json",
      "-t porep --public $SEALED/porep-s42.public.json" },
    { "porep-2KiB-s43", "porep-2k", "porep-43", POREP_43 "$SEALED/porep-s43.c1.json",
      "-t porep --public $SEALED/porep-s43.public.json" },
};

const struct sealed_case *next_case(const struct sealed_case *previous, const char *circuit)
{
    const struct sealed_case *c = previous ? previous + 1 : sealed_cases;
    while (c < sealed_cases + SEALED_CASES && strcmp(c->circuit, circuit) != 0) c++;
    return c < sealed_cases + SEALED_CASES ? c : NULL;
}

char *bellperson_proof(const char *tag, const char *key)
{
    json_t *list = vectors_load("proofs.json");
    char *hex = NULL;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *x = json_array_get(list, i);
        if (strcmp(text_at(x, "tag"), tag) == 0) hex = strdup(text_at(x, key));
    }
    json_decref(list);
    if (!hex) fail_msg("no proof with the tag %s", tag);
    return hex;
}

char *data_line(const char *file, const char *name)
{
    char path[512], *line = NULL, *rest = NULL;
    size_t capacity = 0, length = strlen(name);
    snprintf(path, sizeof path, CUZK_TEST_DATA "/%s", file);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (!rest && getline(&line, &capacity, f) > 0) {
        if (strncmp(line, name, length) != 0 || line[length] != ' ') continue;
        line[strcspn(line, "\n")] = '\0';
        rest = strdup(line + length + 1);
    }
    free(line);
    fclose(f);
    if (!rest) fail_msg("%s has no line for %s", path, name);
    return rest;
}
