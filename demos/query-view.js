/**
 * The query demo: turn and stretch a query, watch scores, weights and context.
 * Its parts: plane.js (drawing), bars.js (table), sliders.js, score-panel.js, prediction.js, share.js; the maths is
 * in attention.js, the state in query-state.js.
 */
import { matrixVector, transpose } from "./attention.js";
import { makeBars } from "./bars.js";
import { html, setText } from "./dom.js";
import { dragHandle, keyHandle } from "./drag.js";
import { fromPolar } from "./geometry.js";
import { makePlane, pointerToWorld } from "./plane.js";
import { makePrediction } from "./prediction.js";
import { ADDITIVE, decodeState, encodeState, initialState, KEYS, readState, settle } from "./query-state.js";
import { makeScorePanel } from "./score-panel.js";
import { copy, linkTo, shareState } from "./share.js";
import { makeQuerySliders } from "./sliders.js";
import { describe, describeQuery } from "./words.js";

const QUIET = 350; // ms without a change before the live region speaks
const DOUBLES = { from: 0.3, to: 1.5 }; // lengths that can be doubled on the plane
const HINT =
  "Drag the tip of q, or use the arrow keys on it: left and right turn, up and down stretch. " +
  "Can you pull the context out of the dashed outline?";

function checkKeys(keys) {
  const fits = Array.isArray(keys) && keys.length >= 1 && keys.length <= 9;
  if (fits && keys.every((key) => key?.length === 2 && key.every(Number.isFinite))) return;
  throw new RangeError("queryDemo: keys must be one to nine points [x, y] of finite numbers.");
}

let count = 0;
const nextName = () => (++count === 1 ? "query" : `query${count}`);

class QueryDemo {
  constructor({ keys = KEYS, additive = ADDITIVE, name = nextName(), ...given }) {
    checkKeys(keys);
    this.keys = keys;
    this.additive = additive;
    this.name = name;
    this.start = initialState(keys.length, given);
    this.state = this.start;
    this.root = html("div", { class: "query-demo", role: "group", "aria-label": "Demo: turn the query" });
    this.link = shareState(this.root, name, (text) => this.readLink(text));
    this.message = html("p", { class: "qd-message", role: "status" });
    const text = this.link.read();
    if (text !== null) this.readLink(text, { draw: false });
    this.build();
    this.compute();
    this.draw({ quiet: true });
    setText(this.words, describe(this.reading));
    if (text !== null) requestAnimationFrame(() => window.scrollY === 0 && this.root.scrollIntoView());
  }

  build() {
    const change = (part) => this.change(part);
    const resetQuery = () => change({ angle: this.start.angle, length: this.start.length });
    this.plane = makePlane(this.keys);
    this.bars = makeBars(this.keys, (i, real) => change({ mask: this.state.mask.with(i, real) }));
    this.sliders = makeQuerySliders(change);
    this.panel = makeScorePanel(this.additive, change);
    this.prediction = makePrediction(this.queryToDouble(), (query) => this.at(query).weights, change);
    this.words = html("p", { class: "qd-unseen", "aria-live": "polite" });
    this.empty = html("p", { class: "qd-empty" }, describe({ mask: [] }));
    dragHandle(this.plane.handle, pointerToWorld(this.plane.node), () => this.reading, change);
    keyHandle(this.plane.handle, () => this.state, change, resetQuery);
    const columns = html(
      "div",
      { class: "qd-columns" },
      this.plane.node,
      html("div", { class: "qd-readings" }, this.bars.node, this.empty, this.words, this.sliders.node),
    );
    const hint = html("p", { class: "qd-hint" }, HINT);
    const body = html(
      "div",
      { class: "qd-body" },
      this.prediction.node,
      columns,
      hint,
      this.panel.node,
      this.toolbar(),
    );
    for (const type of ["input", "change"]) body.addEventListener(type, (event) => event.stopPropagation());
    this.root.append(body);
  }

  toolbar() {
    const button = (text, onclick) => html("button", { type: "button", onclick }, text);
    const buttons = [button("Start again", () => this.restart()), button("Copy link", () => this.copyLink())];
    if (document.fullscreenEnabled) buttons.push(button("Full screen", () => this.toggleFullscreen()));
    return html("div", { class: "qd-toolbar" }, ...buttons, this.message);
  }

  queryToDouble() {
    const { angle, length } = this.state;
    return { angle, length: length >= DOUBLES.from && length <= DOUBLES.to ? length : 1.4 };
  }

  /** The reading with another query. */
  at(query) {
    return readState({ ...this.state, ...query }, this.keys, this.additive);
  }

  compute() {
    this.reading = readState(this.state, this.keys, this.additive);
    this.root.value = this.reading;
  }

  /** Take a change of the state; the drawing follows in the next frame, however many changes come before it. */
  change(part, { share = true } = {}) {
    const begin = performance.now();
    this.state = settle({ ...this.state, ...part });
    this.compute();
    if (share) {
      this.link.write(encodeState(this.state));
      setText(this.message, ""); // what it said was about an earlier state
    }
    this.frame ??= requestAnimationFrame(() => this.draw());
    this.spent = (this.spent ?? 0) + performance.now() - begin;
  }

  /** Bring every part up to date. With `element.measure = true` each frame's script time is a performance measure. */
  draw({ quiet = false } = {}) {
    const begin = performance.now();
    this.frame = undefined;
    const { state, reading } = this;
    this.prediction.update(state, reading);
    const turned = state.score === "general" ? matrixVector(transpose(state.W_a), reading.q) : null;
    const goal = this.prediction.goal();
    this.plane.update(reading, { turnedQuery: turned, goalAt: goal && fromPolar(goal.angle, goal.length) });
    this.bars.update(reading);
    this.sliders.update(state);
    this.panel.update(state);
    this.empty.hidden = state.mask.includes(true);
    this.plane.handle.setAttribute("aria-valuenow", Math.round(state.angle) % 360);
    this.plane.handle.setAttribute("aria-valuetext", describeQuery(state, reading));
    if (quiet) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => setText(this.words, describe(this.reading)), QUIET);
    this.root.dispatchEvent(new Event("input", { bubbles: true }));
    const duration = (this.spent ?? 0) + performance.now() - begin;
    if (this.root.measure) performance.measure("query-demo frame", { start: begin, duration });
    this.spent = 0;
  }

  readLink(text, { draw = true } = {}) {
    try {
      const state = decodeState(text, this.keys.length);
      setText(this.message, "");
      if (draw) this.change(state, { share: false });
      else this.state = state;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      setText(this.message, `The link's setting was left aside: ${error.message}.`);
    }
  }

  restart() {
    this.change(this.start);
    this.panel.update(this.state);
    this.panel.clear();
  }

  async copyLink() {
    const link = linkTo(this.name, encodeState(this.state));
    setText(
      this.message,
      (await copy(link)) ? "Link copied: it opens the demo as it stands." : `Copy this: ${link}`,
    );
  }

  toggleFullscreen() {
    if (document.fullscreenElement) return document.exitFullscreen();
    return this.root.requestFullscreen();
  }
}

/**
 * The demo's element. Its `.value` is {q, scores, weights, context, mask, score} and it sends "input" on every change,
 * so `viewof reading = lib.queryDemo({})` works in an ojs cell.
 * Options: keys (one to nine [x, y]), score, angle (degrees), length, mask (true = real), W_a (2×2),
 * additive ({W_q, W_k, b, v}), name (the key in the link's fragment; by default query, query2, …).
 * RangeError when an option does not fit.
 */
export function queryDemo(options = {}) {
  return new QueryDemo(options).root;
}
