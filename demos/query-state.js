/**
 * The query demo's state: its limits, its reading (scores, weights, context), its text in a link.
 * State: {score, angle, length, mask, W_a}. Left out: the address bar itself (share.js).
 */
import { attend } from "./attention.js";
import { fromPolar } from "./geometry.js";

export const SCORES = ["dot", "general", "additive"];
export const MAX_LENGTH = 3;
export const MAX_ENTRY = 10;
const IDENTITY = [
  [1, 0],
  [0, 1],
];
const NUMBER = /^-?\d{1,3}(\.\d{1,3})?$/;
const MAX_TEXT = 120;

/** Five states placed by hand: the corners of a convex pentagon, of different lengths. */
export const KEYS = [
  [1.5, 0.3],
  [0.4, 1.4],
  [-1.2, 1.0],
  [-1.3, -0.8],
  [0.6, -1.3],
];

/** Additive parameters by hand, d_a = 4: two units per axis make a bump that is highest where q = h_i. */
export const ADDITIVE = {
  W_q: [
    [1.5, 0],
    [1.5, 0],
    [0, 1.5],
    [0, 1.5],
  ],
  W_k: [
    [-1.5, 0],
    [-1.5, 0],
    [0, -1.5],
    [0, -1.5],
  ],
  b: [1, -1, 1, -1],
  v: [1.5, -1.5, 1.5, -1.5],
};

const round = (value, digits) => Number(value.toFixed(digits)) + 0; // + 0 turns -0 into 0

/** The state with its angle in [0, 360) to 0.1 degree and its length in [0, MAX_LENGTH] to 0.01. */
export function settle(state) {
  const angle = round(((state.angle % 360) + 360) % 360, 1) % 360;
  const length = round(Math.min(MAX_LENGTH, Math.max(0, state.length)), 2);
  return { ...state, angle, length };
}

/** The state a demo starts from when its link says nothing; `given` overrides. */
export function initialState(count, given = {}) {
  const state = { score: "dot", angle: 350, length: 1.4, mask: Array(count).fill(true), W_a: IDENTITY };
  return settle({ ...state, ...given });
}

/** What the demo shows, and what `viewof` gives: {q, scores, weights, context, mask, score}. */
export function readState(state, keys, additive = ADDITIVE) {
  const { score, mask, W_a } = state;
  const q = fromPolar(state.angle, state.length);
  return { q, ...attend({ score, q, keys, mask, W_a, additive }), mask, score };
}

/** The state as text that needs no escaping in a link, such as `general_30_1.2_11110_1_0_0_-1`. */
export function encodeState({ score, angle, length, mask, W_a }) {
  const bits = mask.map((real) => (real ? "1" : "0")).join("");
  const entries = W_a.flat().map((entry) => round(entry, 3));
  const isIdentity = entries.join() === IDENTITY.flat().join();
  return [score, angle, length, bits, ...(isIdentity ? [] : entries)].join("_");
}

function decodeNumber(text, name, low, high) {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (value >= low && value <= high) return value;
  throw new RangeError(`its ${name} is not a number from ${low} to ${high}`);
}

/** The state that `encodeState` wrote, for `count` positions. RangeError with the reason for any other text. */
export function decodeState(text, count) {
  if (text.length > MAX_TEXT) throw new RangeError("it is too long");
  const [score, angle, length, bits, ...entries] = text.split("_");
  if (!SCORES.includes(score)) throw new RangeError("its score is none of dot, general, additive");
  if (bits?.length !== count || /[^01]/.test(bits))
    throw new RangeError(`its mask is not ${count} digits 0 or 1`);
  if (![0, 4].includes(entries.length)) throw new RangeError("its matrix has not 4 entries");
  const numbers = entries.map((entry) => decodeNumber(entry, "matrix entry", -MAX_ENTRY, MAX_ENTRY));
  return settle({
    score,
    angle: decodeNumber(angle, "direction", 0, 360),
    length: decodeNumber(length, "length", 0, MAX_LENGTH),
    mask: [...bits].map((bit) => bit === "1"),
    W_a: numbers.length ? [numbers.slice(0, 2), numbers.slice(2)] : IDENTITY,
  });
}

/** The text under `key` in a fragment such as `#query=…&query2=…`; null when it is not there. */
export function fragmentGet(fragment, key) {
  const part = fragment
    .replace(/^#/, "")
    .split("&")
    .find((item) => item.startsWith(`${key}=`));
  return part === undefined ? null : part.slice(key.length + 1);
}

/** The fragment with `text` under `key`; other keys stay, a plain `#section` makes way. */
export function fragmentSet(fragment, key, text) {
  const parts = fragment.replace(/^#/, "").split("&");
  const others = parts.filter((item) => item.includes("=") && !item.startsWith(`${key}=`));
  return `#${[...others, `${key}=${text}`].join("&")}`;
}
