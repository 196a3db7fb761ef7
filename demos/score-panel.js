/** The choice of the score, its formula and its parameters: a matrix to edit (general) or to read (additive). */
import { makeChoice } from "./choice.js";
import { html, markup } from "./dom.js";
import { makeMatrixEditor } from "./matrix-editor.js";
import { SCORES } from "./query-state.js";
import { fixed } from "./words.js";

const FORMULAS = {
  dot: "<mi>q</mi><mo>·</mo><msub><mi>h</mi><mi>i</mi></msub>",
  general: "<mi>q</mi><mo>·</mo><msub><mi>W</mi><mi>a</mi></msub><msub><mi>h</mi><mi>i</mi></msub>",
  additive:
    "<mi>v</mi><mo>·</mo><mi>tanh</mi><mo>(</mo><msub><mi>W</mi><mi>q</mi></msub><mi>q</mi><mo>+</mo>" +
    "<msub><mi>W</mi><mi>k</mi></msub><msub><mi>h</mi><mi>i</mi></msub><mo>+</mo><mi>b</mi><mo>)</mo>",
};
const NAMES = { dot: "dot product", general: "general", additive: "additive" };
/** A matrix (or a vector, as a column) to read. */
function matrixView(name, subscript, rows) {
  const cells = rows.flat().map((value) => html("span", {}, fixed(value, 1)));
  const columns = rows[0].length ?? 1;
  const label = subscript ? `<msub><mi>${name}</mi><mi>${subscript}</mi></msub>` : `<mi>${name}</mi>`;
  const text = rows.map((row) => [row].flat().join(", ")).join("; ");
  const grid = html("span", { class: `qd-matrix qd-columns-${columns}`, "aria-hidden": "true" }, ...cells);
  const spoken = html("span", { class: "qd-unseen" }, `${text}.`);
  return html("span", { class: "qd-one" }, markup(`<math>${label}<mo>=</mo></math>`), grid, spoken);
}

function additiveView({ W_q, W_k, b, v }) {
  const views = [
    matrixView("W", "q", W_q),
    matrixView("W", "k", W_k),
    ...(b ? [matrixView("b", "", b)] : []),
    matrixView("v", "", v),
  ];
  const note =
    "Set by hand, attention size 4. Two hidden units per dimension make the score highest where q lies on the state, " +
    "and tanh keeps it bounded: far from all states the scores are nearly equal.";
  return html(
    "div",
    { class: "qd-details" },
    html("div", { class: "qd-parameters" }, ...views),
    html("p", { class: "qd-note" }, note),
  );
}

function generalView(editor) {
  const note = html("p", { class: "qd-note" }, "The dashed arrow is ");
  const turned = "<math><msup><msub><mi>W</mi><mi>a</mi></msub><mo>⊤</mo></msup><mi>q</mi></math>";
  note.append(
    markup(turned),
    ", the query as the states meet it: their dot products with that arrow are the scores.",
  );
  return html("div", { class: "qd-details" }, editor.node, note);
}

/** {node, update(state), clear()}; `change` hears {score} and {W_a}. */
export function makeScorePanel(additive, change) {
  const choice = makeChoice("Score", NAMES, (score) => change({ score }), "qd-inline");
  const formulas = SCORES.map((score) => {
    const left =
      "<mi>score</mi><mo>(</mo><mi>q</mi><mo>,</mo><msub><mi>h</mi><mi>i</mi></msub><mo>)</mo><mo>=</mo>";
    return html("p", { class: "qd-formula" }, markup(`<math>${left}${FORMULAS[score]}</math>`));
  });
  const editor = makeMatrixEditor((values) => change({ W_a: [values.slice(0, 2), values.slice(2)] }));
  const details = {
    dot: html("div", { hidden: true }),
    general: generalView(editor),
    additive: additiveView(additive),
  };
  const node = html("div", { class: "qd-scores" }, choice.node, ...formulas, ...Object.values(details));
  let shown = null;
  function update({ score, W_a }) {
    editor.show(W_a.flat());
    if (score === shown) return;
    shown = score;
    choice.select(score);
    SCORES.forEach((item, i) => {
      formulas[i].hidden = item !== score;
      details[item].hidden = item !== score;
    });
  }
  return { node, update, clear: editor.clear };
}
