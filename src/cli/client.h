/* The commands that talk to a running cuzkd (docs: cli.md). Present in builds with the daemon's libraries. */
#ifndef CUZK_CLI_CLIENT_H
#define CUZK_CLI_CLIENT_H

#include "cli/command.h"

int command_submit(int argc, char **argv);
int command_await(int argc, char **argv);
int command_cancel(int argc, char **argv);
int command_status(int argc, char **argv);
int command_metrics(int argc, char **argv);
int command_preload(int argc, char **argv);
int command_evict(int argc, char **argv);
int command_top(int argc, char **argv);
int command_bench_load(int argc, char **argv);

#endif
