/** The demo's sentences, its predictions, its keys and its labels: all that needs no page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keyStep } from "../../demos/drag.js";
import { labelSpot, spotAt } from "../../demos/labels.js";
import { parseEntry } from "../../demos/matrix-editor.js";
import { themed } from "../../demos/plotly-figure.js";
import { compare, hasDoubled, verdict } from "../../demos/prediction.js";
import { describe, describeQuery, fixed, stateName, weightText } from "../../demos/words.js";

test("numbers are printed with a true minus and never rounded to a false 0 or 1", () => {
  assert.equal(fixed(-1.234), "\u22121.23");
  assert.equal(fixed(-0.001), "0.00");
  assert.equal(weightText(0), "0.00");
  assert.equal(weightText(1), "1.00");
  assert.match(weightText(0.0001), /^<.0\.01$/);
  assert.match(weightText(0.9999), /^>.0\.99$/);
  assert.equal(weightText(0.994), "0.99");
  assert.equal(stateName(9), "h₁₀");
});

test("the description goes from the largest weight down and names the padding", () => {
  const text = describe({ weights: [0.2, 0, 0.8], context: [1, -2], mask: [true, false, true] });
  assert.equal(text, "Weights: h₃ 0.80, h₁ 0.20. Context (1.00, \u22122.00). Padding, never read: h₂.");
  assert.match(describe({ weights: [0], context: [0, 0], mask: [false] }), /all weights are 0/);
  assert.match(describeQuery({ angle: 20, length: 1 }, { weights: [0, 0] }), /no weight anywhere/);
});

test("the prediction is answered from the weights", () => {
  assert.equal(compare([0.5, 0.5], [0.7, 0.3]), "peaked");
  assert.equal(compare([0.7, 0.3], [0.5, 0.5]), "flatter");
  assert.equal(compare([0.7, 0.3], [0.3, 0.7]), "same");
  assert.match(verdict("peaked", [0.5, 0.5], [0.7, 0.3], "dot"), /^Right: more peaked\. .*0\.50 to 0\.70\./);
  assert.match(
    verdict("same", [0.7, 0.3], [0.4, 0.6], "additive"),
    /^You said the same; .*flatter.*, now on h₂\./,
  );
});

test("doubling needs the length and the direction", () => {
  const from = { angle: 358, length: 1.4 };
  assert.ok(hasDoubled(from, { angle: 2, length: 2.8 }));
  assert.ok(!hasDoubled(from, { angle: 20, length: 2.8 }));
  assert.ok(!hasDoubled(from, { angle: 358, length: 2 }));
});

test("keys turn and stretch, other keys do nothing", () => {
  const state = { angle: 10, length: 1 };
  assert.deepEqual(keyStep("ArrowLeft", false, state), { angle: 12 });
  assert.deepEqual(keyStep("ArrowRight", true, state), { angle: -5 });
  assert.deepEqual(keyStep("ArrowUp", false, state), { length: 1.1 });
  assert.deepEqual(keyStep("ArrowDown", true, state), { length: 0.5 });
  for (const key of ["Tab", "a", "constructor"]) assert.equal(keyStep(key, false, state), null);
});

test("a matrix entry is a plain number", () => {
  for (const [text, value] of [
    ["1", 1],
    [" -2.5 ", -2.5],
    ["\u22121", -1],
    ["0,5", 0.5],
    [".5", 0.5],
    ["3.", 3],
  ]) {
    assert.equal(parseEntry(text), value);
  }
  for (const text of ["", " ", "1e3", "0x1", "one", "1 2", "Infinity", "--1", "."]) {
    assert.ok(Number.isNaN(parseEntry(text)), text);
  }
});

test("a label moves away from what it would cover, and stays while it can", () => {
  const at = [200, 200];
  const above = spotAt(at, 0);
  assert.equal(labelSpot(at, [], 3), 3);
  assert.notEqual(labelSpot(at, [above], 0), 0);
  assert.deepEqual(spotAt(at, 0), [200, 180]);
});

test("a Plotly map takes the page's colours and keeps its own axes", () => {
  const map = { data: [{ type: "heatmap" }], layout: { xaxis: { title: "t" }, font: { size: 9 } } };
  const scales = { light: "L", dark: "D" };
  const palette = { ink: "rgb(0, 0, 0)", rule: "gray", surface: "white" };
  const { data, layout } = themed(map, scales, palette);
  assert.deepEqual(layout.font, { size: 9, color: "rgb(0, 0, 0)" });
  assert.deepEqual(layout.xaxis, { gridcolor: "gray", linecolor: "gray", title: "t" });
  assert.equal(layout.yaxis, undefined);
  assert.deepEqual(data, [{ type: "heatmap", colorscale: "L" }]);
  assert.equal(themed(map, scales, { ...palette, ink: "rgb(230, 227, 220)" }).data[0].colorscale, "D");
});
