#ifndef CUZK_CLI_BENCH_CHECK_H
#define CUZK_CLI_BENCH_CHECK_H

int command_bench_check(int argc, char **argv);

#endif
