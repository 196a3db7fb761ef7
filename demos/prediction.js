/**
 * "Predict, then look": what happens to the weights when the query doubles its length?
 * The answer comes from what the demo then shows, whatever the score. Nothing waits for a guess.
 */
import { makeChoice } from "./choice.js";
import { html, setText } from "./dom.js";
import { largest, stateName, weightText } from "./words.js";

export const GUESSES = { peaked: "more peaked", flatter: "flatter", same: "the same" };
const SAME = 0.005; // a change of the largest weight that two printed digits hardly show
const DOUBLED = "Twice the length doubles every score, so the gaps between the scores double too.";
const WHY = {
  dot: DOUBLED,
  general: DOUBLED,
  additive: "This score is bounded, because tanh levels off: a longer query need not widen the gaps.",
};

/** "peaked", "flatter" or "same", by the largest weight before and after. */
export function compare(before, after) {
  const change = Math.max(...after) - Math.max(...before);
  if (Math.abs(change) < SAME) return "same";
  return change > 0 ? "peaked" : "flatter";
}

/** Has the query doubled its length without turning? `from` and `to` are {angle, length}. */
export function hasDoubled(from, to) {
  const apart = Math.abs(((to.angle - from.angle + 540) % 360) - 180);
  return apart <= 6 && to.length >= 1.9 * from.length;
}

/** The sentences that meet a guess with what was seen. */
export function verdict(guess, before, after, score) {
  const outcome = compare(before, after);
  const opening =
    guess === outcome
      ? `Right: ${GUESSES[outcome]}.`
      : `You said ${GUESSES[guess]}; they became ${GUESSES[outcome]}.`;
  const [low, high] = [before, after].map((weights) => weightText(Math.max(...weights)));
  const where = largest(before) === largest(after) ? "" : `, now on ${stateName(largest(after))}`;
  return `${opening} The largest weight went from ${low} to ${high}${where}. ${WHY[score]}`;
}

/**
 * {node, update(state, reading), goal()}. `from` {angle, length} is the query to double, `weightsAt(query)` gives the
 * weights there under the score and mask of the moment, `go(query)` moves the query for a reader who asks.
 */
export function makePrediction(from, weightsAt, go) {
  const goal = { angle: from.angle, length: 2 * from.length };
  let guess = null;
  let open = false; // a guess waits for its answer
  let score = null;
  const question = "Predict first: give the query twice its length, same direction. The weights become …";
  const choice = makeChoice(question, GUESSES, choose);
  const button = html(
    "button",
    { type: "button", hidden: true, onclick: () => go(goal) },
    "double it for me",
  );
  const text = html("span", { role: "status" }, "Choose one, then look; or skip this and drag.");
  const node = html(
    "div",
    { class: "qd-prediction" },
    choice.node,
    html("p", { class: "qd-verdict" }, text, button),
  );

  function say(words, waiting) {
    open = waiting;
    button.hidden = !waiting;
    setText(text, words);
  }
  function choose(value) {
    guess = value;
    go(from);
    say("Now pull the tip out to the dotted ring, or ", true);
  }
  function update(state, { mask, weights }) {
    if (state.score !== score) {
      if (guess !== null) say("Another score: predict again.", false);
      guess = null;
      choice.select(null);
      score = state.score;
    }
    if (!open || !mask.includes(true) || !hasDoubled(from, state)) return;
    say(verdict(guess, weightsAt(from), weights, score), false);
  }
  return { node, update, goal: () => (open ? goal : null) };
}
