/**
 * One attention step on plain arrays: score, masked softmax, context, combination layer.
 *
 * Letters: S source positions, d_q width of the query, d_k width of a key, d_a attention size.
 * A mask holds booleans, true = real position. Keys serve as values too (k_i = v_i = h_i).
 * Left out: batches (call once per query), gradients, and everything to do with drawing.
 */

/** Throw unless `x` is an array of `length` numbers; `length` undefined accepts any but 0. */
function checkVector(name, x, length) {
  if (!Array.isArray(x) || x.some((value) => typeof value !== "number")) {
    throw new TypeError(`${name} must be an array of numbers; convert it before the call.`);
  }
  if (length === undefined ? x.length === 0 : x.length !== length) {
    throw new RangeError(
      `${name} has ${x.length} entries, expected ${length ?? "at least 1"}; check its shape.`,
    );
  }
}

/** Throw unless `M` is an array of `rows` vectors of `columns` numbers (undefined = any, but not 0). */
function checkMatrix(name, M, rows, columns) {
  if (!Array.isArray(M)) {
    throw new TypeError(`${name} must be an array of rows; wrap a single row in brackets.`);
  }
  if (rows === undefined ? M.length === 0 : M.length !== rows) {
    throw new RangeError(`${name} has ${M.length} rows, expected ${rows ?? "at least 1"}; check its shape.`);
  }
  for (const [i, row] of M.entries()) checkVector(`${name}[${i}]`, row, columns ?? M[0].length);
}

/** Throw unless `mask` is an array of `length` booleans, true = real position. */
function checkMask(mask, length) {
  if (!Array.isArray(mask) || mask.some((real) => typeof real !== "boolean")) {
    throw new TypeError(
      "mask must be an array of booleans, true = real position; compare numbers with 1 first.",
    );
  }
  if (mask.length !== length) {
    throw new RangeError(`mask has ${mask.length} entries for ${length} positions; give one per position.`);
  }
}

const innerProduct = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** M x for M [rows, columns] and x [columns]: [rows]. */
export function matrixVector(M, x) {
  checkVector("x", x);
  checkMatrix("M", M, undefined, x.length);
  return M.map((row) => innerProduct(row, x));
}

/** M transposed, [rows, columns] to [columns, rows]. */
export function transpose(M) {
  checkMatrix("M", M);
  return M[0].map((_, j) => M.map((row) => row[j]));
}

/**
 * Dot-product scores q . k_i (Luong et al., 2015).
 * q [d], keys [S, d]: scores [S]. RangeError when the widths differ.
 */
export function dotScores(q, keys) {
  checkVector("q", q);
  checkMatrix("keys", keys, undefined, q.length);
  return keys.map((key) => innerProduct(q, key));
}

/**
 * General (bilinear) scores q . W_a k_i (Luong et al., 2015); W_a = I gives the dot product.
 * q [d_q], keys [S, d_k], W_a [d_q, d_k]: scores [S]. RangeError when a shape does not fit.
 */
export function generalScores(q, keys, W_a) {
  checkVector("q", q);
  checkMatrix("keys", keys);
  checkMatrix("W_a", W_a, q.length, keys[0].length);
  return keys.map((key) => innerProduct(q, matrixVector(W_a, key)));
}

/**
 * Additive scores v . tanh(W_q q + W_k k_i + b) (Bahdanau et al., 2015; Lab 4 writes u for v and has no b).
 * q [d_q], keys [S, d_k], W_q [d_a, d_q], W_k [d_a, d_k], v [d_a], b [d_a] or left out for 0: scores [S].
 * RangeError when a shape does not fit.
 */
export function additiveScores(q, keys, { W_q, W_k, v, b }) {
  checkVector("q", q);
  checkMatrix("keys", keys);
  checkVector("v", v);
  checkMatrix("W_q", W_q, v.length, q.length);
  checkMatrix("W_k", W_k, v.length, keys[0].length);
  if (b !== undefined) checkVector("b", b, v.length);
  const fromQuery = matrixVector(W_q, q).map((value, a) => value + (b?.[a] ?? 0)); // [d_a], once for all keys
  return keys.map((key) => {
    const fromKey = matrixVector(W_k, key); // [d_a]
    return innerProduct(
      v,
      fromKey.map((value, a) => Math.tanh(fromQuery[a] + value)),
    );
  });
}

/**
 * Softmax over the real positions: alpha_i = exp(e_i) / sum_j exp(e_j), exactly 0 at padding.
 * scores [S], mask [S]: weights [S]. Without any real position every weight is 0.
 * Scores at padding are never read. RangeError when the score of a real position is not finite.
 */
export function maskedSoftmax(scores, mask) {
  checkVector("scores", scores);
  checkMask(mask, scores.length);
  const bad = scores.findIndex((score, i) => mask[i] && !Number.isFinite(score));
  if (bad >= 0) {
    throw new RangeError(
      `score ${bad} is ${scores[bad]}, but real positions need finite scores; check q and keys.`,
    );
  }
  const masked = scores.map((score, i) => (mask[i] ? score : -Infinity));
  const top = Math.max(...masked);
  if (top === -Infinity) return masked.map(() => 0);
  const exps = masked.map((score) => Math.exp(score - top));
  const total = exps.reduce((a, b) => a + b, 0);
  return exps.map((value) => value / total);
}

/**
 * Context vector sum_i alpha_i k_i. weights [S], keys [S, d_k]: [d_k].
 * A position of weight 0 is skipped, so whatever padding holds (even NaN) cannot reach the result.
 */
export function contextVector(weights, keys) {
  checkVector("weights", weights);
  checkMatrix("keys", keys, weights.length);
  return keys[0].map((_, j) =>
    keys.reduce((sum, key, i) => (weights[i] ? sum + weights[i] * key[j] : sum), 0),
  );
}

/**
 * The whole step. score is "dot", "general" (needs W_a) or "additive" (needs additive: {W_q, W_k, v, b}).
 * Returns {scores [S], weights [S], context [d_k]}; the scores are those before the mask.
 * RangeError for another score, and whatever the parts raise.
 */
export function attend({ score = "dot", q, keys, mask, W_a, additive }) {
  const scoreFunctions = {
    dot: () => dotScores(q, keys),
    general: () => generalScores(q, keys, W_a),
    additive: () => additiveScores(q, keys, additive),
  };
  if (!Object.hasOwn(scoreFunctions, score)) {
    throw new RangeError(`score is "${score}"; choose "dot", "general" or "additive".`);
  }
  const scores = scoreFunctions[score]();
  const weights = maskedSoftmax(scores, mask);
  return { scores, weights, context: contextVector(weights, keys) };
}

/**
 * Combination layer tanh(W_c [s; context] + b_c), the attentional state (Luong et al., 2015).
 * s [d_h], context [d_k], W_c [d_out, d_h + d_k], b_c [d_out]: [d_out].
 */
export function combine(s, context, W_c, b_c) {
  checkVector("s", s);
  checkVector("context", context);
  checkMatrix("W_c", W_c, undefined, s.length + context.length);
  checkVector("b_c", b_c, W_c.length);
  return matrixVector(W_c, [...s, ...context]).map((value, i) => Math.tanh(value + b_c[i]));
}
