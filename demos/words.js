/** Numbers and sentences for the query demo. No drawing. */

/** h with a subscript: stateName(0) is "h₁". */
export const stateName = (i) => `h${[...String(i + 1)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]).join("")}`;

/** A number with two digits and a true minus sign; -0.00 is 0.00. */
export function fixed(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** A weight with two digits, never rounded to a 0 or a 1 that it is not. */
export function weightText(weight) {
  if (weight > 0 && weight < 0.005) return "<\u00a00.01";
  if (weight < 1 && weight >= 0.995) return ">\u00a00.99";
  return weight.toFixed(2);
}

/** A point as text, such as (0.25, −1.00). */
export const pointText = (point) => `(${point.map((value) => fixed(value)).join(", ")})`;

/** Index of the largest weight, the first of equals; -1 when all are 0. */
export const largest = (weights) => (Math.max(...weights) > 0 ? weights.indexOf(Math.max(...weights)) : -1);

/** The reading in words, for the live region. */
export function describe({ weights, context, mask }) {
  if (!mask.includes(true)) {
    return "Every position is padding: all weights are 0, and the context is (0.00, 0.00). Nothing is read.";
  }
  const order = weights.map((_, i) => i).filter((i) => mask[i]);
  order.sort((a, b) => weights[b] - weights[a]);
  const parts = order.map((i) => `${stateName(i)} ${weightText(weights[i])}`);
  const padding = mask.flatMap((real, i) => (real ? [] : [stateName(i)]));
  const rest = padding.length ? ` Padding, never read: ${padding.join(", ")}.` : "";
  return `Weights: ${parts.join(", ")}. Context ${pointText(context)}.${rest}`;
}

/** The handle's value in words, for aria-valuetext. */
export function describeQuery({ angle, length }, { weights }) {
  const top = largest(weights);
  const most =
    top < 0 ? "no weight anywhere" : `most weight on ${stateName(top)}, ${weightText(weights[top])}`;
  return `direction ${angle.toFixed(0)} degrees, length ${length.toFixed(2)}; ${most}`;
}
