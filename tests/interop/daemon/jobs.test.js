// What clients rely on, with stub proofs.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Daemon, connect, grpc, request, sleep, stubProof, until, withDaemon } from "./harness.js";

const Code = grpc.status;
const failure = promise => promise.then(() => assert.fail("an error was expected"), error => error);
const proving = (d, n = 1) => until(async () => (await d.status()).buffers.provers_in_flight >= n, "proving");

test("Prove: each kind comes back COMPLETED with its proof", withDaemon({}, async d => {
  for (const [kind, partitions] of [["POREP_SEAL_COMMIT", 10], ["SNAP_DEALS_UPDATE", 4], ["WINDOW_POST_PARTITION", 1], ["WINNING_POST", 1]]) {
    const { result } = await d.client.Prove({ submit: request(kind, `id-${kind}`, `n-${kind}`) });
    assert.equal(result.status, "COMPLETED");
    assert.equal(result.jobId, `id-${kind}`);
    assert.deepEqual(result.proof, stubProof(`n-${kind}`, partitions));
    assert.equal(result.errorMessage, "");
  }
  const s = await d.client.GetStatus();
  assert.equal(s.totalProofsCompleted, 4);
  assert.equal(s.gpus.length, 1);
  assert.equal(s.gpus[0].name, "stub 0");
  assert.ok(s.loadedSrs.some(r => r.circuitId === "winning-2k" && r.tier === "HOT" && r.sizeBytes > 0));
}));

test("same id and payload, overlapping: one proof, both get it", withDaemon({}, async d => {
  await d.order("hold");
  const submit = request("WINNING_POST", "same", "x");
  const both = [d.client.Prove({ submit }), d.client.Prove({ submit: { ...submit, priority: "LOW" } })];
  await proving(d);
  await until(async () => (await d.job("same")).waiters === 2, "both waiting");
  await d.order("release");
  for (const { result } of await Promise.all(both)) assert.deepEqual(result.proof, stubProof("x"));
  assert.equal(await d.metric("cuzk_proofs_completed_total"), 1);
  assert.equal(await d.metric('cuzk_jobs_joined_total{proof_kind="winning_post"}'), 1);
}));

test("same id, different payload, overlapping: two jobs, each caller its own proof", withDaemon({}, async d => {
  await d.order("hold");
  const id = "wdpost-1000-0-[1 2 3 4 5 6 7 8]";
  const a = d.client.Prove({ submit: request("WINDOW_POST_PARTITION", id, "A") });
  await proving(d);
  const b = d.client.Prove({ submit: request("WINDOW_POST_PARTITION", id, "B") });
  const c = await d.client.SubmitProof(request("WINDOW_POST_PARTITION", id, "C"));
  assert.match(c.jobId, /^wdpost-1000-0-\[1 2 3 4 5 6 7 8\]#[0-9a-f]{8}$/);
  await d.order("release");
  const [ra, rb] = await Promise.all([a, b]);
  assert.deepEqual(ra.result.proof, stubProof("A"));
  assert.deepEqual(rb.result.proof, stubProof("B"));
  assert.equal(ra.result.jobId, id);
  assert.equal(rb.result.jobId, id);
  assert.deepEqual((await d.client.AwaitProof({ jobId: c.jobId })).proof, stubProof("C"));
}));

test("a retry after a client deadline joins the running job", withDaemon({}, async d => {
  await d.order("hold");
  const submit = request("POREP_SEAL_COMMIT", "porep-1000-7", "p");
  const error = await failure(d.client.Prove({ submit }, { deadline: 300 }));
  assert.equal(error.code, Code.DEADLINE_EXCEEDED);
  const again = d.client.Prove({ submit });
  await until(async () => (await d.job("porep-1000-7"))?.waiters === 1, "the retry to join");
  await d.order("release");
  assert.deepEqual((await again).result.proof, stubProof("p", 10));
  assert.equal(await d.metric("cuzk_proofs_completed_total"), 1);
}));

test("a finished job is answered again without proving", withDaemon({}, async d => {
  const submit = request("WINNING_POST", "twice", "t");
  await d.client.Prove({ submit });
  assert.deepEqual((await d.client.Prove({ submit })).result.proof, stubProof("t"));
  assert.equal(await d.metric("cuzk_proofs_completed_total"), 1);
}));

test("when the last waiter has gone, the job ends after the grace", withDaemon({ config: { scheduler: { orphan_grace: "300ms" } } }, async d => {
  await d.order("hold");
  let call;
  const p = failure(d.client.Prove({ submit: request("WINNING_POST", "left", "l") }, { started: c => { call = c; } }));
  await proving(d);
  call.cancel();
  assert.equal((await p).code, Code.CANCELLED);
  await until(async () => (await d.job("left"))?.state === "cancelled", "cancellation");
  assert.equal((await d.client.AwaitProof({ jobId: "left" })).status, "CANCELLED");
}));

test("AwaitProof: TIMEOUT, then the result; unknown ids are NOT_FOUND", withDaemon({}, async d => {
  await d.order("hold");
  const { jobId, queuePosition } = await d.client.SubmitProof(request("WINNING_POST", "slow", "s"));
  assert.equal(jobId, "slow");
  assert.equal(queuePosition, 0);
  const begin = Date.now();
  const r = await d.client.AwaitProof({ jobId, timeoutMs: 250 });
  assert.equal(r.status, "TIMEOUT");
  assert.equal(r.jobId, "slow");
  assert.equal(r.proof.length, 0);
  assert.ok(Date.now() - begin >= 240);
  await d.order("release");
  assert.deepEqual((await d.client.AwaitProof({ jobId })).proof, stubProof("s"));
  assert.equal((await failure(d.client.AwaitProof({ jobId: "never" }))).code, Code.NOT_FOUND);
}));

test("CancelProof: queued, running, unknown", withDaemon({}, async d => {
  await d.order("hold");
  await d.client.SubmitProof(request("WINNING_POST", "running", "r"));
  await proving(d);
  for (let i = 0; i < 8; i++) await d.client.SubmitProof(request("POREP_SEAL_COMMIT", `fill-${i}`, "f", { priority: "NORMAL" }));
  await d.client.SubmitProof(request("POREP_SEAL_COMMIT", "queued", "q", { priority: "LOW" }));
  const waiting = d.client.AwaitProof({ jobId: "queued" });
  await d.client.CancelProof({ jobId: "queued" });
  assert.equal((await waiting).status, "CANCELLED");
  assert.equal((await d.client.CancelProof({ jobId: "running" })).wasRunning, true);
  assert.equal((await d.client.AwaitProof({ jobId: "running" })).status, "CANCELLED");
  assert.equal((await d.client.CancelProof({ jobId: "nobody" })).wasRunning, false);
}));

test("PreloadSRS twice; EvictSRS of an idle, an unknown and a pinned circuit", withDaemon({}, async d => {
  assert.equal((await d.client.PreloadSRS({ circuitId: "winning-2k" })).alreadyLoaded, false);
  assert.equal((await d.client.PreloadSRS({ circuitId: "winning-2k" })).alreadyLoaded, true);
  const e = await d.client.EvictSRS({ circuitId: "winning-2k" });
  assert.ok(e.wasLoaded && e.freedBytes > 0);
  assert.equal((await d.client.EvictSRS({ circuitId: "winning-2k" })).wasLoaded, false);
  assert.equal((await d.client.EvictSRS({ circuitId: "no-such" })).wasLoaded, false);
  assert.equal((await failure(d.client.PreloadSRS({ circuitId: "no-such" }))).code, Code.NOT_FOUND);
  await d.order("hold");
  await d.client.SubmitProof(request("WINNING_POST", "pin", "p"));
  await proving(d);
  assert.equal((await failure(d.client.EvictSRS({ circuitId: "winning-2k" }))).code, Code.FAILED_PRECONDITION);
}));

test("GetStatus answers while a load and a proof hang, and lists running kinds", withDaemon({}, async d => {
  await d.order("hold");
  await d.client.SubmitProof(request("WINNING_POST", "w", "w"));
  await proving(d);
  await d.order("hold-load");
  const load = d.client.PreloadSRS({ circuitId: "porep-2k" });
  for (let i = 0; i < 20; i++) {
    const begin = performance.now();
    const s = await d.client.GetStatus({}, { deadline: 2000 });
    assert.ok(performance.now() - begin < 1000);
    assert.deepEqual(s.queues.map(q => [q.proofKind, q.inProgress]), [["winning-post", 1]]);
    assert.equal(s.gpus[0].currentJobId, "w");
    assert.equal(s.gpus[0].currentProofKind, "winning-post");
  }
  await d.order("release-load");
  await load;
}));

test("100 submits at once against a queue limit", withDaemon({ config: { scheduler: { max_queued: 20 } } }, async d => {
  await d.order("hold");
  const results = await Promise.allSettled(Array.from({ length: 100 }, (_, i) =>
    d.client.SubmitProof(request("WINNING_POST", `many-${i}`, `m${i}`))));
  const refused = results.filter(r => r.status === "rejected"), taken = results.filter(r => r.status === "fulfilled");
  for (const r of refused) assert.equal(r.reason.code, Code.RESOURCE_EXHAUSTED);
  assert.ok(taken.length >= 20 && taken.length < 60, `${taken.length} were taken`);
  await d.order("release");
  for (const { value } of taken) {
    const r = await d.client.AwaitProof({ jobId: value.jobId });
    assert.deepEqual(r.proof, stubProof("m" + value.jobId.slice(5)));
  }
}));

test("CRITICAL goes before ten NORMAL jobs at the next partition", withDaemon({}, async d => {
  await d.order("hold");
  for (let i = 0; i < 10; i++) await d.client.SubmitProof(request("POREP_SEAL_COMMIT", `n${i}`, `n${i}`));
  await proving(d);
  const w = d.client.Prove({ submit: request("WINNING_POST", "now", "now") });
  await until(async () => (await d.job("now"))?.partitions.some(p => p.state === "synth_done"), "the witness");
  await d.order("step 2");
  assert.deepEqual((await w).result.proof, stubProof("now"));
}));

test("a budget below the parameters is refused with both numbers, other kinds go on", withDaemon({ config: { memory: { total_budget: "64MiB" } } }, async d => {
  const error = await failure(d.client.Prove({ submit: request("POREP_SEAL_COMMIT", "big", "b", { sectorSize: 32 * 2 ** 30 }) }));
  assert.equal(error.code, Code.RESOURCE_EXHAUSTED);
  assert.ok((error.details.match(/\d{3,}|\d+(\.\d+)? ?[KMG]i?B/g) ?? []).length >= 2, error.details);
  assert.equal((await d.client.Prove({ submit: request("WINNING_POST", "small", "s") })).result.status, "COMPLETED");
}));

test("a wrong proof is tried again, then FAILED with its partition; the next job is fine", withDaemon({}, async d => {
  await d.order("bad 1");
  const { result } = await d.client.Prove({ submit: request("SNAP_DEALS_UPDATE", "bad", "b") });
  assert.equal(result.status, "FAILED");
  assert.match(result.errorMessage, /partition \d/);
  assert.ok(await d.metric("cuzk_retries_total") >= 1);
  await d.order("bad 0");
  assert.equal((await d.client.Prove({ submit: request("SNAP_DEALS_UPDATE", "good", "g") })).result.status, "COMPLETED");
  assert.equal((await d.client.Prove({ submit: request("SNAP_DEALS_UPDATE", "bad", "b") })).result.status, "COMPLETED", "a failed job starts anew");
}));

test("a payload that cannot be proved is a FAILED job in an OK reply", withDaemon({}, async d => {
  const { result } = await d.client.Prove({ submit: request("POREP_SEAL_COMMIT", "x", "x", { vanillaProof: Buffer.from("bad") }) });
  assert.equal(result.status, "FAILED");
  assert.match(result.errorMessage, /vanilla_proof/);
  const other = await d.client.Prove({ submit: request("WINNING_POST", "y", "y", { registeredProof: 99 }) });
  assert.equal(other.result.status, "FAILED");
}));

test("wrong requests are INVALID_ARGUMENT", withDaemon({}, async d => {
  assert.equal((await failure(d.client.Prove({}))).code, Code.INVALID_ARGUMENT);
  assert.equal((await failure(d.client.Prove({ submit: request(0, "k", "k") }))).code, Code.INVALID_ARGUMENT);
  assert.equal((await failure(d.client.SubmitProof(request(9, "k", "k")))).code, Code.INVALID_ARGUMENT);
}));

test("an empty id gets one, in Prove's reply too", withDaemon({}, async d => {
  const { result } = await d.client.Prove({ submit: request("WINNING_POST", "", "e") });
  assert.match(result.jobId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal((await d.client.AwaitProof({ jobId: result.jobId })).status, "COMPLETED");
}));

test("zero priority and sector size, window partition index, priorities beyond the enum", withDaemon({}, async d => {
  const more = { sectorSize: 0, priority: 0, partitionIndex: 3 };
  assert.equal((await d.client.Prove({ submit: request("WINDOW_POST_PARTITION", "z", "z", more) })).result.status, "COMPLETED");
  assert.equal((await d.job("z")).priority, "HIGH");
  assert.equal((await d.client.Prove({ submit: request("WINNING_POST", "z2", "z", { priority: 77 }) })).result.status, "COMPLETED");
  assert.equal((await d.job("z2")).priority, "NORMAL");
}));

test("kill -9: accepted jobs run again, results are not lost", async () => {
  const d = await new Daemon({}).start();
  await d.client.Prove({ submit: request("WINNING_POST", "done", "done") });
  await until(async () => await d.metric("cuzk_journal_finished_total") >= 1, "the journal");
  await d.order("hold");
  for (let i = 0; i < 5; i++) await d.client.SubmitProof(request("POREP_SEAL_COMMIT", `again-${i}`, `a${i}`));
  await d.stop("SIGKILL");
  const e = await new Daemon({ folder: d.folder }).start();
  try {
    for (let i = 0; i < 5; i++) {
      const r = await e.client.AwaitProof({ jobId: `again-${i}` });
      assert.deepEqual(r.proof, stubProof(`a${i}`, 10));
    }
    assert.deepEqual((await e.client.AwaitProof({ jobId: "done" })).proof, stubProof("done"));
  } finally {
    await e.stop();
    e.remove();
  }
});

test("devices that are lost to the process: it ends with 69, and the next one does the jobs", async () => {
  const d = await new Daemon({ config: { gpus: { recovery_time: "100ms" } } }).start();
  await d.order("hold");
  for (let i = 0; i < 3; i++) await d.client.SubmitProof(request("POREP_SEAL_COMMIT", `kept-${i}`, `k${i}`));
  await proving(d);
  await d.order("break");
  await d.order("release");
  assert.deepEqual(await d.end, { code: 69, signal: null });
  assert.match(d.log, /all devices are lost to this process/);
  d.client.close();
  const e = await new Daemon({ folder: d.folder }).start();
  try {
    for (let i = 0; i < 3; i++) {
      assert.deepEqual((await e.client.AwaitProof({ jobId: `kept-${i}` })).proof, stubProof(`k${i}`, 10));
    }
  } finally {
    await e.stop();
    e.remove();
  }
});

test("SIGTERM: what runs is finished, what is new is refused, then exit 0", async () => {
  const d = await new Daemon({}).start();
  try {
    await d.order("hold");
    const running = d.client.Prove({ submit: request("WINNING_POST", "last", "l") });
    await proving(d);
    d.signal("SIGTERM");
    await until(async () => (await d.status()).draining, "the drain");
    assert.equal((await failure(d.client.Prove({ submit: request("WINNING_POST", "late", "l") }))).code, Code.UNAVAILABLE);
    assert.equal((await d.client.GetStatus()).gpus.length, 1);
    assert.equal((await d.get("/readyz")).code, 503);
    await d.order("release");
    assert.deepEqual((await running).result.proof, stubProof("l"));
    assert.deepEqual(await d.end, { code: 0, signal: null });
  } finally {
    await d.stop();
    d.remove();
  }
});

test("a drain has an end, and a second signal ends it at once", async () => {
  const slow = await new Daemon({ config: { scheduler: { drain_timeout: "500ms" } } }).start();
  const two = await new Daemon({}).start();
  try {
    for (const d of [slow, two]) await d.order("hold");
    const a = slow.client.Prove({ submit: request("WINNING_POST", "stuck", "s") }).catch(e => e);
    await proving(slow);
    slow.signal("SIGTERM");
    const cut = await a;
    assert.ok(cut.result ? cut.result.status === "FAILED" : cut.code === Code.UNAVAILABLE, String(cut));
    slow.child.stdin.write("release\n");
    assert.equal((await slow.end).code, 0);

    two.client.Prove({ submit: request("WINNING_POST", "stuck", "s") }).catch(() => {});
    await proving(two);
    two.signal("SIGINT");
    await until(() => /draining/.test(two.log), "the drain");
    await sleep(200);
    const begin = Date.now();
    two.signal("SIGINT");
    await until(() => /ending now/.test(two.log), "the second signal");
    two.child.stdin.write("release\n");
    await two.end;
    assert.ok(Date.now() - begin < 5000);
  } finally {
    for (const d of [slow, two]) {
      await d.stop("SIGKILL");
      d.remove();
    }
  }
});
