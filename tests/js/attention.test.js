/** Properties of one attention step that hold for any numbers, and the errors for wrong shapes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  additiveScores,
  attend,
  combine,
  contextVector,
  dotScores,
  generalScores,
  maskedSoftmax,
  matrixVector,
  transpose,
} from "../../demos/attention.js";
import { insideHull } from "../../demos/geometry.js";

/** Numbers in [-scale, scale) from a fixed seed (mulberry32). */
function numbers(seed, scale = 3) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * 2 * scale - scale;
  };
}
const many = (n, next) => Array.from({ length: n }, next);
const sum = (values) => values.reduce((a, b) => a + b, 0);
const close = (a, b, tolerance = 1e-12) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

/** 60 steps with 1 to 6 positions in two dimensions, at least one of them real. */
function* steps() {
  const next = numbers(11);
  for (let i = 0; i < 60; i++) {
    const S = 1 + (i % 6);
    const mask = many(S, () => next() > -1);
    mask[i % S] = true;
    yield { q: many(2, next), keys: many(S, () => many(2, next)), mask };
  }
}

test("weights are positive at real positions, exactly 0 at padding, and sum to one", () => {
  for (const step of steps()) {
    const { weights } = attend(step);
    close(sum(weights), 1);
    weights.forEach((weight, i) => {
      assert.equal(weight > 0, step.mask[i]);
    });
  }
});

test("what padding holds never matters, not even NaN or infinity", () => {
  for (const step of steps()) {
    const before = attend(step);
    for (const filler of [1e9, Number.NaN, Number.POSITIVE_INFINITY]) {
      const keys = step.keys.map((key, i) => (step.mask[i] ? key : [filler, -filler]));
      const after = attend({ ...step, keys });
      assert.deepEqual(after.weights, before.weights);
      assert.deepEqual(after.context, before.context);
    }
  }
});

test("permuting the positions permutes the weights and leaves the context", () => {
  for (const { q, keys, mask } of steps()) {
    const before = attend({ q, keys, mask });
    const after = attend({ q, keys: keys.toReversed(), mask: mask.toReversed() });
    after.weights.toReversed().forEach((weight, i) => {
      close(weight, before.weights[i]);
    });
    after.context.forEach((value, j) => {
      close(value, before.context[j]);
    });
  }
});

test("a constant added to all scores changes no weight", () => {
  const scores = [2, -1, 0.5, 7];
  const mask = [true, true, false, true];
  const before = maskedSoftmax(scores, mask);
  for (const shift of [-700, 3, 1e6]) {
    const after = maskedSoftmax(
      scores.map((score) => score + shift),
      mask,
    );
    after.forEach((weight, i) => {
      close(weight, before[i], 1e-9);
    });
  }
});

test("the context lies in the hull of the real states", () => {
  for (const step of steps()) {
    const real = step.keys.filter((_, i) => step.mask[i]);
    assert.ok(insideHull(attend(step).context, real, 1e-9));
  }
});

test("a row without a real position reads nothing", () => {
  const keys = [
    [1, 2],
    [Number.NaN, 4],
  ];
  const { weights, context } = attend({ q: [1, 0], keys, mask: [false, false] });
  assert.deepEqual(weights, [0, 0]);
  assert.deepEqual(context, [0, 0]);
});

test("the general score with the identity is the dot product", () => {
  const W_a = [
    [1, 0],
    [0, 1],
  ];
  for (const { q, keys } of steps()) assert.deepEqual(generalScores(q, keys, W_a), dotScores(q, keys));
});

test("the general score is the dot product with the query that W_a transposed turns", () => {
  const W_a = [
    [0.5, -2, 1],
    [3, 0, -1],
  ];
  const q = [1.5, -0.25];
  const keys = [
    [1, 2, 3],
    [-1, 0.5, 2],
  ];
  const turned = dotScores(matrixVector(transpose(W_a), q), keys);
  generalScores(q, keys, W_a).forEach((score, i) => {
    close(score, turned[i]);
  });
});

test("the additive score by hand, and a missing bias is a bias of 0", () => {
  const one = [[1]];
  const parameters = { W_q: one, W_k: one, v: [2] };
  const scores = additiveScores([0.5], [[0], [1]], parameters);
  close(scores[0], 2 * Math.tanh(0.5));
  close(scores[1], 2 * Math.tanh(1.5));
  assert.deepEqual(additiveScores([0.5], [[0], [1]], { ...parameters, b: [0] }), scores);
});

const keys = [
  [1, 0],
  [0, 1],
];
const all = [true, true];
const wrong = {
  "keys of another width": [
    () => dotScores([1, 2, 3], keys),
    RangeError,
    /keys\[0\] has 2 entries, expected 3/,
  ],
  "ragged keys": [() => dotScores([1, 2], [[1, 2], [1]]), RangeError, /keys\[1\] has 1/],
  "no keys": [() => dotScores([1, 2], []), RangeError, /keys has 0 rows/],
  "no query": [() => dotScores(undefined, keys), TypeError, /q must be an array/],
  "a query of text": [() => dotScores(["1", "2"], keys), TypeError, /q must be an array of numbers/],
  "keys that are one vector": [() => dotScores([1, 2], [1, 2]), TypeError, /keys\[0\] must be/],
  "W_a of another shape": [
    () => generalScores([1, 2], keys, [[1, 0]]),
    RangeError,
    /W_a has 1 rows, expected 2/,
  ],
  "W_q too short": [
    () => additiveScores([1, 2], keys, { W_q: [[1, 0]], W_k: keys, v: [1, 1] }),
    RangeError,
    /W_q has 1 rows, expected 2/,
  ],
  "b of another length": [
    () => additiveScores([1, 2], keys, { W_q: keys, W_k: keys, v: [1, 1], b: [0] }),
    RangeError,
    /b has 1/,
  ],
  "a mask of numbers": [() => maskedSoftmax([1, 2], [1, 0]), TypeError, /array of booleans/],
  "a mask too long": [
    () => maskedSoftmax([1, 2], [true, true, true]),
    RangeError,
    /mask has 3 entries for 2/,
  ],
  "an infinite score": [() => maskedSoftmax([1, Infinity], all), RangeError, /score 1 is Infinity/],
  "a score that is not a number": [() => maskedSoftmax([Number.NaN, 1], all), RangeError, /score 0 is NaN/],
  "another score": [
    () => attend({ score: "cosine", q: [1, 0], keys, mask: all }),
    RangeError,
    /"cosine"; choose/,
  ],
  "an inherited name as score": [
    () => attend({ score: "constructor", q: [1, 0], keys, mask: all }),
    RangeError,
    /choose/,
  ],
  "weights too few": [() => contextVector([1], keys), RangeError, /keys has 2 rows, expected 1/],
  "W_c too narrow": [() => combine([1], [1], [[1]], [0]), RangeError, /W_c\[0\] has 1/],
};
for (const [name, [call, type, message]] of Object.entries(wrong)) {
  test(`error: ${name}`, () => {
    assert.throws(call, (error) => error instanceof type && message.test(error.message));
  });
}
