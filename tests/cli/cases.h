/* The sealed 2 KiB sectors as options of `cuzk`, with what bellperson made of them. */
#ifndef CUZK_TESTS_CLI_CASES_H
#define CUZK_TESTS_CLI_CASES_H

#include "cli/shell.h"

#define RANDOMNESS "786b91f30069e89c21ccee795ae4481181a3c019a66ec538c2af37900f6daa16"
#define COMM_R_42 "091912d1148b560dba265ab0b3a19367c3b26263cb67039a4e20bc99ab9dd335"
#define COMM_R_NEW "b8dea90eb2ebeb7c472755d843a6549a2a2e465a7c8410e1646a85d5f7112a6a"
#define COMM_D_NEW "9298a8ccd1aa0c561829957c17d54218c31c95e30a270ccd604bcdfa6e101310"
#define COMM_D_42 "b7d31e8b7fc6e4e743989bcd9430c414a00b736c9d312118949bc57720c6803d"
#define SEED_42 "6a6dd24d55f676557c491a9b5ee21ebb1d729cf99bf26f76008436fd53e39732"
#define TICKET_42 "351c01a93cf7f3b1ca2a86e6fe898599eb20004715c346e597e668c7d66fcd29"

/* What stands before the input files of each kind. */
#define POREP_42 "-t porep --sector-num 42 --miner-id 1000 --c1 "
#define POREP_43 "-t porep --sector-num 43 --miner-id 1000 --c1 "
#define WINNING "-t winning --registered-proof 0 --miner-id 1000 --randomness " RANDOMNESS " --vanilla "
#define WINDOW "-t window --registered-proof 10 --miner-id 1000 --randomness " RANDOMNESS " --vanilla "
#define SNAP                                                                                                  \
    "-t snap --registered-proof 0 --comm-r-old " COMM_R_42 " --comm-r-new " COMM_R_NEW " --comm-d-new " COMM_D_NEW \
    " --vanilla "

struct sealed_case {
    const char *tag;     /* of the proof's randomness, and its name in tests/data/groth16/proofs.json */
    const char *circuit; /* "porep-2k" */
    const char *witness; /* the case's name in tests/data/witnesses.txt */
    const char *request; /* options with the input files */
    const char *public_data; /* options of verify with public data alone */
};

enum { SEALED_CASES = 5 };
extern const struct sealed_case sealed_cases[SEALED_CASES];

/* NULL past the last case of the circuit. */
const struct sealed_case *next_case(const struct sealed_case *previous, const char *circuit);

/* bellperson's proof in hexadecimal, with key "proof" or "proof_r0_s0"; the caller frees it. */
char *bellperson_proof(const char *tag, const char *key);

/* The line of a data file that begins with "NAME ", behind that; the caller frees it. */
char *data_line(const char *file, const char *name);

#endif
