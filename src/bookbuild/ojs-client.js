// Runs a page's compiled {ojs} cells on Observable's runtime and shows what they return.
// Left out, and refused at build time: mutable, imports of notebooks, file attachments, builtins from a CDN.
import { Runtime } from "@observablehq/runtime";
import { Generators, Promises } from "./ojs-builtins.js";
import { show, showError } from "./ojs-display.js";

/** Define the cells of this page; `cells` comes from the module that ojs.py writes. */
export function mount(cells) {
  const content = document.querySelector("main") ?? document.body;
  const runtime = new Runtime({
    Generators: () => Generators,
    Promises: () => Promises,
    now: Generators.now,
    width: () => Generators.width(content),
  });
  const module = runtime.module();
  for (const { block, name, show: visible, view, inputs, body } of cells) {
    const observer = visible ? displayIn(block, name) : hidden(name);
    module.variable(observer).define(name, inputs, body);
    if (view) module.define(name.slice("viewof$".length), [name], Generators.input);
  }
}

/** A cell's own place inside its block's output, in the order of the cells. */
function displayIn(block, name) {
  const place = document.createElement("div");
  place.className = "ojs-value";
  document.querySelector(`#ojs-cell-${block} .ojs-output`).append(place);
  return {
    _node: place, // the runtime's `visibility` watches this element
    fulfilled: (value) => show(place, value, name),
    rejected: (error) => showError(place, error, name),
  };
}

/** A cell that shows nothing still runs, and its failure reaches the console and the cells that read it. */
function hidden(name) {
  return { rejected: (error) => console.error(`OJS cell ${name ?? ""} failed`, error) };
}
