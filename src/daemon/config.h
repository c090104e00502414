/* The daemon's configuration: TOML, strict, every key with a default.
 *
 * An unknown key, a wrong type, a bad size or duration is an error that names file, line and key. Keys of the
 * program that cuzk replaces which have no meaning here are accepted with one warning each (retired.h).
 */
#ifndef CUZK_DAEMON_CONFIG_H
#define CUZK_DAEMON_CONFIG_H

#include "base/arena.h"
#include "base/status.h"
#include "engine/config.h"

#include <stdbool.h>
#include <stdint.h>

struct texts {
    const char *const *at;
    size_t count;
};

/* In the order of the names in config_keys.c. */
enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

/* A part of something: per cent of it, or a size. */
struct share {
    bool percent;
    uint64_t amount;
};

enum { CONFIG_LEVEL_UNSET = -1 };

struct config {
    struct arena arena; /* owns everything below */

    struct texts listen;
    const char *status_listen;
    uint64_t max_message;
    uint64_t socket_mode;
    const char *socket_group; /* empty texts stand for "none" throughout */
    const char *tls_cert, *tls_key, *tls_client_ca, *token_file;
    bool allow_insecure;

    const char *param_cache; /* empty: as the command line finds it */
    struct texts preload;
    int64_t verify; /* enum srs_verify */
    bool allow_test_parameters;

    uint64_t total_budget; /* 0: auto */
    uint64_t safety_margin;
    uint64_t eviction_min_idle; /* ms */
    struct share reaper_limit;

    struct texts devices;          /* empty: all */
    bool devices_none;             /* CPU only */
    uint64_t device_memory_limit;  /* 0: auto */
    uint64_t partitions_in_flight; /* 0: auto */
    uint64_t device_recovery;      /* ms */

    uint64_t threads; /* 0: all CPUs allowed */

    uint64_t max_queued;
    uint64_t orphan_grace, drain_timeout; /* ms */

    const char *journal_dir; /* empty: no journal */
    uint64_t retention;      /* ms */

    int64_t log_level;            /* enum log_level */
    int64_t log_format;           /* enum log_format */
    int8_t log_levels[LOG_AREAS]; /* enum log_level by area, or CONFIG_LEVEL_UNSET */
};

/* Called once per retired key that the file holds. */
typedef void config_warn(void *context, const char *text);

/* All defaults. Only memory can be lacking. */
cuzk_status config_defaults(struct config *out, cuzk_error *err);

/* The defaults, overlaid by the file. `name` stands for the file in messages. On failure (CUZK_ERR_CONFIG)
 * nothing needs to be freed. `warn` may be NULL. */
cuzk_status config_read(struct config *out, const char *name, const char *text, size_t size, config_warn *warn,
                        void *context, cuzk_error *err);
cuzk_status config_load(struct config *out, const char *path, config_warn *warn, void *context, cuzk_error *err);

/* Replaces daemon.listen; the texts are copied. */
cuzk_status config_set_listen(struct config *c, const char *const *addresses, size_t count, cuzk_error *err);

void config_free(struct config *c);

/* The whole configuration as TOML with comments, in fresh memory; reads back as the same configuration. */
char *config_print(const struct config *c);

#endif
