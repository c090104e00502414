/* Huge pages for large memory that is read in no particular order: a page of 2 MiB takes one entry of the
 * translation cache where it would take 512, and is zeroed and mapped in one fault. */
#ifndef CUZK_BASE_HUGE_H
#define CUZK_BASE_HUGE_H

#include <stddef.h>

/* Advises the kernel to back this memory by huge pages, as far as whole ones lie in it; to be called before it is
 * first written to. Memory of less than 4 MiB, or NULL, is left as it is, and so is all if the system offers none.
 * What it holds does not change, and it is released as before. Thread-safe. */
void huge_advise(void *memory, size_t size);

#endif
