/* Linear combinations while a template is recorded: a list of (ref, coefficient).
 *
 * Adding a variable twice adds the coefficients; zero sums are dropped when the combination is normalised
 * (spec §0: zero coefficients take part in nothing). Memory failures are sticky: `failed` is set and the
 * recorder reports it at the end.
 */
#ifndef CUZK_R1CS_LC_H
#define CUZK_R1CS_LC_H

#include "math/fr.h"
#include "r1cs/template.h"

struct lc_term {
    uint32_t ref;
    fr_t coeff;
};

struct lc {
    struct lc_term *terms;
    size_t count, capacity;
    bool sorted; /* strictly ascending by ref */
    bool failed;
};

/* An empty combination; free with lc_free. */
static inline struct lc lc_empty(void) { return (struct lc){ .sorted = true }; }
void lc_free(struct lc *lc);
void lc_clear(struct lc *lc);

void lc_add(struct lc *lc, uint32_t ref, const fr_t *coeff);
void lc_add_ref(struct lc *lc, uint32_t ref);      /* coefficient 1 */
void lc_sub_ref(struct lc *lc, uint32_t ref);      /* coefficient −1 */
void lc_add_bit(struct lc *lc, struct bit b, const fr_t *coeff); /* spec §1.1.1: LC of a Boolean */
void lc_add_scaled(struct lc *lc, const struct lc *other, const fr_t *factor);

/* Ascending, merged, without zeros. */
void lc_normalise(struct lc *lc);

#endif
