/* Parameters and proofs of the really sealed 2 KiB sectors against bellperson's, byte for byte. */
#ifndef CUZK_TESTS_BACKEND_SEALED_CASES_H
#define CUZK_TESTS_BACKEND_SEALED_CASES_H

/* Generates the parameters of "porep-2k", "snap-2k", "wpost-2k" or "winning-2k" with `threads`
 * threads and compares their digests, then makes every proof of that circuit in
 * tests/data/groth16/proofs.json, with the tag's r and s and with r = s = 0, compares the bytes and
 * verifies them. Prints the times. */
void sealed_circuit(const char *id, unsigned threads);

#endif
