/* Samples: vanilla proofs for any sector size without sealing a sector.
 *
 * They are valid, every check of this program and of Filecoin's own holds, but no data, no sealing work and
 * no storage stand behind them. Trees whose challenges depend on their root (TreeD of a PoRep, all trees of an
 * update) have few distinct nodes and can be opened anywhere (sum_tree.h); of the others (TreeC and TreeR of
 * an interactive PoRep, TreeR of a PoSt) only the opened leaves exist (sparse_tree.h). The columns of parents
 * are arbitrary; a challenge's own labels are computed from its parents', as is a parent's that happens to be
 * a challenge.
 *
 * The same options give the same bytes everywhere, on any number of threads.
 */
#ifndef CUZK_VANILLA_SAMPLE_H
#define CUZK_VANILLA_SAMPLE_H

#include "base/arena.h"
#include "base/pool.h"
#include "vanilla/c1.h"
#include "vanilla/post_bincode.h"
#include "vanilla/registered.h"

enum { SAMPLE_MINER = 1000, SAMPLE_SECTOR = 1 };

struct sample_options {
    enum proof_kind kind;
    const struct sector_shape *shape; /* published */
    size_t partitions;                /* PoRep and update: the first so many; 0: all */
    size_t sectors;                   /* window: from SAMPLE_SECTOR on, at most a partition; 0: one */
    const char *seed;                 /* any text */
};

/* Writes into `folder`, which is made if it does not exist, replacing files of these names:
 *   porep     c1.json
 *   winning   winning.vproof
 *   window    window-N.vproof, N the sector number
 *   update    update.partK.vproof
 * and KIND.public.json (porep, winning, window, update), as statement_json reads it. PoRep is StackedDrg…V1_1,
 * window API V1_2. CUZK_ERR_USAGE for options out of range. */
cuzk_status sample_write(const struct sample_options *options, const char *folder, struct pool *pool,
                         cuzk_error *err);

/* The registered proof that samples of a kind and size are of; NULL if the size is not published. */
const struct registered_proof *sample_proof(enum proof_kind kind, const struct sector_shape *shape);

/* The parts of a sample, in memory: everything points into the arena. */
cuzk_status sample_porep(struct c1 *out, struct arena *arena, const struct sample_options *options, struct pool *pool,
                         cuzk_error *err);

/* One sector of a PoSt with its challenges for this randomness. */
cuzk_status sample_post(struct post_sector *out, struct arena *arena, const struct sample_options *options,
                        const struct node *randomness, uint64_t sector, struct pool *pool, cuzk_error *err);
void sample_randomness(struct node *out, const struct sample_options *options);

/* An update: what its partitions share, from which each is taken. */
struct sample_update;
cuzk_status sample_update_make(struct sample_update **out, const struct sample_options *options, struct pool *pool,
                               cuzk_error *err);
cuzk_status sample_update_partition(struct update_input *out, struct arena *arena, const struct sample_update *update,
                                    uint32_t partition, cuzk_error *err);
void sample_update_free(struct sample_update *update);

#endif
