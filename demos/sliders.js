/** Two sliders, direction and length of the query, that follow the arrow and move it. */
import { html, setText } from "./dom.js";
import { MAX_LENGTH } from "./query-state.js";

function slider(label, attributes, hear) {
  const input = html("input", { type: "range", ...attributes, oninput: () => hear(Number(input.value)) });
  const output = html("span", { class: "qd-output", "aria-hidden": "true" });
  const node = html("label", { class: "qd-slider" }, html("span", {}, label), input, output);
  function show(value, shown, spoken) {
    if (Number(input.value) !== value) input.value = value;
    setText(output, shown);
    input.setAttribute("aria-valuetext", spoken);
  }
  return { node, show };
}

/** {node, update(state)}; `change` hears {angle} or {length}. */
export function makeQuerySliders(change) {
  const angle = slider("direction", { min: 0, max: 359, step: 1 }, (value) => change({ angle: value }));
  const length = slider("length", { min: 0, max: MAX_LENGTH, step: 0.05 }, (value) =>
    change({ length: value }),
  );
  const node = html("div", { class: "qd-sliders" }, angle.node, length.node);
  function update(state) {
    const degrees = Math.round(state.angle) % 360;
    angle.show(degrees, `${degrees}°`, `${degrees} degrees`);
    length.show(
      Math.round(state.length * 20) / 20,
      state.length.toFixed(2),
      `length ${state.length.toFixed(2)}`,
    );
  }
  return { node, update };
}
