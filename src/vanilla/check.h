/* Private to job.c and check*.c: what vanilla_check does for each kind, and the loop they share. */
#ifndef CUZK_VANILLA_CHECK_H
#define CUZK_VANILLA_CHECK_H

#include "math/fr.h"
#include "vanilla/job.h"

cuzk_status check_porep(const struct vanilla_job *job, struct pool *pool, cuzk_error *err);
cuzk_status check_post(const struct vanilla_job *job, struct pool *pool, cuzk_error *err);
cuzk_status check_update(const struct vanilla_job *job, struct pool *pool, cuzk_error *err);

/* Checks item i; called from several threads at once. */
typedef cuzk_status check_item(const void *context, size_t i, cuzk_error *err);

/* All items on the pool's threads; of those that fail, the first one's error. Items after a failure may be
 * left out. */
cuzk_status check_all(struct pool *pool, size_t count, check_item *item, const void *context, cuzk_error *err);

/* "X expected, Y found", for two ways to the same value; CUZK_OK if they agree. */
cuzk_status check_same(const struct node *found, const struct node *expected, cuzk_error *err);

/* The opening of a leaf in a Poseidon tree leads to `root`. `leaf` is the leaf as it was computed. */
cuzk_status check_path(const struct tree_shape *shape, const struct tree_path *path, const fr_t *leaf,
                       const struct node *root, const char *what, cuzk_error *err);

/* The opened leaf is the one that has to be opened. */
cuzk_status check_index(uint64_t found, uint64_t expected, const char *what, cuzk_error *err);

#endif
