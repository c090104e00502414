// Starts daemons in folders of their own and talks to them.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import http from "node:http";
import readline from "node:readline";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const root = process.env.CUZK_ROOT ?? path.resolve(path.dirname(new URL(import.meta.url).pathname), "../../..");
export const bin = path.resolve(process.env.CUZK_BIN ?? path.join(root, "build/bin"));
/** Sanitizers keep freed memory, so its amount says nothing. */
export const sanitized = /lib(a|t|ub)san/.test(execFileSync("ldd", [path.join(bin, "cuzkd")], { encoding: "utf8" }));
export const dataFolder = fs.existsSync(path.join(root, "tests/data/sealed-2kib"))
  ? path.join(root, "tests/data/sealed-2kib") : path.resolve(root, "../shared/data/sealed-2kib");

const loaderOptions = { longs: Number, enums: String, defaults: true, includeDirs: [path.join(root, "proto")] };
const load = file => grpc.loadPackageDefinition(loader.loadSync(file, loaderOptions));
export const { cuzk } = load("cuzk.proto");
export const { grpc: health } = load("health.proto");
export const reflection = { v1: load("reflection_v1.proto").grpc.reflection.v1,
  v1alpha: load("reflection_v1alpha.proto").grpc.reflection.v1alpha };
export { grpc };

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Waits until `look` gives something true. */
export async function until(look, what = "condition", patience = 20000) {
  const end = Date.now() + patience;
  for (;;) {
    const value = await look();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited too long for ${what}`);
    await sleep(20);
  }
}

export const limits = { "grpc.max_send_message_length": 300 << 20, "grpc.max_receive_message_length": 300 << 20,
  "grpc.enable_http_proxy": 0 };

/** A client whose calls are promises: client.Prove(request, {deadline ms, signal}). Errors have code and details. */
export function connect(target, Service = cuzk.v1.ProvingEngine, credentials = grpc.credentials.createInsecure(), metadata) {
  const stub = new Service(target, credentials, limits);
  const client = { stub, close: () => stub.close() };
  for (const name of Object.keys(Service.service)) {
    if (Service.service[name].requestStream || Service.service[name].responseStream) continue;
    client[name] = (request = {}, { deadline, started } = {}) => new Promise((resolve, reject) => {
      const options = deadline ? { deadline: Date.now() + deadline } : {};
      const call = stub[name](request, metadata ?? new grpc.Metadata(), options, (error, reply) =>
        error ? reject(error) : resolve(reply));
      started?.(call);
    });
  }
  return client;
}

let counter = 0;

export class Daemon {
  constructor({ program = "cuzkd-stub", config = {}, env = {}, folder } = {}) {
    this.folder = folder ?? fs.mkdtempSync(path.join(os.tmpdir(), "cuzk-interop-"));
    this.program = program;
    this.env = env;
    this.socket = path.join(this.folder, "cuzk.sock");
    this.log = "";
    this.counter = counter++;
    this.config = {
      daemon: { listen: `unix://${this.socket}`, status_listen: "127.0.0.1:0" },
      journal: { dir: path.join(this.folder, "journal") },
      memory: { total_budget: "1GiB" },
      synthesis: { threads: 2 },
      logging: { level: "debug" },
    };
    for (const [section, keys] of Object.entries(config)) Object.assign(this.config[section] ??= {}, keys);
  }

  writeConfig() {
    const file = path.join(this.folder, "cuzk.toml");
    fs.writeFileSync(file, Object.entries(this.config).map(([section, keys]) =>
      `[${section}]\n` + Object.entries(keys).map(([k, v]) => `${k} = ${JSON.stringify(v)}\n`).join("")).join("\n"));
    return file;
  }

  async start() {
    this.exited = null;
    this.log = "";
    this.child = spawn(path.join(bin, this.program), ["--config", this.writeConfig()],
      { env: { ...process.env, ...this.env }, stdio: ["pipe", "pipe", "pipe"] });
    this.child.stderr.on("data", d => { this.log += d; });
    this.end = new Promise(resolve => this.child.on("exit", (code, signal) => resolve(this.exited = { code, signal })));
    this.answers = [];
    readline.createInterface({ input: this.child.stdout }).on("line", line => this.answers.shift()?.(line));
    await until(() => this.exited || /http .*status page|rpc listening(?![\s\S]*status_listen)/.test(this.log) &&
      (!this.config.daemon.status_listen || /status page at/.test(this.log)), "start");
    if (this.exited) throw Object.assign(new Error(`cuzkd ended: ${this.log}`), { exit: this.exited, log: this.log });
    this.http = /status page at (http:\/\/[^/]+)\//.exec(this.log)?.[1];
    this.ports = [...this.log.matchAll(/listening on 127\.0\.0\.1:(\d+)/g)].map(m => Number(m[1]));
    this.client = connect(`unix:${this.socket}`);
    return this;
  }

  /** An order to the stub steps (tests/daemon/stub_daemon.c). */
  order(text) {
    return new Promise(resolve => { this.answers.push(resolve); this.child.stdin.write(text + "\n"); });
  }

  get(url) {
    return new Promise((resolve, reject) => http.get(this.http + url, response => {
      let text = "";
      response.on("data", d => { text += d; }).on("end", () =>
        resolve({ code: response.statusCode, type: response.headers["content-type"], text }));
    }).on("error", reject));
  }
  async status() { return JSON.parse((await this.get("/status")).text); }
  async jobs() { return (await this.status()).jobs; }
  job(id) { return this.jobs().then(jobs => jobs.find(j => j.job_id === id)); }
  async metric(name) {
    const line = (await this.get("/metrics")).text.split("\n").find(l => l.startsWith(name + " "));
    return line === undefined ? undefined : Number(line.slice(name.length + 1));
  }
  memory() { return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${this.child.pid}/status`, "utf8"))[1]) * 1024; }

  signal(name) { this.child.kill(name); }
  async stop(name = "SIGTERM") {
    this.client?.close();
    if (this.exited) return this.exited;
    this.signal(name);
    const late = setTimeout(() => this.child.kill("SIGKILL"), 20000);
    const result = await this.end;
    clearTimeout(late);
    return result;
  }
  remove() { fs.rmSync(this.folder, { recursive: true, force: true }); }
}

/** Runs `body` with a daemon and ends it in any case. */
export function withDaemon(options, body) {
  return async t => {
    const daemon = await new Daemon(options).start();
    try {
      await body(daemon, t);
    } catch (error) {
      process.stderr.write(`---- log of the daemon ----\n${daemon.log.slice(-4000)}\n`);
      throw error;
    } finally {
      if (!daemon.exited) {
        daemon.child.stdin?.writable && daemon.child.stdin.write("release\nrelease-load\n");
        const end = await daemon.stop("SIGINT");
        assert.equal(end.code, 0, `the daemon's end: ${JSON.stringify(end)} ${daemon.log.slice(-3000)}`);
      }
      daemon.remove();
    }
  };
}

/** A request to the stub steps: `name` decides the proof. */
export function request(kind, id, name, more = {}) {
  return { requestId: id, proofKind: kind, sectorSize: 2048, randomness: Buffer.from(name), ...more };
}

/** The proof that the stub makes for it. */
export function stubProof(name, partitions = 1) {
  return Buffer.concat(Array.from({ length: partitions }, (_, k) => {
    const p = Buffer.alloc(192);
    p.write(name, 1);
    p.writeUInt32LE(k, 33);
    return p;
  }));
}
