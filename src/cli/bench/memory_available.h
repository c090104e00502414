/* How much memory a measurement may take now, and what it has taken. */
#ifndef CUZK_CLI_MEMORY_AVAILABLE_H
#define CUZK_CLI_MEMORY_AVAILABLE_H

#include <stdint.h>

/* MemAvailable of /proc/meminfo, and no more than the control groups allow. 0 if it cannot be known. */
uint64_t memory_available(void);

/* RssAnon and AnonHugePages of this process. */
uint64_t resident_anonymous(void);
uint64_t resident_huge(void);

#endif
