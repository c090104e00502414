#include "daemon/config.h"

#include "daemon/config_keys.h"
#include "daemon/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') {
            fprintf(f, "\\%c", c);
        } else if (c < 0x20 || c == 0x7f) {
            fprintf(f, "\\u%04X", c);
        } else {
            fputc(c, f);
        }
    }
    fputc('"', f);
}

static void print_list(FILE *f, const struct texts *list)
{
    fputc('[', f);
    for (size_t i = 0; i < list->count; i++) {
        if (i) fputs(", ", f);
        print_text(f, list->at[i]);
    }
    fputc(']', f);
}

static void print_size(FILE *f, uint64_t bytes)
{
    char text[UNIT_TEXT];
    size_format(text, bytes);
    print_text(f, text);
}

static void print_duration(FILE *f, uint64_t ms)
{
    char text[UNIT_TEXT];
    duration_format(text, ms);
    print_text(f, text);
}

static void print_share(FILE *f, const struct share *share)
{
    if (share->percent) {
        fprintf(f, "\"%" PRIu64 "%%\"", share->amount);
    } else {
        print_size(f, share->amount);
    }
}

static void print_value(FILE *f, const struct config *c, const struct config_key *key)
{
    const void *field = (const char *)c + key->offset;
    const uint64_t *number = field;
    const struct texts *list = field;
    switch (key->type) {
    case CONFIG_TEXT: print_text(f, *(const char *const *)field); return;
    case CONFIG_TEXTS: print_list(f, list); return;
    case CONFIG_ADDRESSES:
        if (list->count == 1) {
            print_text(f, list->at[0]);
        } else {
            print_list(f, list);
        }
        return;
    case CONFIG_DEVICES:
        if (list->count) {
            print_list(f, list);
        } else {
            print_text(f, c->devices_none ? "none" : "auto");
        }
        return;
    case CONFIG_SIZE_OR_AUTO:
    case CONFIG_COUNT_OR_AUTO:
        if (*number == 0) {
            print_text(f, "auto");
        } else if (key->type == CONFIG_SIZE_OR_AUTO) {
            print_size(f, *number);
        } else {
            fprintf(f, "%" PRIu64, *number);
        }
        return;
    case CONFIG_SIZE: print_size(f, *number); return;
    case CONFIG_SHARE: print_share(f, field); return;
    case CONFIG_DURATION: print_duration(f, *number); return;
    case CONFIG_COUNT: fprintf(f, "%" PRIu64, *number); return;
    case CONFIG_FLAG: fputs(*(const bool *)field ? "true" : "false", f); return;
    case CONFIG_CHOICE: print_text(f, key->choices[*(const int64_t *)field]); return;
    case CONFIG_MODE: fprintf(f, "\"%04" PRIo64 "\"", *number); return;
    case CONFIG_LEVEL: print_text(f, key->choices[*(const int8_t *)field]); return;
    }
}

static void print_comment(FILE *f, const char *comment)
{
    while (*comment) {
        size_t n = strcspn(comment, "\n");
        fprintf(f, "# %.*s\n", (int)n, comment);
        comment += n + (comment[n] == '\n');
    }
}

/* The part before the last dot. */
static size_t section_length(const char *name) { return (size_t)(strrchr(name, '.') - name); }

static void print_key(FILE *f, const struct config *c, const struct config_key *key, const struct config_key *before)
{
    size_t section = section_length(key->name);
    if (!before || section_length(before->name) != section || strncmp(before->name, key->name, section) != 0) {
        fprintf(f, "%s[%.*s]\n", before ? "\n" : "", (int)section, key->name);
    }
    print_comment(f, key->comment);
    const char *name = key->name + section + 1;
    if (key->type == CONFIG_LEVEL && *((const int8_t *)c + key->offset) == CONFIG_LEVEL_UNSET) {
        fprintf(f, "# %s = \"info\"\n", name);
        return;
    }
    fprintf(f, "%s = ", name);
    print_value(f, c, key);
    fputc('\n', f);
}

char *config_print(const struct config *c)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    const struct config_key *before = NULL, *key;
    for (size_t i = 0; (key = config_key_at(i)); i++) {
        print_key(f, c, key, before);
        before = key;
    }
    bool bad = ferror(f);
    if (fclose(f) != 0 || bad) {
        free(text);
        return NULL;
    }
    return text;
}
