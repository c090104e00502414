/* Parameters and proofs of the smallest circuits against bellperson's, byte for byte: every domain
 * from 2 to 64, just filled and just exceeded, with 0 to 2 public inputs. */
#include "backend/chain.h"
#include "backend/folder.h"
#include "groth16/vectors.h"
#include "groth16/verifier.h"
#include "r1cs/evaluate.h"

static void assert_proof(const json_t *x, const struct proof *proof)
{
    uint8_t want[PROOF_BYTES], got[PROOF_BYTES];
    hex_at(want, PROOF_BYTES, x, "proof");
    proof_encode(got, proof);
    if (memcmp(want, got, PROOF_BYTES) != 0) fail_msg("%s: another proof", text_at(x, "tag"));
}

static void assert_verifies(const json_t *x, struct verifying_key *vk, const struct proof *proof)
{
    static struct verifier v;
    size_t count;
    fr_t *inputs = frs_at(&count, x, "public");
    verifier_create(&v, vk);
    assert_int_equal(verifier_check(&v, proof, inputs, count, NULL, NULL), CUZK_OK);
    verifier_release(&v);
    free(inputs);
}

static void check_chain(const json_t *x, const struct backend *b)
{
    uint32_t n = (uint32_t)json_integer_value(json_object_get(x, "n"));
    uint32_t p = (uint32_t)json_integer_value(json_object_get(x, "p"));
    struct circuit *circuit = chain_circuit(n, p);
    struct backend_circuit c;
    struct backend_srs s;
    struct params_file file;
    struct witness w;
    cuzk_error err = { "" };
    assert_int_equal(circuit->rows, json_integer_value(json_object_get(x, "rows")));
    assert_int_equal(backend_circuit_load(&c, b, circuit, &err), CUZK_OK);

    char *folder = test_params_make(&file, &c, "tiny"), hash[65];
    file_sha256(hash, file.path);
    assert_int_equal(file.map.size, json_integer_value(json_object_get(x, "params_bytes")));
    if (strcmp(hash, text_at(x, "params_sha256")) != 0) fail_msg("%s: other parameters", text_at(x, "tag"));

    chain_witness(&w, circuit, "tiny/x");
    assert_int_equal(witness_check(&w, NULL, &err), CUZK_OK);
    struct proof_sums sums;
    struct prove_timings timings;
    struct proof_randomness random;
    struct proof proof;
    assert_int_equal(backend_srs_load(&s, b, &file, NULL, &err), CUZK_OK);
    if (backend_prove(&sums, &timings, &c, &s, &w, &err) != CUZK_OK) fail_msg("%s", err.detail);
    assert_int_equal(proof_randomness_from_tag(&random, text_at(x, "tag"), 0, &err), CUZK_OK);
    proof_assemble(&proof, &sums, &file.vk, &random);
    assert_proof(x, &proof);
    assert_verifies(x, &file.vk, &proof);

    backend_srs_drop(&s);
    backend_circuit_drop(&c);
    witness_destroy(&w);
    test_params_remove(folder, &file, "tiny");
    circuit_free(circuit);
}

static void check_all(unsigned threads)
{
    struct pool *pool;
    struct backend b;
    json_t *list = vectors_load("tiny.json"), *x;
    size_t i;
    assert_int_equal(pool_create(&pool, threads, NULL), CUZK_OK);
    assert_int_equal(cpu_backend_open(&b, pool, NULL), CUZK_OK);
    json_array_foreach(list, i, x) check_chain(x, &b);
    assert_int_equal(i, 33);
    backend_close(&b);
    pool_destroy(pool);
    json_decref(list);
}

static void chain__equals_bellperson(void **state)
{
    (void)state;
    check_all(1);
}

static void chain__equals_bellperson_with_threads(void **state)
{
    (void)state;
    check_all(3);
}

/* What does not belong together is refused, and a damaged point is named. */
static void prove__refuses_what_does_not_fit(void **state)
{
    (void)state;
    struct backend b, other;
    struct circuit *circuit = chain_circuit(5, 1), *larger = chain_circuit(6, 1);
    struct backend_circuit c, d, e;
    struct backend_srs s, t;
    struct params_file file;
    struct witness w, v;
    struct proof_sums sums;
    cuzk_error err = { "" };
    assert_int_equal(cpu_backend_open(&b, NULL, NULL), CUZK_OK);
    assert_int_equal(cpu_backend_open(&other, NULL, NULL), CUZK_OK);
    assert_int_equal(backend_circuit_load(&c, &b, circuit, &err), CUZK_OK);
    assert_int_equal(backend_circuit_load(&d, &b, larger, &err), CUZK_OK);
    assert_int_equal(backend_circuit_load(&e, &other, circuit, &err), CUZK_OK);
    char *folder = test_params_make(&file, &c, "fit");
    assert_int_equal(backend_srs_load(&s, &b, &file, NULL, &err), CUZK_OK);
    assert_int_equal(backend_srs_load(&t, &other, &file, NULL, &err), CUZK_OK);
    chain_witness(&w, circuit, "x");
    chain_witness(&v, larger, "x");
    assert_int_equal(backend_prove(&sums, NULL, &c, &s, &w, &err), CUZK_OK);
    assert_int_equal(backend_prove(&sums, NULL, &c, &s, &v, &err), CUZK_ERR_USAGE);
    assert_int_equal(backend_prove(&sums, NULL, &d, &s, &v, &err), CUZK_ERR_USAGE);
    assert_non_null(strstr(err.detail, "section l"));
    assert_int_equal(backend_prove(&sums, NULL, &c, &t, &w, &err), CUZK_ERR_USAGE);
    assert_int_equal(backend_prove(&sums, NULL, &e, &t, &w, &err), CUZK_OK);

    /* A copy of the file in which one point after the other is damaged. */
    uint8_t *copy = malloc(file.map.size);
    memcpy(copy, file.map.data, file.map.size);
    struct params_file damaged = file;
    struct backend_srs u;
    damaged.map.data = copy;
    assert_int_equal(backend_srs_load(&u, &b, &damaged, NULL, &err), CUZK_OK);
    for (int i = 0; i < SRS_SECTIONS; i++) {
        enum srs_section section = (enum srs_section)i;
        char place[64];
        uint8_t *at = copy + (params_point(&damaged, section, 1) - copy);
        uint8_t saved = at[0];
        at[0] |= 0x80;
        snprintf(place, sizeof place, "section %s, point 1 at byte", srs_section_name(section));
        assert_int_equal(backend_prove(&sums, NULL, &c, &u, &w, &err), CUZK_ERR_DATA);
        if (!strstr(err.detail, place)) fail_msg("%s", err.detail);
        at[0] = saved;
    }
    assert_int_equal(backend_prove(&sums, NULL, &c, &u, &w, &err), CUZK_OK);
    free(copy);

    backend_srs_drop(&u);
    backend_srs_drop(&t);
    backend_srs_drop(&s);
    backend_circuit_drop(&c);
    backend_circuit_drop(&d);
    backend_circuit_drop(&e);
    backend_close(&b);
    backend_close(&other);
    backend_close(&other);
    witness_destroy(&w);
    witness_destroy(&v);
    test_params_remove(folder, &file, "fit");
    circuit_free(circuit);
    circuit_free(larger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(chain__equals_bellperson),
        test(chain__equals_bellperson_with_threads),
        test(prove__refuses_what_does_not_fit),
    };
    return run_tests(tests);
}
