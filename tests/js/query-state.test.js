/** The demo's state: limits, the text in a link, and fragments that others wrote. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { convexHull, fromPolar, insideHull, toPolar } from "../../demos/geometry.js";
import {
  ADDITIVE,
  decodeState,
  encodeState,
  fragmentGet,
  fragmentSet,
  initialState,
  KEYS,
  MAX_LENGTH,
  readState,
  SCORES,
  settle,
} from "../../demos/query-state.js";

const W_a = [
  [0.5, -2],
  [10, 0.125],
];

test("the five states are the corners of a convex pentagon", () => {
  assert.equal(convexHull(KEYS).length, 5);
});

test("polar coordinates there and back", () => {
  for (const angle of [0, 45, 90, 179.5, 180, 270, 359]) {
    const back = toPolar(fromPolar(angle, 1.7));
    assert.ok(Math.abs(back.angle - angle) < 1e-9 && Math.abs(back.length - 1.7) < 1e-9);
  }
  assert.deepEqual(toPolar([0, 0]), { angle: 0, length: 0 });
});

test("hulls of few or equal points", () => {
  assert.equal(insideHull([0, 0], []), false);
  assert.equal(insideHull([1, 1], [[1, 1]]), true);
  assert.equal(
    insideHull(
      [0.5, 0.5],
      [
        [0, 0],
        [1, 1],
      ],
    ),
    true,
  );
  assert.equal(
    insideHull(
      [0.5, 0.6],
      [
        [0, 0],
        [1, 1],
      ],
    ),
    false,
  );
  assert.equal(
    insideHull(
      [2, 0],
      [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
    ),
    false,
  );
  assert.equal(
    insideHull(
      [1, 1],
      [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    ),
    true,
  );
});

test("settling wraps the angle and clamps the length", () => {
  const from = (angle, length) => settle({ ...initialState(5), angle, length });
  assert.equal(from(-10, 1).angle, 350);
  assert.equal(from(360, 1).angle, 0);
  assert.equal(from(359.99, 1).angle, 0);
  assert.equal(from(725, 1).angle, 5);
  assert.equal(from(0, 99).length, MAX_LENGTH);
  assert.equal(from(0, -1).length, 0);
});

test("encode and decode are inverse for every score, many masks and matrices", () => {
  for (const score of SCORES) {
    for (const bits of ["11111", "00000", "10110"]) {
      for (const matrix of [undefined, W_a]) {
        const mask = [...bits].map((bit) => bit === "1");
        const given = { score, angle: 123.4, length: 0.37, mask, ...(matrix && { W_a: matrix }) };
        const state = initialState(5, given);
        const text = encodeState(state);
        assert.deepEqual(decodeState(text, 5), state);
        assert.match(text, /^[\w.-]+$/); // nothing that a link would have to escape
      }
    }
  }
});

const hostile = [
  ["", "score"],
  ["dot", "mask"],
  ["dot_1_1", "mask"],
  ["constructor_1_1_11111", "score"],
  ["dot_1_1_1111", "mask"],
  ["dot_1_1_111111", "mask"],
  ["dot_1_1_11112", "mask"],
  ["dot_361_1_11111", "direction"],
  ["dot_-1_1_11111", "direction"],
  ["dot_NaN_1_11111", "direction"],
  ["dot_1e2_1_11111", "direction"],
  ["dot_0x10_1_11111", "direction"],
  ["dot__1_11111", "direction"],
  ["dot_1_Infinity_11111", "length"],
  ["dot_1_3.01_11111", "length"],
  ["dot_1_1_11111_1", "matrix"],
  ["dot_1_1_11111_1_0_0", "matrix"],
  ["dot_1_1_11111_1_0_0_1_1", "matrix"],
  ["general_1_1_11111_1_0_0_99", "matrix entry"],
  ["general_1_1_11111_1_0_0_x", "matrix entry"],
  ["<script>alert(1)</script>", "score"],
  ["dot_1_1_11111%00", "mask"],
  [`dot_1_1_${"1".repeat(5000)}`, "too long"],
];
for (const [text, reason] of hostile) {
  test(`a bad link is refused with its reason: ${text.slice(0, 30)}`, () => {
    assert.throws(
      () => decodeState(text, 5),
      (error) => error instanceof RangeError && error.message.includes(reason),
    );
  });
}

test("the fragment keeps other keys, gives way to none, and leaves anchors alone", () => {
  assert.equal(fragmentGet("#sec-attention", "query"), null);
  assert.equal(fragmentGet("", "query"), null);
  assert.equal(fragmentGet("#query", "query"), null);
  assert.equal(fragmentGet("#query=a", "query"), "a");
  assert.equal(fragmentGet("#query2=b&query=a", "query"), "a");
  assert.equal(fragmentSet("#sec-attention", "query", "a"), "#query=a");
  assert.equal(fragmentSet("#query=a&query2=b", "query", "c"), "#query2=b&query=c");
  assert.equal(fragmentSet("", "query", "a"), "#query=a");
});

test("a longer query makes dot weights more peaked; the additive score stays bounded", () => {
  const top = (given) => Math.max(...readState(initialState(5, given), KEYS).weights);
  assert.ok(top({ length: 2.8 }) > top({ length: 1.4 }));
  const bound = ADDITIVE.v.reduce((sum, value) => sum + Math.abs(value), 0);
  const { scores } = readState(initialState(5, { score: "additive", length: 3 }), KEYS);
  assert.ok(scores.every((score) => Math.abs(score) <= bound));
});
