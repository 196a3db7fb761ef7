/** demos/attention.js against the golden cases that torch and numpy share; tolerance 1e-6 relative and absolute. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { attend, combine } from "../../demos/attention.js";

const TOLERANCE = 1e-6;
const golden = JSON.parse(readFileSync(new URL("../golden/attention.json", import.meta.url), "utf8"));

function assertClose(found, expected, what) {
  if (Array.isArray(expected)) {
    assert.equal(found.length, expected.length, what);
    for (const [i, value] of expected.entries()) assertClose(found[i], value, `${what}[${i}]`);
    return;
  }
  const apart = Math.abs(found - expected);
  assert.ok(apart <= TOLERANCE * (1 + Math.abs(expected)), `${what}: ${found}, expected ${expected}`);
}

for (const { name, score, queries, keys, mask, parameters, ...answers } of golden.cases) {
  test(`golden: ${name}`, () => {
    for (const [b, rows] of queries.entries()) {
      for (const [t, q] of rows.entries()) {
        const step = { score, q, keys: keys[b], mask: mask[b], W_a: parameters.W_a, additive: parameters };
        const reading = attend(step);
        for (const part of ["scores", "weights", "context"]) {
          assertClose(reading[part], answers[part][b][t], `${part}[${b}][${t}]`);
        }
      }
    }
  });
}

test("golden: combination layer", () => {
  assert.ok(golden.combinations.length > 0);
  for (const { s, context, W_c, b_c, combined } of golden.combinations) {
    assertClose(combine(s, context, W_c, b_c), combined, "combined");
  }
});
