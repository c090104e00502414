#define _GNU_SOURCE
#include "engine/journal.h"

#include "base/clock.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1, BUSY_MS = 5000, PAYLOAD_LIMIT = 1 << 30 };

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS job ("
    " id INTEGER PRIMARY KEY," /* names the payload's file */
    " job_id BLOB NOT NULL,"
    " request_id BLOB NOT NULL,"
    " hash BLOB NOT NULL," /* SHA-256 of the canonical request */
    " kind INTEGER NOT NULL,"
    " priority INTEGER NOT NULL,"
    " accepted_ms INTEGER NOT NULL,"
    " circuit TEXT NOT NULL," /* the plan: '' if there was none */
    " partitions INTEGER NOT NULL,"
    " input_bytes INTEGER NOT NULL,"
    " state INTEGER NOT NULL,"   /* enum job_state: QUEUED (accepted) or final */
    " payload INTEGER NOT NULL," /* 1: the file exists */
    " finished_ms INTEGER,"
    " proof BLOB,"
    " error TEXT,"
    " timings BLOB);" /* struct timings: phases, total, busy; u64 LE nanoseconds */
    "CREATE UNIQUE INDEX IF NOT EXISTS job_by_id ON job (job_id);"
    "CREATE INDEX IF NOT EXISTS job_by_identity ON job (request_id, hash);"
    "CREATE INDEX IF NOT EXISTS job_by_end ON job (finished_ms) WHERE finished_ms IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS job_unfinished ON job (state) WHERE state = 0;";

_Static_assert(JOB_QUEUED == 0 && JOB_COMPLETED == 4 && JOB_FAILED == 5 && JOB_CANCELLED == 6,
               "states are written to disk");

enum { TIMINGS_WORDS = 2 * PHASES + 1 };

enum statement {
    ACCEPT,
    FINISH_ACCEPTED,
    FINISH_NEW,
    FORGET,
    PRUNE,
    FIND,
    FIND_IDENTITY,
    HOLDS,
    UNFINISHED,
    STATEMENTS
};

static const char *const statement_text[STATEMENTS] = {
    [ACCEPT] = "INSERT INTO job (id, job_id, request_id, hash, kind, priority, accepted_ms, circuit,"
               " partitions, input_bytes, state, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 1)",
    [FINISH_ACCEPTED] = "UPDATE job SET state = ?, payload = 0, finished_ms = ?, proof = ?, error = ?, timings = ?"
                        " WHERE id = ?",
    [FINISH_NEW] = "INSERT INTO job (id, job_id, request_id, hash, kind, priority, accepted_ms, circuit,"
                   " partitions, input_bytes, payload, state, finished_ms, proof, error, timings)"
                   " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?)",
    [FORGET] = "DELETE FROM job WHERE job_id = ? AND id <> ? RETURNING id, payload",
    [PRUNE] = "DELETE FROM job WHERE finished_ms < ?",
    [FIND] = "SELECT state, job_id, request_id, proof, error, timings FROM job WHERE job_id = ? AND state <> 0",
    [FIND_IDENTITY] = "SELECT state, job_id, request_id, proof, error, timings FROM job"
                      " WHERE request_id = ? AND hash = ? AND state = 4 ORDER BY id DESC LIMIT 1",
    [HOLDS] = "SELECT 1 FROM job WHERE job_id = ? AND state = 4",
    [UNFINISHED] = "SELECT id, job_id, request_id, hash, kind, priority, accepted_ms,"
                   " circuit, partitions, input_bytes FROM job WHERE state = 0 ORDER BY id",
};

static bool is_writer(enum statement s) { return s <= PRUNE; }

struct journal {
    char *dir, *payloads;
    struct log *log;
    int lock_fd;
    sqlite3 *writer, *reader;
    pthread_mutex_t reading; /* the reader's connection: one query at a time */
    sqlite3_stmt *statement[STATEMENTS];
    uint64_t next_id;
    uint64_t *doomed; /* payloads to remove after the commit */
    size_t doomed_count, doomed_capacity;
};

static cuzk_status sql_error(struct journal *j, sqlite3 *db, const char *what, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_WRITE, "journal %s: %s: %s", j->dir, what, db ? sqlite3_errmsg(db) : "no memory");
}

static sqlite3_stmt *fresh(struct journal *j, enum statement s)
{
    sqlite3_stmt *statement = j->statement[s];
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return statement;
}

/* An empty blob is a blob, not NULL. */
static void bind_bytes(sqlite3_stmt *s, int place, const void *data, size_t size)
{
    sqlite3_bind_blob64(s, place, size ? data : "", size, SQLITE_STATIC);
}

static cuzk_status run(struct journal *j, sqlite3_stmt *s, const char *what, cuzk_error *err)
{
    int result;
    while ((result = sqlite3_step(s)) == SQLITE_ROW) continue;
    cuzk_status status = result == SQLITE_DONE ? CUZK_OK : sql_error(j, j->writer, what, err);
    sqlite3_reset(s);
    return status;
}

static cuzk_status execute(struct journal *j, sqlite3 *db, const char *sql, cuzk_error *err)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) return sql_error(j, db, sql, err);
    return CUZK_OK;
}

/* ---- payload files ---- */

static void payload_path(char out[], size_t size, const struct journal *j, uint64_t id)
{
    snprintf(out, size, "%s/%016llx", j->payloads, (unsigned long long)id);
}

enum { PATH_BYTES = 4096 };

static cuzk_status payload_write(struct journal *j, const struct job *job, cuzk_error *err)
{
    char path[PATH_BYTES];
    payload_path(path, sizeof path, j, job->journal_id);
    struct file_writer w;
    cuzk_status status = file_writer_open(&w, path, err);
    if (status != CUZK_OK) return status;
    for (size_t i = 0; i < job->piece_count && status == CUZK_OK; i++) {
        status = file_writer_put(&w, job->pieces[i].data, job->pieces[i].size, err);
    }
    if (status == CUZK_OK) return file_writer_commit(&w, true, err);
    file_writer_abandon(&w);
    return status;
}

static void payload_doom(struct journal *j, uint64_t id)
{
    if (j->doomed_count == j->doomed_capacity) {
        size_t capacity = j->doomed_capacity ? 2 * j->doomed_capacity : 64;
        uint64_t *larger = realloc(j->doomed, capacity * sizeof *larger);
        if (!larger) return; /* the next start removes it */
        j->doomed = larger;
        j->doomed_capacity = capacity;
    }
    j->doomed[j->doomed_count++] = id;
}

static void payload_remove(struct journal *j, uint64_t id)
{
    char path[PATH_BYTES];
    payload_path(path, sizeof path, j, id);
    unlink(path);
}

/* Removes what a crash left: temporary files, and payloads that no unfinished row needs. */
static cuzk_status sweep(struct journal *j, cuzk_error *err)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(j->writer, "SELECT 1 FROM job WHERE id = ? AND payload = 1", -1, &s, NULL) != SQLITE_OK) {
        return sql_error(j, j->writer, "sweep", err);
    }
    DIR *d = opendir(j->payloads);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        char *end;
        unsigned long long id = strtoull(e->d_name, &end, 16);
        sqlite3_reset(s);
        sqlite3_bind_int64(s, 1, (sqlite3_int64)id);
        bool wanted = *end == 0 && sqlite3_step(s) == SQLITE_ROW;
        if (!wanted) unlinkat(dirfd(d), e->d_name, 0);
    }
    if (d) closedir(d);
    sqlite3_finalize(s);
    return CUZK_OK;
}

/* ---- opening ---- */

static cuzk_status make_folder(const char *path, cuzk_error *err)
{
    if (mkdir(path, 0700) == 0 || errno == EEXIST) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", path, strerror(errno));
}

static cuzk_status take_lock(struct journal *j, cuzk_error *err)
{
    char *path = path_join(j->dir, "lock");
    if (!path) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the journal");
    cuzk_status status = CUZK_OK;
    j->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (j->lock_fd < 0) {
        status = cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", path, strerror(errno));
    } else if (flock(j->lock_fd, LOCK_EX | LOCK_NB) != 0) {
        status = cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "%s: held by another process", path);
    }
    free(path);
    return status;
}

static cuzk_status connect(struct journal *j, sqlite3 **out, const char *path, cuzk_error *err)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, out, flags, NULL) != SQLITE_OK) {
        return cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", path, *out ? sqlite3_errmsg(*out) : "no memory");
    }
    sqlite3_busy_timeout(*out, BUSY_MS);
    return execute(j, *out, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -1024", err);
}

static cuzk_status one_number(struct journal *j, int64_t *out, const char *sql, cuzk_error *err)
{
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(j->writer, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
    if (ok) *out = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return ok ? CUZK_OK : sql_error(j, j->writer, sql, err);
}

static cuzk_status make_schema(struct journal *j, cuzk_error *err)
{
    int64_t version;
    cuzk_status status = one_number(j, &version, "PRAGMA user_version", err);
    if (status != CUZK_OK) return status;
    if (version > VERSION) {
        return cuzk_fail(err, CUZK_ERR_DATA, "journal %s: version %lld, this program knows up to %d", j->dir,
                         (long long)version, VERSION);
    }
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", VERSION);
    status = execute(j, j->writer, schema, err);
    if (status == CUZK_OK) status = execute(j, j->writer, sql, err);
    return status;
}

static cuzk_status prepare(struct journal *j, cuzk_error *err)
{
    for (int i = 0; i < STATEMENTS; i++) {
        sqlite3 *db = is_writer((enum statement)i) ? j->writer : j->reader;
        if (sqlite3_prepare_v3(db, statement_text[i], -1, SQLITE_PREPARE_PERSISTENT, &j->statement[i], NULL) !=
            SQLITE_OK) {
            return sql_error(j, db, statement_text[i], err);
        }
    }
    return CUZK_OK;
}

static cuzk_status open_database(struct journal *j, cuzk_error *err)
{
    char *path = path_join(j->dir, "journal.db");
    if (!path) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the journal");
    cuzk_status status = connect(j, &j->writer, path, err);
    if (status == CUZK_OK) status = make_schema(j, err);
    if (status == CUZK_OK) status = connect(j, &j->reader, path, err);
    if (status == CUZK_OK) status = prepare(j, err);
    int64_t last = 0;
    if (status == CUZK_OK) status = one_number(j, &last, "SELECT coalesce(max(id), 0) FROM job", err);
    j->next_id = (uint64_t)last + 1;
    free(path);
    return status;
}

cuzk_status journal_open(struct journal **out, const char *dir, struct log *log, cuzk_error *err)
{
    *out = NULL;
    struct journal *j = calloc(1, sizeof *j);
    if (!j) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the journal");
    j->lock_fd = -1;
    j->log = log;
    pthread_mutex_init(&j->reading, NULL);
    j->dir = strdup(dir);
    j->payloads = path_join(dir, "payloads");
    cuzk_status status = CUZK_OK;
    if (!j->dir || !j->payloads) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the journal");
    if (status == CUZK_OK) status = make_folder(j->dir, err);
    if (status == CUZK_OK) status = make_folder(j->payloads, err);
    if (status == CUZK_OK) status = take_lock(j, err);
    if (status == CUZK_OK) status = open_database(j, err);
    if (status == CUZK_OK) status = sweep(j, err);
    if (status != CUZK_OK) {
        journal_close(j);
        return status;
    }
    *out = j;
    return CUZK_OK;
}

void journal_close(struct journal *j)
{
    if (!j) return;
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(j->statement[i]);
    sqlite3_close(j->reader);
    sqlite3_close(j->writer);
    if (j->lock_fd >= 0) close(j->lock_fd);
    pthread_mutex_destroy(&j->reading);
    free(j->doomed);
    free(j->payloads);
    free(j->dir);
    free(j);
}

/* ---- writing ---- */

uint64_t journal_next_id(struct journal *j) { return __atomic_fetch_add(&j->next_id, 1, __ATOMIC_RELAXED); }

cuzk_status journal_begin(struct journal *j, cuzk_error *err)
{
    j->doomed_count = 0;
    return execute(j, j->writer, "BEGIN IMMEDIATE", err);
}

void journal_rollback(struct journal *j)
{
    j->doomed_count = 0;
    sqlite3_exec(j->writer, "ROLLBACK", NULL, NULL, NULL);
}

cuzk_status journal_commit(struct journal *j, cuzk_error *err)
{
    cuzk_status status = execute(j, j->writer, "COMMIT", err);
    if (status != CUZK_OK) {
        journal_rollback(j);
        return status;
    }
    for (size_t i = 0; i < j->doomed_count; i++) payload_remove(j, j->doomed[i]);
    j->doomed_count = 0;
    return CUZK_OK;
}

/* Other rows under the job's id: of jobs that failed, were cancelled, or have been forgotten. */
static cuzk_status forget_older(struct journal *j, const struct job *job, cuzk_error *err)
{
    sqlite3_stmt *s = fresh(j, FORGET);
    bind_bytes(s, 1, job->job_id.data, job->job_id.size);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)job->journal_id);
    int result;
    while ((result = sqlite3_step(s)) == SQLITE_ROW) {
        if (sqlite3_column_int(s, 1)) payload_doom(j, (uint64_t)sqlite3_column_int64(s, 0));
    }
    sqlite3_reset(s);
    return result == SQLITE_DONE ? CUZK_OK : sql_error(j, j->writer, "forget", err);
}

static void bind_identity(sqlite3_stmt *s, const struct job *job)
{
    sqlite3_bind_int64(s, 1, (sqlite3_int64)job->journal_id);
    bind_bytes(s, 2, job->job_id.data, job->job_id.size);
    bind_bytes(s, 3, job->request_id.data, job->request_id.size);
    bind_bytes(s, 4, job->hash, DIGEST_BYTES);
    sqlite3_bind_int(s, 5, (int)job->kind);
    sqlite3_bind_int(s, 6, (int)job->journal_priority);
    sqlite3_bind_int64(s, 7, job->accepted_ms);
    sqlite3_bind_text(s, 8, job->planned ? catalogue_at(job->circuit)->id : "", -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 9, (sqlite3_int64)job->partition_count);
    sqlite3_bind_int64(s, 10, (sqlite3_int64)job->planned_input_bytes);
}

cuzk_status journal_accept(struct journal *j, const struct job *job, cuzk_error *err)
{
    cuzk_status status = payload_write(j, job, err);
    if (status != CUZK_OK) return status;
    status = forget_older(j, job, err);
    if (status != CUZK_OK) return status;
    sqlite3_stmt *s = fresh(j, ACCEPT);
    bind_identity(s, job);
    return run(j, s, "accept", err);
}

static void bind_end(sqlite3_stmt *s, int first, const struct job *job, uint8_t timings[8 * TIMINGS_WORDS])
{
    const struct timings *t = &job->timings;
    for (int p = 0; p < PHASES; p++) {
        store_le64(timings + 8 * p, t->phase[p]);
        store_le64(timings + 8 * (PHASES + 1 + p), t->busy[p]);
    }
    store_le64(timings + 8 * PHASES, t->total);
    size_t size = job->state == JOB_COMPLETED ? job->partition_count * PROOF_BYTES : 0;
    sqlite3_bind_int(s, first, (int)job->state);
    sqlite3_bind_int64(s, first + 1, job->finished_ms);
    bind_bytes(s, first + 2, job->proofs, size);
    sqlite3_bind_text(s, first + 3, job->error ? job->error : "", -1, SQLITE_STATIC);
    sqlite3_bind_blob(s, first + 4, timings, 8 * TIMINGS_WORDS, SQLITE_STATIC);
}

cuzk_status journal_finish(struct journal *j, const struct job *job, cuzk_error *err)
{
    uint8_t timings[8 * TIMINGS_WORDS];
    sqlite3_stmt *s = fresh(j, FINISH_ACCEPTED);
    bind_end(s, 1, job, timings);
    sqlite3_bind_int64(s, 6, (sqlite3_int64)job->journal_id);
    cuzk_status status = run(j, s, "finish", err);
    if (status != CUZK_OK) return status;
    payload_doom(j, job->journal_id);
    if (sqlite3_changes(j->writer) > 0) return CUZK_OK;
    status = forget_older(j, job, err);
    if (status != CUZK_OK) return status;
    s = fresh(j, FINISH_NEW);
    bind_identity(s, job);
    bind_end(s, 11, job, timings);
    return run(j, s, "finish", err);
}

cuzk_status journal_prune(struct journal *j, int64_t calendar_ms, cuzk_error *err)
{
    sqlite3_stmt *s = fresh(j, PRUNE);
    sqlite3_bind_int64(s, 1, calendar_ms);
    return run(j, s, "prune", err);
}

/* ---- reading ---- */

static struct bytes column_bytes(sqlite3_stmt *s, int column)
{
    const void *data = sqlite3_column_blob(s, column);
    return (struct bytes){ data, (size_t)sqlite3_column_bytes(s, column) };
}

static struct bytes keep_bytes(uint8_t **at, struct bytes in)
{
    struct bytes out = { *at, in.size };
    if (in.size) memcpy(*at, in.data, in.size);
    (*at)[in.size] = 0;
    *at += in.size + 1;
    return out;
}

static cuzk_status copy_row(struct stored *out, sqlite3_stmt *s, cuzk_error *err)
{
    struct bytes job_id = column_bytes(s, 1), request_id = column_bytes(s, 2), proof = column_bytes(s, 3);
    struct bytes error = column_bytes(s, 4), timings = column_bytes(s, 5);
    uint8_t *at = out->memory = malloc(job_id.size + request_id.size + proof.size + error.size + 4);
    if (!at) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a result");
    out->state = (enum job_state)sqlite3_column_int(s, 0);
    out->job_id = keep_bytes(&at, job_id);
    out->request_id = keep_bytes(&at, request_id);
    out->proof = keep_bytes(&at, proof);
    out->error = (char *)(uintptr_t)keep_bytes(&at, error).data;
    if (timings.size == 8 * TIMINGS_WORDS) {
        for (int p = 0; p < PHASES; p++) {
            out->timings.phase[p] = load_le64(timings.data + 8 * p);
            out->timings.busy[p] = load_le64(timings.data + 8 * (PHASES + 1 + p));
        }
        out->timings.total = load_le64(timings.data + 8 * PHASES);
    }
    return CUZK_OK;
}

/* `reading` is held. */
static cuzk_status find_row(struct journal *j, struct stored *out, sqlite3_stmt *s, cuzk_error *err)
{
    int result = sqlite3_step(s);
    cuzk_status status = CUZK_OK;
    if (result == SQLITE_ROW)
        status = copy_row(out, s, err);
    else if (result == SQLITE_DONE)
        status = cuzk_fail(err, CUZK_ERR_MISSING, "no such job");
    else
        status = sql_error(j, j->reader, "find", err);
    sqlite3_reset(s);
    return status;
}

cuzk_status journal_find(struct journal *j, struct stored *out, struct bytes job_id, cuzk_error *err)
{
    *out = (struct stored){ 0 };
    pthread_mutex_lock(&j->reading);
    sqlite3_stmt *s = fresh(j, FIND);
    bind_bytes(s, 1, job_id.data, job_id.size);
    cuzk_status status = find_row(j, out, s, err);
    pthread_mutex_unlock(&j->reading);
    return status;
}

cuzk_status journal_find_identity(struct journal *j, struct stored *out, struct bytes request_id,
                                  const uint8_t hash[DIGEST_BYTES], cuzk_error *err)
{
    *out = (struct stored){ 0 };
    pthread_mutex_lock(&j->reading);
    sqlite3_stmt *s = fresh(j, FIND_IDENTITY);
    bind_bytes(s, 1, request_id.data, request_id.size);
    bind_bytes(s, 2, hash, DIGEST_BYTES);
    cuzk_status status = find_row(j, out, s, err);
    pthread_mutex_unlock(&j->reading);
    return status;
}

bool journal_holds(struct journal *j, struct bytes job_id)
{
    pthread_mutex_lock(&j->reading);
    sqlite3_stmt *s = fresh(j, HOLDS);
    bind_bytes(s, 1, job_id.data, job_id.size);
    bool found = sqlite3_step(s) == SQLITE_ROW;
    sqlite3_reset(s);
    pthread_mutex_unlock(&j->reading);
    return found;
}

void stored_free(struct stored *s)
{
    free(s->memory);
    *s = (struct stored){ 0 };
}

cuzk_status journal_recover(struct journal *j, cuzk_status (*each)(void *context, const struct unfinished *u),
                            void *context, cuzk_error *err)
{
    pthread_mutex_lock(&j->reading);
    sqlite3_stmt *s = fresh(j, UNFINISHED);
    cuzk_status status = CUZK_OK;
    int result = SQLITE_DONE;
    while (status == CUZK_OK && (result = sqlite3_step(s)) == SQLITE_ROW) {
        struct bytes hash = column_bytes(s, 3);
        struct unfinished u = {
            .journal_id = (uint64_t)sqlite3_column_int64(s, 0),
            .job_id = column_bytes(s, 1),
            .request_id = column_bytes(s, 2),
            .hash = hash.data,
            .kind = (enum proof_kind)sqlite3_column_int(s, 4),
            .priority = (uint32_t)sqlite3_column_int(s, 5),
            .accepted_ms = sqlite3_column_int64(s, 6),
            .circuit_id = (const char *)sqlite3_column_text(s, 7),
            .partitions = (size_t)sqlite3_column_int64(s, 8),
            .input_bytes = (uint64_t)sqlite3_column_int64(s, 9),
        };
        if (hash.size != DIGEST_BYTES) continue;
        status = each(context, &u);
    }
    if (status == CUZK_OK && result != SQLITE_DONE) status = sql_error(j, j->reader, "recover", err);
    sqlite3_reset(s);
    pthread_mutex_unlock(&j->reading);
    return status;
}

cuzk_status journal_payload(struct journal *j, uint8_t **out, size_t *size, uint64_t journal_id, cuzk_error *err)
{
    char path[PATH_BYTES];
    payload_path(path, sizeof path, j, journal_id);
    return file_read(out, size, path, PAYLOAD_LIMIT, err);
}
