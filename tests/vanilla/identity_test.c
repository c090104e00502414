#include "vanilla/identity.h"

#include "hexes.h"
#include "sector_42.h"

static void prover_id__is_leb128(void **state)
{
    (void)state;
    struct node id;
    prover_id_make(&id, 1000);
    assert_node(&id, "e807000000000000000000000000000000000000000000000000000000000000");
    prover_id_make(&id, 0);
    assert_node(&id, "0000000000000000000000000000000000000000000000000000000000000000");
    prover_id_make(&id, 127);
    assert_node(&id, "7f00000000000000000000000000000000000000000000000000000000000000");
    prover_id_make(&id, 128);
    assert_node(&id, "8001000000000000000000000000000000000000000000000000000000000000");
    prover_id_make(&id, UINT64_MAX);
    assert_node(&id, "ffffffffffffffffff0100000000000000000000000000000000000000000000");
}

static void replica_id__equals_a_sealed_sector(void **state)
{
    (void)state;
    struct node prover_id, replica_id, ticket = node_of(sector_42_ticket);
    struct node comm_d = node_of(sector_42_comm_d), porep_id;
    prover_id_make(&prover_id, SECTOR_42_MINER);
    porep_id_make(porep_id.b, SECTOR_42_PROOF, 0);
    assert_node(&porep_id, "0500000000000000000000000000000000000000000000000000000000000000");
    replica_id_make(&replica_id, &prover_id, 42, ticket.b, &comm_d, porep_id.b);
    assert_node(&replica_id, sector_42_replica_id);
}

static void porep_id__holds_the_nonce(void **state)
{
    (void)state;
    struct node id;
    porep_id_make(id.b, 8, 0x0102);
    assert_node(&id, "0800000000000000020100000000000000000000000000000000000000000000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(prover_id__is_leb128),
        test(replica_id__equals_a_sealed_sector),
        test(porep_id__holds_the_nonce),
    };
    return run_tests(tests);
}
