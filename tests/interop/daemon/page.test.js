// HTTP: health, readiness, status, metrics, and the page in a real browser.
import { test } from "node:test";
import assert from "node:assert/strict";
import http from "node:http";
import fs from "node:fs";
import { chromium } from "playwright-core";
import { request, sleep, until, withDaemon } from "./harness.js";

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

test("HTTP: routes, methods, types", withDaemon({}, async d => {
  assert.deepEqual(await d.get("/healthz"), { code: 200, type: "text/plain", text: "ok\n" });
  assert.equal((await d.get("/readyz")).text, "ready\n");
  assert.equal((await d.get("/status")).type, "application/json");
  assert.match((await d.get("/metrics")).type, /^text\/plain; version=0\.0\.4/);
  assert.match((await d.get("/")).type, /^text\/html/);
  assert.equal((await d.get("/nothing")).code, 404);
  const post = await new Promise(resolve => {
    const r = http.request(d.http + "/status", { method: "POST" }, response => { response.resume(); resolve(response); });
    r.end("x".repeat(100000));
  });
  assert.equal(post.statusCode, 405);
  const page = (await d.get("/")).text;
  assert.doesNotMatch(page.replace(/http:\/\/www\.w3\.org\/2000\/svg/g, ""), /(src|href)=["']?https?:|@import|url\(http/);
}));

test("/status has the keys that pollers know, in their order", withDaemon({}, async d => {
  await d.order("hold");
  await d.client.SubmitProof(request("POREP_SEAL_COMMIT", "p", "p"));
  await until(async () => (await d.status()).buffers.provers_in_flight === 1, "proving");
  const s = await d.status();
  assert.deepEqual(Object.keys(s).slice(0, 8), ["uptime_secs", "memory", "synthesis", "pipelines", "gpu_workers", "allocations", "counters", "buffers"]);
  assert.deepEqual(Object.keys(s.memory).slice(0, 3), ["total_bytes", "used_bytes", "available_bytes"]);
  assert.deepEqual(Object.keys(s.synthesis), ["max_concurrent", "active"]);
  assert.deepEqual(Object.keys(s.pipelines[0]), ["job_id", "proof_kind", "started_secs_ago", "total_partitions", "partitions_done", "partitions"]);
  assert.deepEqual(Object.keys(s.pipelines[0].partitions[0]), ["index", "state", "synth_ms", "gpu_ms"]);
  assert.equal(s.pipelines[0].proof_kind, "porep-c2");
  assert.equal(s.pipelines[0].total_partitions, 10);
  assert.ok(s.pipelines[0].partitions.some(p => p.state === "gpu"));
  assert.deepEqual(Object.keys(s.gpu_workers[0]), ["worker_id", "gpu_ordinal", "state", "current_job", "current_partition", "busy_secs"]);
  assert.equal(s.gpu_workers[0].current_job, "p");
  assert.deepEqual(Object.keys(s.allocations), ["srs", "pce"]);
  assert.deepEqual(Object.keys(s.allocations.srs[0]), ["circuit_id", "bytes", "last_used_secs_ago", "evictable"]);
  assert.deepEqual(Object.keys(s.counters).slice(0, 5), ["total_completed", "total_failed", "completed_by_kind", "failed_by_kind", "queue_depth"]);
  assert.deepEqual(Object.keys(s.buffers), ["synth_in_flight", "provers_in_flight", "aux_in_flight", "shells_in_flight", "pending_handles"]);
}));

test("/metrics is well-formed, GetMetrics is the same, histograms count", withDaemon({}, async d => {
  await d.client.Prove({ submit: request("WINNING_POST", "m", "m") });
  const text = (await d.get("/metrics")).text;
  const types = new Map();
  let family = "";
  for (const line of text.trimEnd().split("\n")) {
    if (line.startsWith("#")) {
      const [, what, name, rest] = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line);
      if (what === "TYPE") { assert.ok(!types.has(name), name); types.set(name, rest); }
      family = name;
    } else {
      assert.match(line, /^\w+(\{(\w+="([^"\\\n]|\\.)*",?)*\})? (-?\d+(\.\d+)?(e[+-]?\d+)?|\+Inf|NaN)$/);
      assert.ok(line.startsWith(family), line);
    }
  }
  assert.ok(text.endsWith("\n"));
  for (const name of ["cuzk_proofs_completed_total", "cuzk_proofs_failed_total", "cuzk_uptime_seconds", "cuzk_queue_depth",
    "cuzk_proofs_completed", "cuzk_proofs_failed", "cuzk_proof_duration_seconds", "cuzk_running_jobs", "cuzk_gpu_workers"]) assert.ok(types.has(name), name);
  assert.equal(types.get("cuzk_proof_duration_seconds"), "histogram");
  assert.ok(text.includes('cuzk_proof_duration_seconds_count{proof_kind="winning_post"} 1\n'));
  assert.ok(text.includes('cuzk_proof_duration_seconds_bucket{proof_kind="winning_post",le="+Inf"} 1\n'));
  for (const phase of ["queue", "srs", "synth", "gpu", "finish"]) {
    assert.ok(text.includes(`cuzk_phase_duration_seconds_count{proof_kind="winning_post",phase="${phase}"} 1\n`), phase);
  }
  assert.match(text, /cuzk_build_info\{version="[^"]+"/);
  const { prometheusText } = await d.client.GetMetrics();
  const names = t => t.split("\n").filter(l => l.startsWith("# TYPE"));
  assert.deepEqual(names(prometheusText), names(text));
}));

test("readiness gives its reasons", withDaemon({ config: { srs: { preload: ["porep-64g"] } } }, async d => {
  const r = await until(async () => {
    const answer = await d.get("/readyz");
    return answer.code === 503 && answer;
  }, "not ready");
  assert.match(r.text, /porep-64g/);
  assert.equal((await d.get("/healthz")).code, 200);
}));

test("the page shows queues, devices, memory, parameters and the waterfall, live and in any theme", withDaemon({ env: { STUB_DEVICES: "2" } }, async d => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: flags });
  try {
    for (const colorScheme of ["light", "dark"]) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 1000 } });
      const trouble = [], outside = [];
      page.on("console", m => { if (m.type() === "error") trouble.push(m.text()); });
      page.on("pageerror", e => trouble.push(String(e)));
      page.on("request", r => { if (!r.url().startsWith(d.http) && !r.url().startsWith("data:")) outside.push(r.url()); });
      const evil = `<img src=x onerror="document.title='owned'">${colorScheme}`;
      await d.order("release");
      for (let i = 0; i < 3; i++) await d.client.Prove({ submit: request("SNAP_DEALS_UPDATE", `snap-1000-${i}-${colorScheme}`, "s") });
      await d.order("hold");
      const running = d.client.Prove({ submit: request("POREP_SEAL_COMMIT", evil, evil.slice(-20)) });
      await d.order("step 4");
      await until(async () => (await d.job(evil))?.partitions_done !== 0 && (await d.status()).buffers.provers_in_flight > 0, "the job to run");
      for (let i = 0; i < 2; i++) await d.client.SubmitProof(request("POREP_SEAL_COMMIT", `waiting-${i}-${colorScheme}`, "w"));
      await page.goto(d.http + "/");
      await page.waitForFunction(() => Number(document.body.dataset.updates) >= 2, null, { timeout: 15000 });
      assert.equal(await page.title(), "cuzk");
      const text = async id => (await page.locator(id).innerText()).replace(/\s+/g, " ");
      assert.match(await text("#queues"), /porep-c2/);
      assert.match(await text("#devices"), /stub 0 stub/);
      assert.match(await text("#devices"), /stub 1/);
      assert.match(await text("#devices"), /proving/);
      assert.match(await text("#memory"), /of 1\.00 GiB/);
      assert.match(await text("#srs"), /porep-2k loaded/);
      assert.match(await text("#state"), /ready/);
      const job = page.locator("details.job", { hasText: evil });
      assert.equal(await job.locator(".lane").count(), 1 + 10 + 1, "job, ten partitions, axis");
      assert.ok(await job.locator(".lane .gpu").count() >= 4);
      assert.ok(await job.locator(".lane .synth").count() >= 4);
      assert.ok(await job.locator(".lane .gpu.live").count() >= 1, "one is running");
      assert.match(await job.locator(".axis").innerText(), /^0 ms\n[\d.]+ m?s\n/);
      assert.doesNotMatch(await page.locator("body").innerText(), /\[object|undefined|NaN/);
      if (process.env.SCREENSHOTS) {
        fs.mkdirSync(process.env.SCREENSHOTS, { recursive: true });
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/page-${colorScheme}.png`, fullPage: true });
      }
      const before = Number(await page.evaluate(() => document.body.dataset.updates));
      const completed = Number(await text("#completed"));
      await d.order("release");
      await running;
      await page.waitForFunction(n => Number(document.querySelector("#completed").textContent) > n, completed, { timeout: 15000 });
      assert.ok(Number(await page.evaluate(() => document.body.dataset.updates)) > before);
      const snap = page.locator("details.job", { hasText: `snap-1000-0-${colorScheme}` });
      await snap.locator("summary").click();
      assert.equal(await snap.locator(".lane").count(), 1 + 4 + 1);
      await sleep(1500);
      assert.equal(await snap.locator(".lane").count(), 1 + 4 + 1, "it stays open over refreshes");
      assert.deepEqual(trouble, []);
      assert.deepEqual(outside, []);
      await page.close();
    }
    const narrow = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await narrow.goto(d.http + "/");
    await narrow.waitForFunction(() => Number(document.body.dataset.updates) >= 1);
    assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling on a phone");
    if (process.env.SCREENSHOTS) await narrow.screenshot({ path: `${process.env.SCREENSHOTS}/page-narrow.png` });
    const lost = await browser.newPage();
    await lost.goto(d.http + "/");
    await lost.waitForFunction(() => Number(document.body.dataset.updates) >= 1);
    await d.stop("SIGINT");
    await lost.waitForFunction(() => /no connection/.test(document.querySelector("#state").textContent), null, { timeout: 15000 });
  } finally {
    await browser.close();
  }
}));
