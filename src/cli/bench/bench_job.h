#ifndef CUZK_CLI_BENCH_JOB_H
#define CUZK_CLI_BENCH_JOB_H

int command_bench_job(int argc, char **argv);

#endif
