/* cuzk bench witness --style. */
#ifndef CUZK_CLI_BENCH_STYLES_H
#define CUZK_CLI_BENCH_STYLES_H

#include "circuit/inputs.h"
#include "cli/bench/bench.h"

enum { STYLE_NONE, STYLE_OBJECTS, STYLE_NO_TEMPORARIES, STYLE_PROGRAM, STYLE_ALL };

int style_by_name(const char *name); /* STYLE_NONE if it is none */

/* Measures o->style on a PoRep partition's labels, and checks that styles agree in every value and row:
 * CUZK_ERR_INTERNAL names the first difference. CUZK_ERR_USAGE for other kinds. */
cuzk_status bench_styles(const struct bench_options *o, const struct partition_input *in, cuzk_error *err);

#endif
