// Real proofs: sealed 2 KiB sectors and test parameters, through the command line and grpc-js, verified by `cuzk verify`.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { bin, dataFolder, sanitized, until, withDaemon } from "./harness.js";

const cuzk = path.join(bin, "cuzk");
const run = (...args) => spawnSync(cuzk, args, { encoding: "utf8", maxBuffer: 1 << 26 });
const publicOf = name => JSON.parse(fs.readFileSync(path.join(dataFolder, `${name}.public.json`)));
const given = process.env.CUZK_TEST_PARAMS; // a folder with test parameters; made here otherwise
const params = given ?? fs.mkdtempSync(path.join(os.tmpdir(), "cuzk-params-"));
const real = { program: "cuzkd", config: { srs: { param_cache: params, allow_test_parameters: true }, gpus: { devices: "none" } } };

const winning = () => ["-t", "winning", "--registered-proof", "0", "--miner-id", "1000", "--randomness", publicOf("winning").randomness,
  "--vanilla", path.join(dataFolder, "winning-42.vproof")];

before(() => {
  if (!fs.readdirSync(params).some(f => /3ea05428.*\.params$/.test(f))) {
    const r = run("params", "generate", "winning-2k", "--insecure-seed", "cuzk-test-srs/v1", "-o", params);
    assert.equal(r.status, 0, r.stderr);
  }
});
after(() => { if (!given) fs.rmSync(params, { recursive: true, force: true }); });

test("cuzk submit of a sealed winning PoSt gives a proof that cuzk verify accepts; spans add up", withDaemon(real, async d => {
  const out = path.join(d.folder, "proof");
  const r = run("submit", "-a", `unix://${d.socket}`, ...winning(), "--id", "winning", "-o", out, "--json");
  assert.equal(r.status, 0, r.stderr);
  const result = JSON.parse(r.stdout);
  assert.equal(result.status, "COMPLETED");
  assert.equal(result.proof, fs.readFileSync(out).toString("hex"));
  assert.equal(result.proof.length, 2 * 192);
  const t = result.timings_ms;
  assert.ok(Math.abs(t.total - t.queue - t.srs - t.synth - t.gpu) < 0.05 * t.total + 50, JSON.stringify(t));
  const v = run("verify", "-t", "winning", "--registered-proof", "0", "--public", path.join(dataFolder, "winning.public.json"),
    "--params", params, "--proof", out);
  assert.equal(v.status, 0, v.stderr);
  await until(() => /\[winning\] timings: total=\d+ ms \(queue=\d+ ms, srs=\d+ ms, synth=\d+ ms, gpu=\d+ ms, finish=\d+ ms\) busy: synth=\d+ ms gpu=\d+ ms/
    .test(d.log), "the line of timings");
  assert.equal(run("await", "-a", `unix://${d.socket}`, "winning").stdout.trim(), result.proof);
  assert.ok((await d.status()).test_parameters_allowed);
}));

test("grpc-js gets the same kind of result; damage is FAILED; the daemon goes on", withDaemon(real, async d => {
  const vanillaProofs = [fs.readFileSync(path.join(dataFolder, "winning-42.vproof"))];
  const submit = { requestId: "winpost-1000-0123456789abcdef", proofKind: "WINNING_POST", sectorSize: 0, registeredProof: 0, priority: "CRITICAL",
    vanillaProofs, minerId: 1000, randomness: Buffer.from(publicOf("winning").randomness, "hex") };
  const damaged = [Buffer.from(vanillaProofs[0])];
  damaged[0][damaged[0].length >> 1] ^= 1;
  const bad = await d.client.Prove({ submit: { ...submit, requestId: "damaged", vanillaProofs: damaged } });
  assert.equal(bad.result.status, "FAILED");
  assert.notEqual(bad.result.errorMessage, "");
  for (const change of [{ randomness: Buffer.alloc(31) }, { registeredProof: 4711 }, { vanillaProofs: [] }]) {
    const r = await d.client.Prove({ submit: { ...submit, requestId: "wrong", ...change } });
    assert.equal(r.result.status, "FAILED", JSON.stringify(Object.keys(change)));
  }
  const { result } = await d.client.Prove({ submit });
  assert.equal(result.status, "COMPLETED", result.errorMessage);
  assert.equal(result.proof.length, 192);
  const v = run("verify", "-t", "winning", "--registered-proof", "0", "--public", path.join(dataFolder, "winning.public.json"),
    "--params", params, "--proof", result.proof.toString("hex"));
  assert.equal(v.status, 0, v.stderr);
}));

test("without allow_test_parameters the same files are refused, and readiness says so", withDaemon({ ...real,
  config: { ...real.config, srs: { param_cache: params, allow_test_parameters: false, preload: ["winning-2k"] } } }, async d => {
  const r = run("submit", "-a", `unix://${d.socket}`, ...winning());
  assert.equal(r.status, 1, r.stderr);
  assert.match(r.stderr, /FAILED/);
  const ready = await d.get("/readyz");
  assert.equal(ready.code, 503);
  assert.match(ready.text, /winning-2k/);
}));

test("exit codes and outputs of the other commands", withDaemon(real, async d => {
  const a = ["-a", `unix://${d.socket}`];
  assert.equal(run("status", "-a", "unix:///nonexistent.sock").status, 69);
  assert.equal(run("await", ...a, "nobody").status, 66);
  assert.equal(run("await", ...a).status, 64);
  assert.equal(run("cancel", ...a, "nobody", "--json").stdout.replace(/\s/g, ""), '{"was_running":false}');
  assert.equal(run("preload", ...a, "winning-2k").status, 0);
  assert.equal(JSON.parse(run("preload", ...a, "winning-2k", "--json").stdout).already_loaded, true);
  assert.equal(run("preload", ...a, "porep-3k").status, 66);
  assert.match(run("metrics", ...a).stdout, /^cuzk_srs_loads_total 1$/m);
  assert.match(run("top", ...a, "-n", "1").stdout, /winning-2k +HOT/);
  assert.equal(JSON.parse(run("evict", ...a, "winning-2k", "--json").stdout).was_loaded, true);
  const load = run("bench", "load", ...a, ...winning(), "-c", "2", "-j", "2", "--json");
  assert.equal(load.status, 0, load.stderr);
  assert.equal(JSON.parse(load.stdout)[0].failed, 0);
  const queued = run("submit", ...a, ...winning(), "--id", "later", "--no-wait");
  assert.equal(queued.stdout, "later\n");
  assert.equal(run("await", ...a, "later", "--timeout", "1ms").status, 75);
  assert.equal(run("await", ...a, "later").status, 0);
}));

test("an idle daemon is small", withDaemon({ program: "cuzkd", config: real.config }, async d => {
  assert.ok(sanitized || d.memory() < 40e6, `${d.memory()} bytes`);
}));

// Needs all four sets of 2 KiB parameters, which scripts/test-interop.sh hands over, and memory for the PoRep's.
const roomy = { ...real, config: { ...real.config, memory: { total_budget: "4GiB" } } };
test("window, PoRep and update of the sealed sectors through the daemon verify", { skip: !given }, withDaemon(roomy, async d => {
  const file = name => path.join(dataFolder, name);
  const update = publicOf("update-42");
  const jobs = [
    ["window", ["-t", "window", "--registered-proof", "10", "--miner-id", "1000", "--randomness", publicOf("window").randomness,
      file("window-42.vproof"), file("window-43.vproof")]],
    ["porep", ["-t", "porep", "--miner-id", "1000", "--sector-num", "42", "--c1", file("porep-s42.wrapped.json")]],
    ["snap", ["-t", "snap", "--registered-proof", "0", "--comm-r-old", update.comm_r_old, "--comm-r-new", update.comm_r_new,
      "--comm-d-new", update.comm_d_new, file("update-42.json")]],
  ];
  for (const [name, request] of jobs) {
    const out = path.join(d.folder, `${name}.proof`);
    const r = run("submit", "-a", `unix://${d.socket}`, ...request, "-o", out);
    assert.equal(r.status, 0, r.stderr);
    const v = run("verify", ...request, "--params", params, "--proof", out);
    assert.equal(v.status, 0, v.stderr);
  }
}));
