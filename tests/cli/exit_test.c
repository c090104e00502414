/* Exit codes for what is not the data's fault: usage (64), missing input (66), what is not available (69), output that
 * cannot be created or written (73, 74); and that nothing half-written stands under a final name. */
#define _GNU_SOURCE
#include "cli/cases.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void commands__explain_their_usage(void **state)
{
    (void)state;
    static const struct {
        const char *part, *command;
    } lines[] = {
        { "there is no command 'prvoe'", "prvoe 2>&1 >/dev/null | head -1 >&2; exit 64; :" },
        { "-t KIND or --request FILE is needed", "prove" },
        { "--c1 FILE is needed", "prove -t porep" },
        { "--vanilla FILE is needed", "prove -t window --registered-proof 10" },
        { "--registered-proof is needed", "prove -t winning $SEALED/winning-42.vproof" },
        { "'posh' is not porep, winning, window or snap", "prove -t posh" },
        { "--miner-id: '-1' is not a number", "prove -t porep --miner-id -1" },
        { "--miner-id: '18446744073709551616' is not", "prove -t porep --miner-id 18446744073709551616" },
        { "--sector-num: '4x' is not a number", "prove -t porep --sector-num 4x" },
        { "--threads: '5000' is not a number from 0 to 4096", "prove -t porep --threads 5000" },
        { "--randomness: 64 hexadecimal digits", "prove -t winning --randomness 12" },
        { "--device: 'tpu'", "prove " WINNING "$SEALED/winning-42.vproof --device tpu" },
        { "unrecognized option '--fast'", "prove --fast" },
        { "requires an argument", "prove --c1" },
        { "--proof is needed", "verify -t porep" },
        { "without --c1 or --public", "verify -t porep --proof 00" },
        { "a circuit, --insecure-seed SEED and -o DIR are needed", "params generate" },
        { "a circuit, --insecure-seed SEED and -o DIR are needed", "params generate wpost-2k -o x" },
        { "a circuit, --insecure-seed SEED and -o DIR are needed", "params generate wpost-2k --insecure-seed s" },
        { "folder of the real parameters",
          "params generate wpost-2k --insecure-seed s -o /var/tmp/filecoin-proof-parameters" },
        { "there is no circuit 'porep-3k'", "params generate porep-3k --insecure-seed s -o x" },
        { "there is no circuit 'porep-3k'", "circuit info porep-3k" },
        { "--chunk: at least 1", "circuit digest wpost-2k --chunk 0" },
        { "one circuit at a time", "circuit info wpost-2k winning-2k" },
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) misused(lines[i].part, "$CUZK %s", lines[i].command);
    struct answer a = shell("$CUZK");
    assert_int_equal(a.code, 64);
    assert_non_null(strstr(a.err, "Usage: cuzk COMMAND"));
    answer_free(&a);
    a = shell("$CUZK params frobnicate");
    assert_int_equal(a.code, 64);
    answer_free(&a);
}

static void commands__answer_help_and_version(void **state)
{
    (void)state;
    static const char *const commands[] = { "prove",          "verify",      "join",         "params list",
                                            "params check",   "params generate", "circuit list", "circuit digest",
                                            "witness digest", "witness check" };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char *help = succeeds("$CUZK %s --help", commands[i]);
        assert_non_null(strstr(help, "Usage: cuzk"));
        free(help);
    }
    char *version = succeeds("$CUZK --version");
    assert_int_equal(strncmp(version, "cuzk ", 5), 0);
    free(version);
    char *list = succeeds("$CUZK circuit list");
    assert_non_null(strstr(list, "porep-32g"));
    free(list);
}

static void commands__name_what_is_missing(void **state)
{
    (void)state;
    fails(66, "absent.json", "$CUZK prove " POREP_42 "absent.json");
    fails(66, "absent.json", "$CUZK prove --request absent.json");
    fails(66, "absent.vproof", "$CUZK prove " WINDOW "$SEALED/window-42.vproof absent.vproof");
    fails(66, "absent.vproof", "$CUZK witness check " WINNING "absent.vproof");
    fails(66, "absent.json", "$CUZK verify -t porep --public absent.json --proof 00");
    fails(66, "absent.bin", "$CUZK verify -t porep --public $SEALED/porep-s42.public.json --proof absent.bin");
    fails(66, "v28-", "$CUZK prove " WINNING "$SEALED/winning-42.vproof --params absent");
    fails(66, "/v28-", "CUZK_PARAMS=elsewhere $CUZK prove " WINNING "$SEALED/winning-42.vproof");
    fails(66, "elsewhere/v28-",
          "FIL_PROOFS_PARAMETER_CACHE=elsewhere $CUZK prove " WINNING "$SEALED/winning-42.vproof");
    fails(66, "sealed-2kib: ", "$CUZK prove " POREP_42 "$SEALED");
}

/* The output is looked at before the work is done: there are no parameters here. */
static void prove__names_an_output_that_cannot_be_created(void **state)
{
    (void)state;
    put_file("file", "", 0);
    fails(73, "nowhere/proof", "$CUZK prove " WINNING "$SEALED/winning-42.vproof --params absent -o nowhere/proof");
    fails(73, "file/proof", "$CUZK prove " WINNING "$SEALED/winning-42.vproof --params absent -o file/proof");
    fails(73, "keys", "$CUZK prove " WINNING "$SEALED/winning-42.vproof --params absent -o keys");
    fails(73, "/proc/proof", "$CUZK prove " WINNING "$SEALED/winning-42.vproof --params absent -o /proc/proof");
    fails(73, "nowhere/params", "$CUZK params generate wpost-2k --insecure-seed s -o nowhere/params");
    fails(73, "file", "$CUZK params generate wpost-2k --insecure-seed s -o file");
    unlink("file");
}

static const char PROVE[] = WINDOW "$SEALED/window-42.vproof $SEALED/window-43.vproof --params $PARAMS";

static void commands__name_an_output_that_cannot_be_written(void **state)
{
    (void)state;
    fails(74, "/dev/full", "$CUZK prove %s -o /dev/full", PROVE);
    fails(74, "stdout", "$CUZK prove %s > /dev/full", PROVE);
    fails(74, "stdout", "$CUZK circuit list > /dev/full");
    fails(74, "stdout", "$CUZK circuit info wpost-2k > /dev/full");
    fails(74, "stdout", "$CUZK params list > /dev/full");
    struct stat st;
    assert_int_equal(stat("/dev/full", &st), 0);
    assert_true(S_ISCHR(st.st_mode)); /* and not a file that took its place */

    /* As on a full disk: no file may grow beyond 1000 KiB. */
    fails(74, "generated/v28-", "trap '' XFSZ; ulimit -f 2000; "
          "$CUZK params generate wpost-2k --insecure-seed s -o generated");
    assert_int_equal(folder_count("generated"), 1); /* the marker alone */
    assert_true(is_there("generated/INSECURE-TEST-PARAMETERS"));
}

static bool has_final_name(const char *folder)
{
    struct answer a = shell("ls %s/*.params %s/*.vk", folder, folder);
    bool any = a.out_size > 0;
    answer_free(&a);
    return any;
}

/* Killed at some moments of its work. What it leaves is no .params and no .vk, and does not hinder the next run. */
static void generate__leaves_nothing_half_written(void **state)
{
    (void)state;
    struct answer a;
    for (int k = 1; k <= 4; k++) {
        a = shell("timeout -s KILL 0.%d $CUZK params generate wpost-2k winning-2k --insecure-seed s -o killed", k);
        assert_int_equal(a.code, 128 + SIGKILL);
        answer_free(&a);
        assert_false(has_final_name("killed"));
    }
    a = shell("$CUZK params generate wpost-2k --insecure-seed cuzk-test-srs/v1 -o killed");
    if (a.code != 0) fail_msg("%d, %s", a.code, a.err);
    answer_free(&a);
    free(succeeds("cmp killed/*-0170*.params $PARAMS/*-0170*.params && cmp killed/*-0170*.vk $PARAMS/*-0170*.vk"));
    fails(73, "exists already", "$CUZK params generate wpost-2k --insecure-seed other -o killed");
    free(succeeds("cmp killed/*-0170*.params $PARAMS/*-0170*.params"));
    free(succeeds("grep -q 'public seed' killed/INSECURE-TEST-PARAMETERS"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(commands__explain_their_usage),
        test(commands__answer_help_and_version),
        test(commands__name_what_is_missing),
        test(prove__names_an_output_that_cannot_be_created),
        test(commands__name_an_output_that_cannot_be_written),
        test(generate__leaves_nothing_half_written),
    };
    return run_shell_tests(tests);
}
