#include "daemon/daemon.h"

#include <stddef.h>

int main(int argc, char **argv) { return daemon_main(argc, argv, NULL); }
