#include "vanilla/check.h"

#include "vanilla/node.h"
#include "vanilla/path.h"
#include "vanilla/place.h"

#include <pthread.h>
#include <stdatomic.h>

struct loop {
    check_item *item;
    const void *context;
    atomic_size_t first; /* index of the first failure so far */
    pthread_mutex_t lock;
    cuzk_status status; /* of that item */
    cuzk_error err;
};

static void note_failure(struct loop *loop, size_t i, cuzk_status status, const cuzk_error *err)
{
    pthread_mutex_lock(&loop->lock);
    if (i < atomic_load(&loop->first)) {
        atomic_store(&loop->first, i);
        loop->status = status;
        loop->err = *err;
    }
    pthread_mutex_unlock(&loop->lock);
}

static void run_items(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct loop *loop = context;
    for (size_t i = begin; i < end && i < atomic_load(&loop->first); i++) {
        cuzk_error err = { "" };
        cuzk_status status = loop->item(loop->context, i, &err);
        if (status != CUZK_OK) note_failure(loop, i, status, &err);
    }
}

cuzk_status check_all(struct pool *pool, size_t count, check_item *item, const void *context, cuzk_error *err)
{
    struct loop loop = { .item = item, .context = context, .status = CUZK_OK };
    atomic_init(&loop.first, count);
    pthread_mutex_init(&loop.lock, NULL);
    pool_for(pool, count, 1, run_items, &loop);
    pthread_mutex_destroy(&loop.lock);
    if (loop.status != CUZK_OK && err) *err = loop.err;
    return loop.status;
}

cuzk_status check_same(const struct node *found, const struct node *expected, cuzk_error *err)
{
    if (node_equal(found, expected)) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_DATA, "%s expected, %s found", node_hex(expected).text, node_hex(found).text);
}

cuzk_status check_path(const struct tree_shape *shape, const struct tree_path *path, const fr_t *leaf,
                       const struct node *root, const char *what, cuzk_error *err)
{
    fr_t top;
    struct node found;
    path_root_poseidon(&top, shape, path, leaf);
    node_from_fr(&found, &top);
    if (node_equal(&found, root)) return CUZK_OK;
    cuzk_fail(err, CUZK_ERR_DATA, "the opening leads to %s, not to the root %s", node_hex(&found).text,
              node_hex(root).text);
    return place_member(CUZK_ERR_DATA, err, what);
}

cuzk_status check_index(uint64_t found, uint64_t expected, const char *what, cuzk_error *err)
{
    if (found == expected) return CUZK_OK;
    cuzk_fail(err, CUZK_ERR_DATA, "leaf %llu opened, leaf %llu expected", (unsigned long long)found,
              (unsigned long long)expected);
    return place_member(CUZK_ERR_DATA, err, what);
}
