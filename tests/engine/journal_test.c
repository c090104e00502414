/* The journal: what survives a restart, and what survives kill -9 at any moment. */
#include "engine/stub.h"

#include "base/clock.h"
#include "base/file.h"
#include "engine/journal.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char root[] = "/tmp/cuzk-journal-XXXXXX";
static char dir[64];
static int journals;

static void fresh_dir(void) { snprintf(dir, sizeof dir, "%s/%d", root, journals++); }

static struct engine *journal_engine(struct stub *s)
{
    struct engine_config config;
    stub_config(&config);
    config.journal_dir = dir;
    return stub_engine(s, &config);
}

static size_t payload_files(void)
{
    char path[96];
    size_t n = 0;
    snprintf(path, sizeof path, "%s/payloads", dir);
    DIR *d = opendir(path);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void results__survive_a_restart(void **state)
{
    (void)state;
    struct stub s;
    fresh_dir();
    stub_create(&s);
    struct engine *e = journal_engine(&s);
    struct outcome *o = stub_prove(e, PROOF_POREP, "id", "x");
    struct timings before = o->timings;
    outcome_free(o);
    engine_inject_fault(e, PROOF_WINNING, 0, 2);
    outcome_free(stub_prove(e, PROOF_WINNING, "failed", "f"));
    engine_destroy(e);
    assert_int_equal(payload_files(), 0);
    e = journal_engine(&s);
    o = stub_await(e, "id");
    assert_stub_proof(o, "x", 10);
    assert_memory_equal(&before, &o->timings, sizeof before);
    outcome_free(o);
    o = stub_await(e, "failed");
    assert_int_equal(o->state, JOB_FAILED);
    assert_non_null(strstr(o->error, "partition 0"));
    outcome_free(o);
    size_t proved = s.proved_count;
    char *id = stub_submit(e, PROOF_POREP, "id", "x", 0); /* the same again: joined, from the journal */
    o = stub_await(e, id);
    assert_stub_proof(o, "x", 10);
    assert_int_equal(s.proved_count, proved);
    outcome_free(o);
    free(id);
    id = stub_submit(e, PROOF_POREP, "id", "other", 0); /* another payload: another job, and the result stays */
    assert_int_equal(strlen(id), 2 + 9);
    o = stub_await(e, id);
    assert_stub_proof(o, "other", 10);
    outcome_free(o);
    free(id);
    o = stub_await(e, "id");
    assert_stub_proof(o, "x", 10);
    outcome_free(o);
    o = stub_prove(e, PROOF_WINNING, "failed", "f"); /* starts anew */
    assert_stub_proof(o, "f", 1);
    outcome_free(o);
    engine_destroy(e);
    stub_destroy(&s);
}

static void accepted_jobs__run_after_a_restart(void **state)
{
    (void)state;
    struct stub s;
    fresh_dir();
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = journal_engine(&s);
    char name[3] = "j0";
    for (int i = 0; i < 8; i++, name[1]++) free(stub_submit(e, PROOF_POREP, name, name, 0));
    stub_wait_proving(&s, 1);
    bool running;
    assert_true(engine_cancel(e, text_bytes("j7"), &running));
    assert_false(engine_drain(e, 0)); /* cut short */
    stub_lock(&s);
    s.hold_prove = false;
    stub_unlock(&s);
    struct outcome *o = stub_await(e, "j1");
    assert_int_equal(o->state, JOB_FAILED);
    assert_non_null(strstr(o->error, "journal"));
    outcome_free(o);
    engine_destroy(e);
    assert_int_equal(payload_files(), 7);
    e = journal_engine(&s);
    name[1] = '0';
    for (int i = 0; i < 7; i++, name[1]++) {
        o = stub_await(e, name);
        assert_stub_proof(o, name, 10);
        outcome_free(o);
    }
    o = stub_await(e, "j7");
    assert_int_equal(o->state, JOB_CANCELLED);
    outcome_free(o);
    engine_destroy(e);
    assert_int_equal(payload_files(), 0);
    assert_int_equal(stub_payloads_alive(), 0);
    stub_destroy(&s);
}

static void damaged_payload__fails_its_job_alone(void **state)
{
    (void)state;
    struct stub s;
    fresh_dir();
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = journal_engine(&s);
    free(stub_submit(e, PROOF_POREP, "a", "a", 0));
    free(stub_submit(e, PROOF_POREP, "b", "b", 0));
    engine_drain(e, 0);
    stub_lock(&s);
    s.hold_prove = false;
    stub_unlock(&s);
    engine_destroy(e);
    char path[128];
    snprintf(path, sizeof path, "%s/payloads/%016x", dir, 1);
    assert_int_equal(file_write(path, "\x10\x01", 2, true, NULL), CUZK_OK);
    snprintf(path, sizeof path, "%s/payloads/stray", dir); /* what a crash may leave */
    assert_int_equal(file_write(path, "x", 1, true, NULL), CUZK_OK);
    e = journal_engine(&s);
    struct outcome *o = stub_await(e, "a");
    assert_int_equal(o->state, JOB_FAILED);
    assert_non_null(strstr(o->error, "not the one that was accepted"));
    outcome_free(o);
    o = stub_await(e, "b");
    assert_stub_proof(o, "b", 10);
    outcome_free(o);
    engine_destroy(e);
    assert_int_equal(payload_files(), 0);
    stub_destroy(&s);
}

static void journal__belongs_to_one_process(void **state)
{
    (void)state;
    struct journal *a, *b;
    cuzk_error err = { "" };
    fresh_dir();
    assert_int_equal(journal_open(&a, dir, NULL, &err), CUZK_OK);
    assert_int_equal(journal_open(&b, dir, NULL, &err), CUZK_ERR_UNAVAILABLE);
    assert_non_null(strstr(err.detail, "another process"));
    struct stub s;
    struct engine *e;
    struct steps steps;
    struct engine_config config;
    stub_create(&s);
    stub_steps(&steps, &s);
    stub_config(&config);
    config.journal_dir = dir;
    assert_int_equal(engine_create_with(&e, &config, &steps, &err), CUZK_ERR_UNAVAILABLE);
    assert_null(e);
    assert_true(s.closed);
    stub_destroy(&s);
    journal_close(a);
    assert_int_equal(journal_open(&b, dir, NULL, &err), CUZK_OK);
    journal_close(b);
    char path[128];
    snprintf(path, sizeof path, "%s/journal.db", dir);
    static const uint8_t noise[5000] = { 1, 2, 3 };
    assert_int_equal(file_write(path, noise, sizeof noise, true, NULL), CUZK_OK);
    assert_true(journal_open(&b, dir, NULL, &err) != CUZK_OK);
    assert_int_equal(journal_open(&b, "/proc/nowhere", NULL, &err), CUZK_ERR_CREATE);
}

static void old_results__leave_memory_but_not_the_journal(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    struct engine_metrics m;
    fresh_dir();
    stub_create(&s);
    stub_config(&config);
    config.journal_dir = dir;
    config.results_in_memory = 2;
    struct engine *e = stub_engine(&s, &config);
    char name[3] = "j0";
    for (int i = 0; i < 10; i++, name[1]++) outcome_free(stub_prove(e, PROOF_WINNING, name, name));
    uint64_t until = clock_now() + 30 * CLOCK_SECOND;
    do {
        engine_metrics(e, &m);
        usleep(1000);
    } while (m.jobs_in_memory > 2 && clock_now() < until);
    assert_true(m.jobs_in_memory <= 2);
    name[1] = '0';
    for (int i = 0; i < 10; i++, name[1]++) {
        struct outcome *o = stub_await(e, name);
        assert_stub_proof(o, name, 1);
        outcome_free(o);
    }
    assert_int_equal(m.journal_errors, 0);
    engine_destroy(e);
    stub_destroy(&s);
}

static void large_payloads__wait_on_disk_when_memory_is_short(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    struct engine_metrics m;
    fresh_dir();
    stub_create(&s);
    s.hold_prove = true;
    stub_config(&config);
    config.journal_dir = dir;
    config.total_budget = 20 << 20;
    struct engine *e = stub_engine(&s, &config);
    static uint8_t large[3 << 20];
    memset(large, 1, sizeof large);
    enum { MANY = 12 }; /* 36 MiB in all */
    for (int i = 0; i < MANY; i++) {
        struct stub_request r;
        struct accepted accepted;
        cuzk_error err = { "" };
        char name[8];
        snprintf(name, sizeof name, "j%d", i % 100);
        stub_request(&r, PROOF_POREP, name, name, 0);
        r.request.vanilla_proof = (struct bytes){ large, sizeof large };
        if (engine_submit(e, &accepted, &r.submission, &err) != CUZK_OK) fail_msg("%s", err.detail);
        free(accepted.job_id);
    }
    engine_metrics(e, &m);
    assert_true(m.budget_peak <= m.budget_limit);
    stub_lock(&s);
    s.hold_prove = false;
    stub_unlock(&s);
    for (int i = 0; i < MANY; i++) {
        char name[8];
        snprintf(name, sizeof name, "j%d", i % 100);
        struct outcome *o = stub_await(e, name);
        assert_stub_proof(o, name, 10);
        outcome_free(o);
    }
    engine_destroy(e);
    assert_int_equal(stub_payloads_alive(), 0);
    stub_destroy(&s);
}

/* ---- kill -9 ---- */

enum { KILL_JOBS = 24 };

/* Submits jobs, and writes a byte for each that was accepted. Ends by SIGKILL only. */
static void victim(int pipe_fd)
{
    struct stub s;
    stub_create(&s);
    s.partitions[PROOF_POREP] = 3;
    struct engine *e = journal_engine(&s);
    for (int i = 0; i < KILL_JOBS; i++) {
        char id[16], name[16];
        snprintf(id, sizeof id, "id%d", i / 2); /* every id twice, with two payloads */
        snprintf(name, sizeof name, "n%d", i);
        free(stub_submit(e, (enum proof_kind)(1 + i % 4), id, name, 0));
        uint8_t number = (uint8_t)i;
        if (write(pipe_fd, &number, 1) != 1) _exit(1);
    }
    for (;;) pause();
}

/* After the kill: every accepted job has its own proof, sooner or later. */
static void check_survivors(int accepted)
{
    struct stub s;
    stub_create(&s);
    s.partitions[PROOF_POREP] = 3;
    struct engine *e = journal_engine(&s);
    for (int i = 0; i < accepted; i++) {
        char id[16], name[16];
        snprintf(id, sizeof id, "id%d", i / 2);
        snprintf(name, sizeof name, "n%d", i);
        enum proof_kind kind = (enum proof_kind)(1 + i % 4);
        /* by submitting the same again, which joins what runs or is there */
        char *job = stub_submit(e, kind, id, name, 0);
        struct outcome *o = stub_await(e, job);
        assert_stub_proof(o, name, s.partitions[kind]);
        outcome_free(o);
        free(job);
    }
    struct engine_metrics m;
    uint32_t left;
    do { /* jobs that were accepted without anybody being told */
        left = 0;
        engine_metrics(e, &m);
        for (int k = 0; k < KINDS; k++) left += m.kind[k].pending + m.kind[k].in_progress;
        usleep(1000);
    } while (left > 0);
    uint64_t submitted = 0;
    for (int k = 0; k < KINDS; k++) submitted += m.kind[k].submitted;
    assert_int_equal(submitted, 0); /* none was new to the journal */
    assert_int_equal(m.journal_errors, 0);
    engine_destroy(e);
    assert_int_equal(payload_files(), 0);
    stub_destroy(&s);
}

static void kill_after(useconds_t delay, int wanted)
{
    int fds[2], accepted = 0, status;
    uint8_t byte;
    fresh_dir();
    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(fds[0]);
        victim(fds[1]);
    }
    close(fds[1]);
    while (accepted < wanted && read(fds[0], &byte, 1) == 1) accepted++;
    usleep(delay);
    kill(pid, SIGKILL);
    while (read(fds[0], &byte, 1) == 1) accepted++; /* accepted before it died */
    close(fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    check_survivors(accepted);
}

static void kill_9__loses_and_mixes_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 24; i++) kill_after((useconds_t)(i * 137 % 2000), i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(results__survive_a_restart),
        test(accepted_jobs__run_after_a_restart),
        test(damaged_payload__fails_its_job_alone),
        test(journal__belongs_to_one_process),
        test(old_results__leave_memory_but_not_the_journal),
        test(large_payloads__wait_on_disk_when_memory_is_short),
        test(kill_9__loses_and_mixes_nothing),
    };
    if (!mkdtemp(root)) return 1;
    int failed = run_tests(tests);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) != 0 || failed;
}
