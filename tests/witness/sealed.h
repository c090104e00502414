/* The really sealed 2 KiB sectors of tests/data/sealed-2kib as parsed jobs, for tests of any folder. */
#ifndef CUZK_TESTS_WITNESS_SEALED_H
#define CUZK_TESTS_WITNESS_SEALED_H

#include "vanilla/job.h"

/* CASE is porep-42, porep-43, winning-42, window-42-43 or update-42. Fails the test if the job does not parse. */
struct vanilla_job *sealed_job(const char *name);

#endif
