/** A 2×2 matrix that the reader edits: a bad entry gets a message, and the last good matrix stays in use. */
import { html, markup, setText, uniqueId } from "./dom.js";
import { MAX_ENTRY } from "./query-state.js";
import { fixed } from "./words.js";

const ENTRIES = ["row 1, column 1", "row 1, column 2", "row 2, column 1", "row 2, column 2"];
const PRESETS = {
  identity: [1, 0, 0, 1],
  "quarter turn": [0, 1, -1, 0],
  "first dimension only": [1, 0, 0, 0],
};

/** The number a reader typed; NaN when it is none. A comma and a true minus sign are fine. */
export function parseEntry(text) {
  const plain = text.trim().replace("−", "-").replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
}

const entryText = (value) => fixed(value, 3).replace(/\.?0+$/, "");
const isBad = (value) => !(Math.abs(value) <= MAX_ENTRY);

/** {node, show(values), clear()} for W_a; `hear(values)` gets four good numbers, row by row. */
export function makeMatrixEditor(hear) {
  const message = html("p", { class: "qd-message", id: uniqueId("qd-message"), role: "alert" });
  const inputs = ENTRIES.map((where) =>
    html("input", {
      inputmode: "decimal",
      autocomplete: "off",
      "aria-label": `W a, ${where}`,
      oninput: () => check() && hear(read()),
    }),
  );
  let shown = [];

  const read = () => inputs.map((input) => parseEntry(input.value));
  /** Mark and explain bad entries; whether all are good. */
  function check() {
    const bad = read().map(isBad);
    inputs.forEach((input, i) => {
      input.setAttribute("aria-invalid", bad[i]);
      input.setAttribute("aria-describedby", bad[i] ? message.id : "");
    });
    const wrong = inputs[bad.indexOf(true)];
    const rule = `Type a number from −${MAX_ENTRY} to ${MAX_ENTRY}; until then the last good matrix is used.`;
    setText(message, wrong ? `“${wrong.value.slice(0, 12)}” does not work here. ${rule}` : "");
    return !wrong;
  }
  function write(values) {
    inputs.forEach((input, i) => {
      input.value = entryText(values[i]);
    });
    check();
  }
  function choose(values) {
    write(values);
    hear(values);
  }
  /** Follow a matrix that came from elsewhere; what the reader is typing stays. */
  function show(values) {
    if (values.join() === shown.join()) return;
    shown = values;
    if (read().join() !== values.join()) write(values);
  }
  const presets = Object.entries(PRESETS).map(([name, values]) =>
    html("button", { type: "button", onclick: () => choose(values) }, name),
  );
  const label = markup("<math><msub><mi>W</mi><mi>a</mi></msub><mo>=</mo></math>");
  const grid = html("div", { class: "qd-matrix qd-edit" }, ...inputs);
  const line = html(
    "div",
    { class: "qd-parameters" },
    label,
    grid,
    html("div", { class: "qd-presets" }, ...presets),
  );
  const node = html("div", {}, line, message);
  return { node, show, clear: () => write(shown) };
}
