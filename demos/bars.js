/** The query demo's table: one row per state with its score, its weight as a bar, and its padding box. */
import { html, setText } from "./dom.js";
import { fixed, largest, pointText, stateName, weightText } from "./words.js";

function row(i, toggle) {
  const score = html("td", { class: "qd-number" });
  const fill = html("div", { class: "qd-fill" });
  const weight = html("td", { class: "qd-number qd-weight" });
  const box = html("input", {
    type: "checkbox",
    "aria-label": `${stateName(i)} is padding`,
    onchange: () => toggle(i, !box.checked),
  });
  const name = html("th", { scope: "row" }, stateName(i));
  const bar = html(
    "td",
    { class: "qd-bar", "aria-hidden": "true" },
    html("div", { class: "qd-track" }, fill),
  );
  const padding = html("td", { class: "qd-pad" }, html("label", {}, box));
  const node = html("tr", {}, name, score, bar, weight, padding);
  return { node, score, fill, weight, box };
}

const heading = (step, text, attributes = {}) =>
  html(
    "th",
    { scope: "col", ...attributes },
    ...(step ? [html("span", { class: "qd-step" }, step)] : []),
    text,
  );

/** {node, update(reading)}; `toggle(i, real)` hears of the padding boxes. */
export function makeBars(keys, toggle) {
  const rows = keys.map((_, i) => row(i, toggle));
  const context = html("td", { class: "qd-number qd-context-value", colspan: 3 });
  const node = html(
    "table",
    { class: "qd-table" },
    html("caption", { class: "qd-unseen" }, "Scores, weights and padding of the states"),
    html(
      "colgroup",
      {},
      ...["state", "score", "bar", "weight", "padding"].map((name) =>
        html("col", { class: `qd-column-${name}` }),
      ),
    ),
    html(
      "thead",
      {},
      html(
        "tr",
        {},
        heading("", "state"),
        heading("1", "score", { class: "qd-number" }),
        heading("2", "weight", { colspan: 2, class: "qd-weight-head" }),
        heading("", "padding", { class: "qd-pad" }),
      ),
    ),
    html("tbody", {}, ...rows.map((item) => item.node)),
    html(
      "tfoot",
      {},
      html(
        "tr",
        {},
        html("th", { scope: "row", colspan: 2 }, html("span", { class: "qd-step" }, "3"), "context"),
        context,
      ),
    ),
  );

  function update({ scores, weights, context: c, mask }) {
    const top = largest(weights);
    rows.forEach((item, i) => {
      setText(item.score, mask[i] ? fixed(scores[i]) : "−∞");
      setText(item.weight, mask[i] ? weightText(weights[i]) : "0");
      item.fill.style.transform = `scaleX(${weights[i].toFixed(4)})`;
      item.node.classList.toggle("qd-padding", !mask[i]);
      item.node.classList.toggle("qd-top", i === top);
      if (item.box.checked === mask[i]) item.box.checked = !mask[i];
    });
    setText(context, pointText(c));
  }
  return { node, update };
}
