// What the wire itself must stand: large and broken messages, slow clients, ids of any kind, TLS, tokens.
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import http2 from "node:http2";
import net from "node:net";
import path from "node:path";
import { Daemon, bin, connect, grpc, health, reflection, request, sanitized, sleep, stubProof, until, withDaemon } from "./harness.js";

const Code = grpc.status;
const failure = promise => promise.then(() => assert.fail("an error was expected"), error => error);
const tcp = { daemon: { listen: ["127.0.0.1:0"] } };

/** One HTTP/2 stream of gRPC by hand: resolves with {status, message} when it ends. */
function rawCall(session, method, onOpen) {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":method": "POST", ":path": `/cuzk.v1.ProvingEngine/${method}`,
      "content-type": "application/grpc", te: "trailers" });
    let trailers = {};
    stream.on("response", h => { trailers = { ...trailers, ...h }; });
    stream.on("trailers", h => { trailers = { ...trailers, ...h }; });
    stream.on("error", reject);
    stream.on("close", () => resolve({ status: Number(trailers["grpc-status"]), message: trailers["grpc-message"] }));
    stream.resume();
    onOpen(stream);
  });
}

function frame(message) {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

test("ids: NUL, 64 KiB, brackets, other scripts come back as they were sent", withDaemon({}, async d => {
  const ids = ["a\0b", "a\0c", "x".repeat(65536), "wdpost-1000-0-[1 2 3]", "証明-π-\u{1F600}", "../../etc/passwd", '"\\\n\t', "%s%n"];
  for (const [i, id] of ids.entries()) {
    const { jobId } = await d.client.SubmitProof(request("WINNING_POST", id, `n${i}`));
    assert.equal(jobId, id);
  }
  for (const [i, id] of ids.entries()) {
    const r = await d.client.AwaitProof({ jobId: id });
    assert.deepEqual(r.proof, stubProof(`n${i}`));
    assert.equal(r.jobId, id);
  }
  const s = await d.status();
  for (const id of ids) assert.ok(s.jobs.some(j => j.job_id === id), JSON.stringify(id).slice(0, 50));
  for (const line of d.log.split("\n")) assert.doesNotMatch(line, /[\x00-\x08\x0e-\x1f]/);
}));

test("an id that is no UTF-8 is INVALID_ARGUMENT", withDaemon({ config: tcp }, async d => {
  const session = http2.connect(`http://127.0.0.1:${d.ports[0]}`);
  const bad = await rawCall(session, "SubmitProof", s => s.end(frame(Buffer.from([0x0a, 2, 0xff, 0xfe, 0x10, 4]))));
  assert.equal(bad.status, Code.INVALID_ARGUMENT);
  session.close();
}));

test("broken messages are INVALID_ARGUMENT", withDaemon({ config: tcp }, async d => {
  const session = http2.connect(`http://127.0.0.1:${d.ports[0]}`);
  for (const method of ["SubmitProof", "Prove", "AwaitProof", "CancelProof", "PreloadSRS", "EvictSRS"]) {
    for (const bytes of [[0x0a, 0x7f], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x07], [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f, 1]]) {
      const { status } = await rawCall(session, method, s => s.end(frame(Buffer.from(bytes))));
      assert.equal(status, Code.INVALID_ARGUMENT, `${method} ${bytes}`);
    }
  }
  const { status } = await rawCall(session, "Prove", s => s.end());
  assert.ok([Code.CANCELLED, Code.INTERNAL, Code.INVALID_ARGUMENT, Code.UNIMPLEMENTED].includes(status), `no message: ${status}`);
  assert.equal((await rawCall(session, "NoSuch", s => s.end(frame(Buffer.alloc(0))))).status, Code.UNIMPLEMENTED);
  session.close();
}));

test("250 MiB of garbage is refused, the memory comes back, others are served meanwhile", withDaemon({ config: { memory: { total_budget: "2GiB" } } }, async d => {
  const before = d.memory();
  const submit = request("POREP_SEAL_COMMIT", "garbage", "g", { vanillaProof: Buffer.alloc(250 << 20, 0xa5) });
  const big = d.client.Prove({ submit });
  for (let i = 0; i < 5; i++) {
    await d.client.GetStatus({}, { deadline: 5000 });
    await sleep(20);
  }
  const { result } = await big;
  assert.equal(result.status, "COMPLETED"); // the stub reads nothing of it; the point is that it arrived
  const error = await failure(new Promise((resolve, reject) => d.client.stub.makeUnaryRequest(
    "/cuzk.v1.ProvingEngine/Prove", x => x, x => x, Buffer.alloc(250 << 20, 0xff), (e, r) => e ? reject(e) : resolve(r))));
  assert.equal(error.code, Code.INVALID_ARGUMENT);
  await until(() => sanitized || d.memory() < before + (64 << 20), "the memory to come back");
  await until(async () => (await d.metric("cuzk_memory_budget_used_bytes")) < 64 << 20, "the budget to come back");
}));

test("a message beyond max_message is RESOURCE_EXHAUSTED and costs nobody else", withDaemon({ config: { daemon: { max_message: "8MiB" } } }, async d => {
  const error = await failure(d.client.Prove({ submit: request("POREP_SEAL_COMMIT", "big", "b", { vanillaProof: Buffer.alloc(9 << 20) }) }));
  assert.equal(error.code, Code.RESOURCE_EXHAUSTED);
  assert.equal((await d.client.Prove({ submit: request("WINNING_POST", "ok", "o") })).result.status, "COMPLETED");
}));

test("uploads in progress are charged to the budget, and wait for it", withDaemon({ config: { ...tcp, memory: { total_budget: "256MiB" }, daemon: { listen: ["127.0.0.1:0"], max_message: "32MiB" } } }, async d => {
  const session = http2.connect(`http://127.0.0.1:${d.ports[0]}`);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(20 << 20, 1);
  const half = Array.from({ length: 20 }, () => rawCall(session, "Prove", s => s.write(Buffer.concat([head, Buffer.alloc(1000)]))).catch(() => {}));
  await until(async () => (await d.metric("cuzk_memory_budget_used_bytes")) >= 64 << 20, "the charge");
  const quick = connect(`127.0.0.1:${d.ports[0]}`);
  await quick.GetStatus({}, { deadline: 2000 });
  session.destroy();
  await Promise.all(half);
  assert.equal((await quick.Prove({ submit: request("WINNING_POST", "after", "a") }, { deadline: 20000 })).result.status, "COMPLETED");
  await until(async () => (await d.metric("cuzk_memory_budget_used_bytes")) < 16 << 20, "the credit");
  quick.close();
}));

test("slow and half-open clients hold up nobody", withDaemon({ config: tcp }, async d => {
  const sockets = Array.from({ length: 30 }, () => net.connect(d.ports[0], "127.0.0.1"));
  for (const s of sockets) s.on("error", () => {});
  sockets.slice(0, 10).forEach(s => s.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
  sockets.slice(10, 20).forEach(s => s.write("GET / HTTP/1.1\r\n\r\n"));
  const session = http2.connect(`http://127.0.0.1:${d.ports[0]}`);
  session.on("error", () => {});
  const head = Buffer.alloc(5);
  head.writeUInt32BE(1 << 20, 1);
  const trickle = Promise.all(Array.from({ length: 20 }, () => rawCall(session, "Prove", s => s.write(head)).catch(() => {})));
  const client = connect(`127.0.0.1:${d.ports[0]}`);
  for (let i = 0; i < 10; i++) {
    assert.equal((await client.Prove({ submit: request("WINNING_POST", `s${i}`, "s") }, { deadline: 10000 })).result.status, "COMPLETED");
  }
  client.close();
  for (const s of sockets) s.destroy();
  session.destroy();
  await trickle;
}));

test("100 calls at once on one connection, and status beside them", withDaemon({}, async d => {
  await d.order("hold");
  const calls = Array.from({ length: 100 }, (_, i) => d.client.Prove({ submit: request("WINNING_POST", `c${i}`, `c${i}`) }));
  const s = await until(async () => {
    const status = await d.client.GetStatus({}, { deadline: 3000 });
    return status.queues[0]?.pending + status.queues[0]?.inProgress === 100 && status;
  }, "all to be queued");
  assert.equal(s.queues[0].proofKind, "winning-post");
  await d.order("release");
  for (const [i, r] of (await Promise.all(calls)).entries()) assert.deepEqual(r.result.proof, stubProof(`c${i}`));
}));

test("health: Check, Watch, unknown services", async () => {
  const d = await new Daemon({}).start();
  try {
    const client = connect(`unix:${d.socket}`, health.health.v1.Health);
    for (const service of ["", "cuzk.v1.ProvingEngine"]) assert.equal((await client.Check({ service })).status, "SERVING");
    assert.equal((await failure(client.Check({ service: "other" }))).code, Code.NOT_FOUND);
    const seen = [];
    const watch = client.stub.Watch({ service: "" });
    const ended = new Promise(resolve => watch.on("error", resolve).on("end", resolve));
    watch.on("data", r => seen.push(r.status));
    const other = client.stub.Watch({ service: "other" });
    other.on("error", () => {});
    assert.equal((await new Promise(resolve => other.once("data", resolve))).status, "SERVICE_UNKNOWN");
    other.cancel();
    await until(() => seen.length === 1, "the first state");
    d.signal("SIGTERM");
    await until(() => seen.length === 2, "the second state");
    await ended;
    assert.deepEqual(seen, ["SERVING", "NOT_SERVING"]);
    assert.equal((await d.end).code, 0);
    client.close();
  } finally {
    await d.stop();
    d.remove();
  }
});

for (const version of ["v1", "v1alpha"]) {
  test(`reflection ${version}: services, and files by symbol and by name`, withDaemon({}, async d => {
    const client = new reflection[version].ServerReflection(`unix:${d.socket}`, grpc.credentials.createInsecure());
    const stream = client.ServerReflectionInfo();
    const ask = q => new Promise(resolve => { stream.once("data", resolve); stream.write(q); });
    const services = (await ask({ listServices: "" })).listServicesResponse.service.map(s => s.name);
    assert.deepEqual(services, ["cuzk.v1.ProvingEngine", "grpc.health.v1.Health", `grpc.reflection.${version}.ServerReflection`]);
    for (const q of [{ fileContainingSymbol: "cuzk.v1.ProvingEngine" }, { fileContainingSymbol: "cuzk.v1.AwaitProofResponse.Status" },
      { fileContainingSymbol: "cuzk.v1.ProvingEngine.Prove" }, { fileByFilename: "cuzk.proto" }]) {
      const file = (await ask(q)).fileDescriptorResponse.fileDescriptorProto[0];
      assert.ok(file.includes("SubmitProofRequest") && file.includes("request_id"));
    }
    assert.ok((await ask({ fileContainingSymbol: services[2] })).fileDescriptorResponse);
    assert.equal((await ask({ fileContainingSymbol: "cuzk.v1.Nothing" })).errorResponse.errorCode, Code.NOT_FOUND);
    assert.ok((await ask({ allExtensionNumbersOfType: "x" })).errorResponse);
    stream.end();
    await new Promise(resolve => stream.on("end", resolve).on("error", resolve));
    client.close();
  }));
}

test("a client that pings often is not cut off", withDaemon({ config: tcp }, async d => {
  const stub = connect(`127.0.0.1:${d.ports[0]}`);
  const session = http2.connect(`http://127.0.0.1:${d.ports[0]}`);
  let gone = null;
  session.on("goaway", code => { gone = code; });
  for (let i = 0; i < 2; i++) {
    await new Promise(resolve => session.ping(resolve));
    await sleep(5100);
  }
  assert.equal(gone, null);
  session.close();
  stub.close();
}));

test("TLS with client certificates, and a bearer token", async t => {
  const d = new Daemon({});
  const at = name => path.join(d.folder, name);
  const openssl = (...args) => execFileSync("openssl", args, { cwd: d.folder, stdio: "pipe" });
  try {
    for (const name of ["ca", "stranger"]) {
      openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", `${name}.key`, "-out", `${name}.pem`, "-subj", `/CN=${name}`, "-days", "2");
    }
    for (const [name, ca] of [["server", "ca"], ["client", "ca"], ["intruder", "stranger"]]) {
      fs.writeFileSync(at(`${name}.ext`), "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
      openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
      openssl("x509", "-req", "-in", `${name}.csr`, "-CA", `${ca}.pem`, "-CAkey", `${ca}.key`, "-CAcreateserial", "-out", `${name}.pem`, "-days", "2", "-extfile", `${name}.ext`);
    }
    fs.writeFileSync(at("token"), "a-token-of-some-length\n");
    Object.assign(d.config.daemon, { listen: ["127.0.0.1:0", `unix://${d.socket}`], tls_cert: at("server.pem"), tls_key: at("server.key"),
      tls_client_ca: at("ca.pem"), token_file: at("token") });
    await d.start();
    const read = name => fs.readFileSync(at(name));
    const target = `127.0.0.1:${d.ports[0]}`;
    const token = text => { const m = new grpc.Metadata(); m.set("authorization", `Bearer ${text}`); return m; };
    const use = async (credentials, metadata) => {
      const client = connect(target, undefined, credentials, metadata);
      try { return await client.GetStatus({}, { deadline: 5000 }); } finally { client.close(); }
    };
    const good = grpc.credentials.createSsl(read("ca.pem"), read("client.key"), read("client.pem"));
    assert.equal((await use(good, token("a-token-of-some-length"))).gpus.length, 1);
    assert.equal((await failure(use(good, token("a-token-of-some-lengtX")))).code, Code.UNAUTHENTICATED);
    assert.equal((await failure(use(good))).code, Code.UNAUTHENTICATED);
    assert.equal((await failure(use(grpc.credentials.createSsl(read("ca.pem")), token("a-token-of-some-length")))).code, Code.UNAVAILABLE);
    assert.equal((await failure(use(grpc.credentials.createSsl(read("ca.pem"), read("intruder.key"), read("intruder.pem")), token("a-token-of-some-length")))).code, Code.UNAVAILABLE);
    assert.equal((await failure(use(grpc.credentials.createInsecure(), token("a-token-of-some-length")))).code, Code.UNAVAILABLE);
    assert.equal((await d.client.GetStatus()).gpus.length, 1, "the unix socket is guarded by its permissions");
    const cli = spawnSync(path.join(bin, "cuzk"), ["status", "-a", `https://${target}`, "--tls-ca", at("ca.pem"), "--tls-cert", at("client.pem"),
      "--tls-key", at("client.key"), "--token-file", at("token"), "--json"], { encoding: "utf8" });
    assert.equal(cli.status, 0, cli.stderr);
    assert.equal(JSON.parse(cli.stdout).gpus.length, 1);
  } finally {
    await d.stop();
    d.remove();
  }
});

test("an address beyond the host needs TLS, a token or allow_insecure", () => {
  const run = (...lines) => {
    const d = new Daemon({});
    fs.writeFileSync(path.join(d.folder, "c.toml"), `[daemon]\n${lines.join("\n")}\n`);
    const r = spawnSync(path.join(bin, "cuzkd"), ["--check-config", "--config", path.join(d.folder, "c.toml")], { encoding: "utf8" });
    d.remove();
    return r;
  };
  assert.equal(run('listen = "0.0.0.0:9820"').status, 78);
  assert.match(run('listen = "0.0.0.0:9820"').stderr, /allow_insecure/);
  assert.equal(run('listen = "0.0.0.0:9820"', "allow_insecure = true").status, 0);
  assert.equal(run('status_listen = "0.0.0.0:9821"').status, 78);
  assert.equal(run('listen = "127.0.0.1:9820"').status, 0);
});

test("one daemon per socket and per port; SIGHUP reloads levels and limits", async () => {
  const d = await new Daemon({ config: { daemon: { listen: ["127.0.0.1:0"] } } }).start();
  try {
    const again = new Daemon({ config: { daemon: { listen: [`127.0.0.1:${d.ports[0]}`] } } });
    const error = await failure(again.start());
    again.remove();
    assert.equal(error.exit.code, 69);
    assert.match(error.log, /already in use/);

    const status = new Daemon({ config: { daemon: { listen: ["127.0.0.1:0"], status_listen: new URL(d.http).host } } });
    const taken = await failure(status.start());
    status.remove();
    assert.equal(taken.exit.code, 69);

    d.config.logging.level = "error";
    d.config.scheduler = { max_queued: 1 };
    d.writeConfig();
    d.signal("SIGHUP");
    const client = connect(`127.0.0.1:${d.ports[0]}`);
    await d.order("hold");
    await until(async () => {
      const r = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(() => client.SubmitProof(request("WINNING_POST", "", "h"))));
      return r.some(x => x.reason?.code === Code.RESOURCE_EXHAUSTED);
    }, "the new limit");
    fs.writeFileSync(path.join(d.folder, "cuzk.toml"), "[daemon]\nnonsense = 1\n");
    d.signal("SIGHUP");
    await until(() => /cuzk.toml:2: daemon.nonsense: unknown key/.test(d.log), "the complaint");
    assert.equal(d.exited, null);
    client.close();
    d.child.stdin.write("release\n");
  } finally {
    await d.stop();
    d.remove();
  }
});
