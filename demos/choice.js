/** A row of radio buttons that look like pills. */
import { html, uniqueId } from "./dom.js";

/** {node, select(value)}: `options` maps values to labels, `hear(value)` is called when the reader chooses. */
export function makeChoice(question, options, hear, className = "") {
  const name = uniqueId("qd-choice");
  const label = html("p", { class: "qd-question", id: `${name}-label` }, question);
  const radios = Object.keys(options).map((value) =>
    html("input", { type: "radio", name, value, onchange: () => hear(value) }),
  );
  const pills = radios.map((radio) => html("label", {}, radio, html("span", {}, options[radio.value])));
  const node = html(
    "div",
    { class: `qd-choice ${className}`.trim(), role: "radiogroup", "aria-labelledby": label.id },
    label,
    html("div", { class: "qd-pills" }, ...pills),
  );
  function select(value) {
    for (const radio of radios) radio.checked = radio.value === value;
  }
  return { node, select };
}
