/* The sealed 2 KiB sector 42 of actor 1000 (StackedDrg2KiBV1_1): excerpts of porep-s42.public.json
 * and porep-s42.c1.json from the project's test data, made by Filecoin's own Rust stack. */
#ifndef CUZK_TESTS_VANILLA_SECTOR_42_H
#define CUZK_TESTS_VANILLA_SECTOR_42_H

enum { SECTOR_42_NODES = 64, SECTOR_42_LAYERS = 2, SECTOR_42_PROOF = 5, SECTOR_42_MINER = 1000 };

static const char sector_42_ticket[] =
    "351c01a93cf7f3b1ca2a86e6fe898599eb20004715c346e597e668c7d66fcd29";
static const char sector_42_seed[] =
    "6a6dd24d55f676557c491a9b5ee21ebb1d729cf99bf26f76008436fd53e39732";
static const char sector_42_comm_d[] =
    "b7d31e8b7fc6e4e743989bcd9430c414a00b736c9d312118949bc57720c6803d";
static const char sector_42_comm_r[] =
    "091912d1148b560dba265ab0b3a19367c3b26263cb67039a4e20bc99ab9dd335";
static const char sector_42_replica_id[] =
    "59ea001b4cdc84e6c4f93df1bc698d1863d0e64757a7623c5640890b420d5628";

/* Per challenge: the node and its parents, six DRG, then eight expander. */
static const struct {
    unsigned node, parents[14];
} sector_42_challenges[2] = {
    { 19, { 18, 7, 7, 13, 18, 17, 5, 21, 36, 31, 4, 60, 7, 10 } },
    { 23, { 22, 22, 17, 7, 22, 22, 23, 51, 4, 2, 47, 0, 39, 26 } },
};

/* Columns in the proofs: a node and its labels in both layers. */
static const struct {
    unsigned node;
    const char *labels[2];
} sector_42_columns[] = {
    { 0,
      { "ac0c769c5daa3a5566badd5969f4610b6afc715978cb159ea99c4384526aa300",
        "0b9764c0b1b68d0af7e678bfb3fcdb91afa54d4cb9d77fcccaa89595acb40b05" } },
    { 2,
      { "dfedfd589e9e3bf3656393c8b6d30dc0a3bbc4fd110f81afd4fda04c62c96c28",
        "7f4c4f66fdf3fd131bf867655a99a5724b893203f2bd26894c0f0e8d1debf40a" } },
    { 4,
      { "68f1f9825b4d22f20f99f7dcaa9611fe12b3b791bfebae62a6cf4a3362472004",
        "84ef774299d71fc6e795ee20005a389e3175a7108a3e53e9fe4cd52980a9de2c" } },
    { 5,
      { "c486b060d9a51b1fa3143d50ac0b953bc841c19673f19633df22d642ffd60719",
        "098f26a2d7829d9a4dffa38d7936118a9b5533691bc9732f8a805c4b647b1d08" } },
    { 7,
      { "ea0406821f2cffaf4706ef33dbb294c4754d4d72680958a41988115c4f8e6a31",
        "66b7b0ccd0c4a2d7f5770676701fa29b4d671de867008466ecfb002bf9ad683e" } },
    { 10,
      { "ec03081a6d2466ac6aa619608ed2da3b6b9fb6af02ad984cfc91f4e616c1d400",
        "6a9154cb3e14e33ae4263ef11e1f3814545eff916a5847a0c5331129f7992e14" } },
    { 13,
      { "e3f021badbc9b9f957f83348ac258160191ce0eddc4dca715a9e407d0e33a631",
        "12fd6584654e6e51fd3153108f886cac85aac381573fa6cf89eb26a644b27412" } },
    { 17,
      { "1c79116848da4380c921e42a901031f578dfc3cdace9a434fc750253f4470a16",
        "cb637e18c8cfc4c50b166ef7900f7fb23fedafa886a6e89aeb8314d409142612" } },
    { 18,
      { "1ba22647c912a8cefeb029b3e0a3a681fffdebba4ff5e3d58d920b154efe0126",
        "92a704b3170f6308675e3bc1ea60144062830b81d18c17bcbb6728d3b6c08e34" } },
    { 19,
      { "50687fe0b4b5151bef58f465bb1d81d3503be689816fd2cab08462e73e82ec23",
        "1f18e76f932e5c74044a95cf3ca3ae758b02750a70a6e4beb62a90087f753b31" } },
    { 21,
      { "2ed078a80c365d65e1878bd0194e4efa9fff54c0eedbb55a9d25613db1a2fc34",
        "68ae3681796543d0c737b0f86332648ddc9d0c8701297b40d4fb936ec694212f" } },
    { 22,
      { "1100ea91a7154780d38d7b44da4738aa8ce1149d7480d8b775e3ac650738852e",
        "e37ffb0fc30e40e081720f7da41c13da53158321aa8f21148bb9d63783727c3e" } },
    { 23,
      { "9865f4d30d75f30265bdb4800004e041bdd4fe2a3a871f3022b249e5fa268f02",
        "cdf404272d6b72c013e68096373356d496e1fc3de96a5d8753c3b4dab0c2363c" } },
    { 26,
      { "93582217fea4b082e253df926f3ba820d6c9e0accf92066d2d8cb8639f136633",
        "8bed1f4bca88e02d61c1ab38adc257a1fe4e3822a946c68be0ef6b56554a0218" } },
    { 31,
      { "195b75566d919b314894134a78ed8c4c65feecdaf45a88bf2ddf7a24fee1642d",
        "93f0a62c2b720eecff0517849d7d5060a270437d2c376354e033a87c09c6ee37" } },
    { 36,
      { "0ae4545f220e60dccba21c265b2e6d83de62c1db684be6803b9fd0daf0f64614",
        "4ef9f670bbc210258ae435177b0bb32edf679e8862510e43c406abffbbae3730" } },
    { 39,
      { "70c93abb46ec71cd91927f0a03f5ae7ab2afa6e35f7f2fc44346617e928c1216",
        "8c84ab0b727fdae0ed273f848802a6722fd5ae1c26058d089db6b2b5e22f6513" } },
    { 47,
      { "a16a17cba592aa71114c20ad1f7d94cc4c9242aa6e8d5854f46c7ac249a55023",
        "faffa5c27f1ba52f9c0745aaf197169601ff4a6be0a104770b11112b0871e321" } },
    { 51,
      { "f4e7512d606449e852d61a974874d61a1cf194c398244ff3e2b572264ed18336",
        "29dcca828d4430ec26ebb7c38960dfe31f2a4cbf9b36dc6fda40eee77717390a" } },
    { 60,
      { "6c7a434f75805d88194613ad2ffe493beff084ed488a665135c812ea66ea1c21",
        "2bb447924606e8104d5d63b279426b954127c9fefadc2253af31b7a1462a4430" } },
};

#endif
