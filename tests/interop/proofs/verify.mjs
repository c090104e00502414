// Verifies cuzk's proofs with @noble/curves: from the bytes of the .vk files and of the proofs, and the public inputs
// that Filecoin's own code computed (tests/data/groth16/proofs.json).
//
//     node verify.mjs FOLDER      FOLDER has CIRCUIT.vk and TAG.bin (made by scripts/test-interop.sh)
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bls12_381 as bls } from "@noble/curves/bls12-381";

const { G1, G2 } = bls;
const { Fr, Fp12 } = bls.fields;
const folder = process.argv[2];
const data = fileURLToPath(new URL("../../data/groth16/proofs.json", import.meta.url));

/** Points one after the other from bytes; each is checked to be on its curve and in the subgroup. */
function reader(bytes) {
  let at = 0;
  const take = n => {
    if (at + n > bytes.length) throw new Error(`${n} bytes expected at ${at}, ${bytes.length - at} left`);
    return bytes.subarray(at, (at += n));
  };
  const point = (group, size) => {
    const p = group.Point.fromHex(take(size));
    p.assertValidity();
    if (p.is0()) throw new Error(`infinity before byte ${at}`);
    return p;
  };
  return {
    g1: size => point(G1, size),
    g2: size => point(G2, size),
    number: () => take(4).readUInt32BE(),
    finish: () => { if (at !== bytes.length) throw new Error(`${bytes.length - at} bytes too many`); },
  };
}

function readKey(bytes) {
  const r = reader(bytes);
  const key = { alpha: r.g1(96), betaG1: r.g1(96), beta: r.g2(192), gamma: r.g2(192), deltaG1: r.g1(96),
    delta: r.g2(192) };
  key.ic = Array.from({ length: r.number() }, () => r.g1(96));
  r.finish();
  return key;
}

function readProof(bytes) {
  const r = reader(bytes);
  const proof = { a: r.g1(48), b: r.g2(96), c: r.g1(48) };
  r.finish();
  return proof;
}

const scalar = hex => BigInt("0x" + Buffer.from(hex, "hex").reverse().toString("hex"));

/** e(A, B) = e(alpha, beta) · e(Σ xᵢ·icᵢ, gamma) · e(C, delta) */
function verify(key, proof, inputs) {
  if (inputs.length + 1 !== key.ic.length) throw new Error(`${key.ic.length - 1} public inputs expected`);
  const sum = inputs.reduce((s, x, i) => x === 0n ? s : s.add(key.ic[i + 1].multiply(x)), key.ic[0]);
  const product = bls.pairingBatch([
    { g1: proof.a, g2: proof.b },
    { g1: key.alpha.negate(), g2: key.beta },
    { g1: sum.negate(), g2: key.gamma },
    { g1: proof.c.negate(), g2: key.delta },
  ]);
  return Fp12.eql(product, Fp12.ONE);
}

let passed = 0, failed = 0;
function check(what, expected, look) {
  let found;
  try {
    found = look();
  } catch (e) {
    found = e.message;
  }
  const good = found === expected;
  console.log(`${good ? "ok    " : "FAILED"}  ${what}${good ? "" : `: ${found}, ${expected} expected`}`);
  if (good) passed++;
  else failed++;
}

const cases = JSON.parse(readFileSync(data, "utf8"));
const proofs = new Map();
for (const c of cases) {
  const key = readKey(readFileSync(path.join(folder, `${c.circuit}.vk`)));
  const proof = readProof(readFileSync(path.join(folder, `${c.tag}.bin`)));
  const inputs = c.inputs.map(scalar);
  check(`${c.tag}: the proof holds`, true, () => verify(key, proof, inputs));

  const other = inputs.slice();
  const last = other.length - 1;
  other[last] = Fr.add(other[last], 1n);
  check(`${c.tag}: not for another public input`, false, () => verify(key, proof, other));
  check(`${c.tag}: not with A negated`, false, () => verify(key, { ...proof, a: proof.a.negate() }, inputs));
  check(`${c.tag}: bellperson's proof holds, too`, true,
    () => verify(key, readProof(Buffer.from(c.proof, "hex")), inputs));
  const same = proofs.get(c.circuit);
  if (same) check(`${c.tag}: another sector's proof does not`, false, () => verify(key, same, inputs));
  proofs.set(c.circuit, proof);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
