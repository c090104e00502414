/* Status codes and error details: the one way in which anything in cuzk reports failure.
 *
 * Every function that can fail returns a cuzk_status and takes, as its last argument, a cuzk_error that the
 * caller owns (NULL is allowed: the detail is then dropped). On CUZK_OK the detail is left untouched. The
 * library never aborts, exits or prints.
 */
#ifndef CUZK_STATUS_H
#define CUZK_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cuzk_status {
    CUZK_OK = 0,
    CUZK_REFUSED,         /* the question was well-formed and the answer is no: a proof that does not hold */
    CUZK_ERR_USAGE,       /* the caller broke the contract of a function or command */
    CUZK_ERR_DATA,        /* input bytes are malformed, out of range or inconsistent */
    CUZK_ERR_MISSING,     /* a file or other input does not exist or cannot be read */
    CUZK_ERR_UNAVAILABLE, /* a service or device is not available */
    CUZK_ERR_INTERNAL,    /* a bug: never expected */
    CUZK_ERR_CREATE,      /* an output cannot be created */
    CUZK_ERR_WRITE,       /* an output cannot be written */
    CUZK_ERR_RESOURCE,    /* memory, budget or queue exhausted: try again later */
    CUZK_ERR_CONFIG,      /* the configuration is wrong */
    CUZK_ERR_CANCELLED    /* the work was cancelled by its owner */
} cuzk_status;

/* What went wrong, where (file, section, index, field path) and what was expected; one line, no newline,
 * always NUL-terminated. Initialise with { "" }. */
typedef struct cuzk_error {
    char detail[512];
} cuzk_error;

/* A short fixed name, for example "bad input data". Never NULL. */
const char *cuzk_status_text(cuzk_status status);

/* The sysexits code that a command answers with: 0, 1, 64 … 78 (docs: cli.md). */
int cuzk_status_exit_code(cuzk_status status);

#ifdef __cplusplus
}
#endif
#endif
