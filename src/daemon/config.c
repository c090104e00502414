#include "daemon/config.h"

#include "base/file.h"
#include "daemon/config_keys.h"
#include "daemon/toml.h"
#include "daemon/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIG_FILE_LIMIT = 1 << 20 };

static const char *copy_text(struct arena *arena, const char *text, size_t size)
{
    char *copy = arena_take(arena, size + 1, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static void *field_of(struct config *c, const struct config_key *key) { return (char *)c + key->offset; }

static cuzk_status no_memory(cuzk_error *err) { return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory"); }

static cuzk_status append_text(struct config *c, struct texts *list, const char *text, size_t size, cuzk_error *err)
{
    const char **grown = arena_take(&c->arena, list->count + 1, sizeof *grown);
    const char *copy = copy_text(&c->arena, text, size);
    if (!grown || !copy) return no_memory(err);
    if (list->count) memcpy(grown, list->at, list->count * sizeof *grown);
    grown[list->count] = copy;
    *list = (struct texts){ grown, list->count + 1 };
    return CUZK_OK;
}

static cuzk_status set_choice(int64_t *out, const struct config_key *key, const char *text, cuzk_error *err)
{
    char offer[128] = "";
    for (size_t i = 0; key->choices[i]; i++) {
        if (strcmp(key->choices[i], text) == 0) {
            *out = (int64_t)i;
            return CUZK_OK;
        }
        size_t used = strlen(offer);
        snprintf(offer + used, sizeof offer - used, "%s%s", i ? ", " : "", key->choices[i]);
    }
    return cuzk_fail(err, CUZK_ERR_CONFIG, "\"%s\" is not one of %s", text, offer);
}

static cuzk_status set_share(struct share *out, const char *text, size_t size, cuzk_error *err)
{
    char digits[32];
    if (size > 1 && size < sizeof digits && text[size - 1] == '%') {
        memcpy(digits, text, size - 1);
        digits[size - 1] = '\0';
        char *end = NULL;
        uint64_t v = strtoull(digits, &end, 10);
        if (*end == '\0' && strspn(digits, "0123456789") == size - 1 && v <= 100) {
            *out = (struct share){ true, v };
            return CUZK_OK;
        }
    }
    out->percent = false;
    if (size_parse(&out->amount, text)) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_CONFIG, "\"%s\" is neither a share like \"25%%\" nor a size like \"2GiB\"", text);
}

static cuzk_status set_mode(uint64_t *out, const char *text, cuzk_error *err)
{
    char *end = NULL;
    *out = strtoull(text, &end, 8);
    if (*text && *end == '\0' && strspn(text, "01234567") == strlen(text) && *out <= 0777) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_CONFIG, "\"%s\" is no octal mode like \"0660\"", text);
}

static cuzk_status in_range(const struct config_key *key, uint64_t v, cuzk_error *err)
{
    if (v >= key->min && v <= key->max) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_CONFIG, "%" PRIu64 " is not in %" PRIu64 " … %" PRIu64, v, key->min, key->max);
}

static cuzk_status set_size(uint64_t *out, const struct config_key *key, const char *text, cuzk_error *err)
{
    if (!size_parse(out, text)) {
        return cuzk_fail(err, CUZK_ERR_CONFIG, "\"%s\" is no size like \"256MiB\" or \"1.5TB\"", text);
    }
    return in_range(key, *out, err);
}

static cuzk_status set_duration(uint64_t *out, const char *text, cuzk_error *err)
{
    if (duration_parse(out, text)) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_CONFIG, "\"%s\" is no duration like \"250ms\", \"30s\", \"5m\" or \"24h\"", text);
}

/* "none" and "auto" of gpus.devices. */
static cuzk_status set_devices_word(struct config *c, struct texts *list, const char *text, cuzk_error *err)
{
    *list = (struct texts){ NULL, 0 };
    c->devices_none = strcmp(text, "none") == 0;
    if (c->devices_none || strcmp(text, "auto") == 0) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_CONFIG, "\"%s\" is not \"auto\", \"none\" or a list", text);
}

/* A value that was written as a string outside of an array; also the way in for defaults. */
static cuzk_status set_from_text(struct config *c, const struct config_key *key, const char *text, size_t size,
                                 cuzk_error *err)
{
    void *field = field_of(c, key);
    cuzk_status status;
    int64_t level = CONFIG_LEVEL_UNSET;
    switch (key->type) {
    case CONFIG_TEXT:
        *(const char **)field = copy_text(&c->arena, text, size);
        return *(const char **)field ? CUZK_OK : no_memory(err);
    case CONFIG_ADDRESSES:
        *(struct texts *)field = (struct texts){ NULL, 0 };
        if (!size) return cuzk_fail(err, CUZK_ERR_CONFIG, "an address is expected");
        return append_text(c, field, text, size, err);
    case CONFIG_DEVICES: return set_devices_word(c, field, text, err);
    case CONFIG_SIZE_OR_AUTO:
    case CONFIG_COUNT_OR_AUTO:
        *(uint64_t *)field = 0;
        if (strcmp(text, "auto") == 0) return CUZK_OK;
        if (key->type == CONFIG_SIZE_OR_AUTO) return set_size(field, key, text, err);
        return cuzk_fail(err, CUZK_ERR_CONFIG, "\"%s\" is neither \"auto\" nor a whole number", text);
    case CONFIG_SIZE: return set_size(field, key, text, err);
    case CONFIG_SHARE: return set_share(field, text, size, err);
    case CONFIG_DURATION: return set_duration(field, text, err);
    case CONFIG_CHOICE: return set_choice(field, key, text, err);
    case CONFIG_MODE: return set_mode(field, text, err);
    case CONFIG_LEVEL:
        status = set_choice(&level, key, text, err);
        *(int8_t *)field = (int8_t)level;
        return status;
    case CONFIG_COUNT:
    case CONFIG_FLAG:
    case CONFIG_TEXTS: break;
    }
    return cuzk_fail(err, CUZK_ERR_CONFIG, "a string is not expected here");
}

static const char *const expected[] = {
    [CONFIG_TEXT] = "a string",
    [CONFIG_TEXTS] = "an array of strings",
    [CONFIG_ADDRESSES] = "an address or an array of addresses",
    [CONFIG_DEVICES] = "\"auto\", \"none\" or a list of ordinals or UUIDs",
    [CONFIG_SIZE] = "a size like \"256MiB\"",
    [CONFIG_SIZE_OR_AUTO] = "\"auto\" or a size like \"256GiB\"",
    [CONFIG_SHARE] = "a share like \"25%\" or a size",
    [CONFIG_DURATION] = "a duration like \"30s\"",
    [CONFIG_COUNT] = "a whole number",
    [CONFIG_COUNT_OR_AUTO] = "\"auto\" or a whole number",
    [CONFIG_FLAG] = "true or false",
    [CONFIG_CHOICE] = "one of the names that the documentation lists, as a string",
    [CONFIG_MODE] = "an octal mode like \"0660\"",
    [CONFIG_LEVEL] = "a level like \"debug\"",
};

static cuzk_status wrong_type(const struct config_key *key, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_CONFIG, "%s is expected", expected[key->type]);
}

static cuzk_status set_from_integer(struct config *c, const struct config_key *key, int64_t v, cuzk_error *err)
{
    uint64_t *field = field_of(c, key);
    switch (key->type) {
    case CONFIG_SIZE:
    case CONFIG_SIZE_OR_AUTO:
    case CONFIG_COUNT:
    case CONFIG_COUNT_OR_AUTO:
    case CONFIG_MODE:
        if (v < 0) return cuzk_fail(err, CUZK_ERR_CONFIG, "%" PRId64 " is negative", v);
        *field = (uint64_t)v;
        return in_range(key, *field, err);
    case CONFIG_DURATION:
        if (v < 0 || v > INT64_MAX / 1000) {
            return cuzk_fail(err, CUZK_ERR_CONFIG, "%" PRId64 " s is out of range", v);
        }
        *field = (uint64_t)v * 1000;
        return CUZK_OK;
    default: return wrong_type(key, err);
    }
}

static cuzk_status set_element(struct config *c, const struct config_key *key, const struct toml_item *item,
                               cuzk_error *err)
{
    struct texts *list = field_of(c, key);
    if (item->kind == TOML_STRING && item->length > 0) return append_text(c, list, item->text, item->length, err);
    if (item->kind == TOML_INTEGER && key->type == CONFIG_DEVICES && item->integer >= 0) {
        char digits[24];
        int n = snprintf(digits, sizeof digits, "%" PRId64, item->integer);
        return append_text(c, list, digits, (size_t)n, err);
    }
    return wrong_type(key, err);
}

static cuzk_status set_list(struct config *c, const struct config_key *key, size_t length, cuzk_error *err)
{
    bool list = key->type == CONFIG_TEXTS || key->type == CONFIG_ADDRESSES || key->type == CONFIG_DEVICES;
    if (!list || (key->type == CONFIG_ADDRESSES && length == 0)) return wrong_type(key, err);
    *(struct texts *)field_of(c, key) = (struct texts){ NULL, 0 };
    if (key->type == CONFIG_DEVICES) c->devices_none = false;
    return CUZK_OK;
}

static cuzk_status set_item(struct config *c, const struct config_key *key, const struct toml_item *item,
                            cuzk_error *err)
{
    if (item->index >= 0) return set_element(c, key, item, err);
    switch (item->kind) {
    case TOML_STRING:
        if (memchr(item->text, 0, item->length)) return cuzk_fail(err, CUZK_ERR_CONFIG, "holds a NUL");
        if (key->type == CONFIG_COUNT || key->type == CONFIG_FLAG || key->type == CONFIG_TEXTS) break;
        return set_from_text(c, key, item->text, item->length, err);
    case TOML_INTEGER: return set_from_integer(c, key, item->integer, err);
    case TOML_BOOLEAN:
        if (key->type != CONFIG_FLAG) break;
        *(bool *)field_of(c, key) = item->integer != 0;
        return CUZK_OK;
    case TOML_ARRAY: return set_list(c, key, item->length, err);
    default: break;
    }
    return wrong_type(key, err);
}

/* ---- the walk through one document ---- */

struct load {
    struct config *config;
    const char *name;
    config_warn *warn;
    void *context;
    cuzk_status status; /* of the complaint that stands first in the file */
    unsigned line;
    cuzk_error error;
};

static void load_complain(struct load *l, const struct toml_item *item, cuzk_status status, const cuzk_error *why)
{
    if (l->status != CUZK_OK && l->line <= item->line) return;
    l->status = status;
    l->line = item->line;
    cuzk_fail(&l->error, status, "%s:%u: %s: %s", l->name, item->line, item->key, why->detail);
}

static void load_visit(void *context, const struct toml_item *item)
{
    struct load *l = context;
    cuzk_error why = { "" };
    if (item->index < 0 && item->kind == TOML_TABLE && config_is_section(item->key)) return;
    const char *instead = config_retired(item->key);
    if (instead) {
        bool first = item->index < 0 && (item->kind != TOML_TABLE || strcmp(item->key, "pipeline") != 0);
        if (first && l->warn) {
            cuzk_fail(&why, CUZK_OK, "%s:%u: %s has no effect: %s", l->name, item->line, item->key, instead);
            l->warn(l->context, why.detail);
        }
        return;
    }
    const struct config_key *key = config_key_find(item->key);
    cuzk_status status;
    if (key) {
        status = set_item(l->config, key, item, &why);
    } else if (config_is_section(item->key)) {
        status = cuzk_fail(&why, CUZK_ERR_CONFIG, "a table is expected");
    } else {
        status = cuzk_fail(&why, CUZK_ERR_CONFIG, "unknown key");
    }
    if (status != CUZK_OK) load_complain(l, item, status, &why);
}

/* What no key can see alone. */
static cuzk_status check_together(const struct config *c, cuzk_error *err)
{
    if ((*c->tls_cert != '\0') != (*c->tls_key != '\0')) {
        return cuzk_fail(err, CUZK_ERR_CONFIG, "daemon.tls_cert and daemon.tls_key: both or neither");
    }
    if (*c->tls_client_ca && !*c->tls_cert) {
        return cuzk_fail(err, CUZK_ERR_CONFIG, "daemon.tls_client_ca: needs daemon.tls_cert and daemon.tls_key");
    }
    return CUZK_OK;
}

cuzk_status config_defaults(struct config *out, cuzk_error *err)
{
    memset(out, 0, sizeof *out);
    memset(out->log_levels, CONFIG_LEVEL_UNSET, sizeof out->log_levels);
    const struct config_key *key;
    for (size_t i = 0; (key = config_key_at(i)); i++) {
        cuzk_status status = CUZK_OK;
        if (key->type == CONFIG_COUNT) {
            *(uint64_t *)field_of(out, key) = strtoull(key->fallback, NULL, 10);
        } else if (key->type == CONFIG_TEXT || *key->fallback) {
            if (key->type == CONFIG_FLAG) continue; /* all are false */
            status = set_from_text(out, key, key->fallback, strlen(key->fallback), err);
        }
        if (status != CUZK_OK) {
            config_free(out);
            return cuzk_within(err, status, "%s", key->name);
        }
    }
    return CUZK_OK;
}

cuzk_status config_read(struct config *out, const char *name, const char *text, size_t size, config_warn *warn,
                        void *context, cuzk_error *err)
{
    cuzk_status status = config_defaults(out, err);
    if (status != CUZK_OK) return status;
    struct load l = { .config = out, .name = name, .warn = warn, .context = context };
    char message[256];
    unsigned line = 0;
    if (!toml_read(text, size, load_visit, &l, &line, message, sizeof message)) {
        l.status = cuzk_fail(&l.error, CUZK_ERR_CONFIG, "%s:%u: %s", name, line, message);
    }
    if (l.status == CUZK_OK) {
        l.status = cuzk_within(&l.error, check_together(out, &l.error), "%s", name);
    }
    if (l.status != CUZK_OK) {
        config_free(out);
        return cuzk_fail(err, l.status, "%s", l.error.detail);
    }
    return CUZK_OK;
}

cuzk_status config_load(struct config *out, const char *path, config_warn *warn, void *context, cuzk_error *err)
{
    uint8_t *text = NULL;
    size_t size = 0;
    cuzk_status status = file_read(&text, &size, path, CONFIG_FILE_LIMIT, err);
    if (status != CUZK_OK) return status == CUZK_ERR_RESOURCE ? status : CUZK_ERR_CONFIG;
    status = config_read(out, path, (const char *)text, size, warn, context, err);
    free(text);
    return status;
}

cuzk_status config_set_listen(struct config *c, const char *const *addresses, size_t count, cuzk_error *err)
{
    c->listen = (struct texts){ NULL, 0 };
    for (size_t i = 0; i < count; i++) {
        cuzk_status status = append_text(c, &c->listen, addresses[i], strlen(addresses[i]), err);
        if (status != CUZK_OK) return status;
    }
    return CUZK_OK;
}

void config_free(struct config *c) { arena_release(&c->arena); }
