#ifndef CUZK_CLI_BENCH_ALL_H
#define CUZK_CLI_BENCH_ALL_H

int command_bench_all(int argc, char **argv);

#endif
