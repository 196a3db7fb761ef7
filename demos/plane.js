/**
 * The plane of the query demo: states, hull, the query's arrow with its handle, the context.
 * Every node is made once; `update` only sets attributes. No mathematics of attention here.
 */
import { set, svg } from "./dom.js";
import { convexHull, fromPolar } from "./geometry.js";
import { labelSpot, spotAt } from "./labels.js";
import { stateName } from "./words.js";

const SIZE = 400;
const REACH = 3.35; // the plane shows -REACH to REACH in both dimensions
const UNIT = SIZE / (2 * REACH);

/** World coordinates to the drawing's, y up. */
const place = ([x, y]) => [SIZE / 2 + UNIT * x, SIZE / 2 - UNIT * y];
const near = (value) => value.toFixed(2);
const move = ([x, y]) => `translate(${near(x)} ${near(y)})`;

/** A function from a pointer event to world coordinates in this drawing. */
export const pointerToWorld = (drawing) => (event) => {
  const box = drawing.getBoundingClientRect();
  const scale = (2 * REACH) / box.width;
  return [(event.clientX - box.left) * scale - REACH, REACH - (event.clientY - box.top) * scale];
};

function axes() {
  const middle = SIZE / 2;
  const grid = svg("g", { class: "qd-grid" });
  for (let step = -3; step <= 3; step++) {
    const at = middle + UNIT * step;
    const line = step === 0 ? "qd-axis" : "";
    grid.append(svg("path", { class: line, d: `M${near(at)} 0V${SIZE}M0 ${near(at)}H${SIZE}` }));
    if (step === 0) continue;
    const text = String(step).replace("-", "−");
    grid.append(svg("text", { x: near(at), y: middle + 13, class: "qd-tick" }, text));
    grid.append(
      svg("text", { x: middle - 6, y: near(middle - UNIT * step + 3.5), class: "qd-tick qd-tick-y" }, text),
    );
  }
  grid.append(svg("text", { x: SIZE - 5, y: middle - 6, class: "qd-tick qd-end" }, "dimension 1"));
  grid.append(svg("text", { x: middle + 7, y: 13, class: "qd-tick qd-start" }, "dimension 2"));
  return grid;
}

/** Where a state's name stands: away from the origin. */
function nameAt(key) {
  const [x, y] = place(key);
  const far = Math.hypot(...key) || 1;
  return [x + (key[0] / far) * 21, y - (key[1] / far) * 21];
}

/** A state's dot, its halo (area = weight) and its name. */
function stateNode(key, i) {
  const [cx, cy] = place(key).map(near);
  const [x, y] = nameAt(key);
  const halo = svg("circle", { class: "qd-halo", cx, cy, r: 0 });
  const dot = svg("circle", { class: "qd-dot", cx, cy, r: 5.5 });
  const name = svg("text", { class: "qd-name", x: near(x), y: near(y + 5) }, stateName(i));
  return { halo, group: svg("g", { class: "qd-state" }, halo, dot, name) };
}

function arrow(className) {
  const shaft = svg("line", { x1: SIZE / 2, y1: SIZE / 2 });
  const head = svg("path", { d: "M0 0L-13 -6.5L-10 0L-13 6.5Z" });
  return { shaft, head, group: svg("g", { class: className }, shaft, head) };
}

function pointArrow({ shaft, head }, world, gap = 0) {
  const [x, y] = place(world);
  const length = Math.hypot(world[0], world[1]);
  const [dx, dy] = length ? [world[0] / length, -world[1] / length] : [1, 0];
  const tip = [x - dx * gap, y - dy * gap];
  const back = length * UNIT > gap + 11 ? 9 : 0;
  set(shaft, { x2: near(tip[0] - dx * back), y2: near(tip[1] - dy * back) });
  const degrees = (Math.atan2(dy, dx) * 180) / Math.PI;
  const shown = length * UNIT > gap + 4;
  set(head, { transform: `${move(tip)} rotate(${near(degrees)})`, opacity: shown ? 1 : 0 });
}

/** Keep the direction but not beyond the plane's edge. */
function inside([x, y]) {
  const over = Math.max(Math.abs(x), Math.abs(y)) / (REACH - 0.1);
  return over > 1 ? [x / over, y / over] : [x, y];
}

/** The part that one drags: a ring with a target of 44 px or more, a slider to assistive technology. */
function handleNode(label) {
  return svg(
    "g",
    {
      class: "qd-handle",
      role: "slider",
      tabindex: 0,
      "aria-label": label,
      "aria-valuemin": 0,
      "aria-valuemax": 360,
    },
    svg("circle", { class: "qd-target", r: 40 }),
    svg("circle", { class: "qd-focus", r: 17 }),
    svg("circle", { class: "qd-ring", r: 11 }),
    svg("circle", { class: "qd-grip", r: 3.5 }),
  );
}

/** W_a transposed times q, with small raised and lowered letters that every font has. */
function turnedLabel() {
  const small = (dy, letter) => svg("tspan", { dy, "font-size": 9 }, letter);
  const parts = ["W", small(3, "a"), small(-8, "T"), svg("tspan", { dy: 5 }, "q")];
  return svg("text", { class: "qd-turned-name" }, ...parts);
}

/** All nodes of the drawing, made once. */
function makeNodes(keys) {
  const parts = {
    hull: svg("polygon", { class: "qd-hull" }),
    bands: keys.map((key) => {
      const [x2, y2] = place(key).map(near);
      return svg("line", { class: "qd-band", x2, y2 });
    }),
    states: keys.map(stateNode),
    query: arrow("qd-query"),
    turned: arrow("qd-turned"),
    turnedName: turnedLabel(),
    goal: svg("circle", { class: "qd-goal", r: 15 }),
    letter: svg("text", { class: "qd-letter" }, "q"),
    context: svg("g", { class: "qd-context" }, svg("circle", { r: 8 }), svg("circle", { r: 2.5 })),
    contextName: svg("text", { class: "qd-context-name" }, "context"),
    handle: handleNode("Query, the tip of its arrow"),
  };
  const { hull, bands, states, query, turned, turnedName, goal, letter, context, contextName, handle } =
    parts;
  turned.group.append(turnedName);
  const groups = states.map((state) => state.group);
  const hidden = (...children) => svg("g", { "aria-hidden": "true" }, ...children);
  const node = svg(
    "svg",
    {
      class: "qd-plane",
      viewBox: `0 0 ${SIZE} ${SIZE}`,
      role: "group",
      "aria-label": "Query and states in the plane",
    },
    hidden(axes(), hull, ...bands, ...groups, turned.group, goal, query.group, letter),
    handle,
    hidden(contextName, context),
  );
  return { ...parts, node };
}

/** {node, handle, update(reading, {turnedQuery, goalAt})} for the given states. */
export function makePlane(keys) {
  const nodes = makeNodes(keys);
  const fixedMarks = keys.flatMap((key) => [place(key), nameAt(key)]);
  let spot = 0;

  function updateStates({ weights, context, mask }) {
    const [x1, y1] = place(context).map(near);
    const corners = convexHull(keys.filter((_, i) => mask[i]));
    set(nodes.hull, { points: corners.map((corner) => place(corner).map(near).join()).join(" ") });
    weights.forEach((weight, i) => {
      set(nodes.bands[i], { x1, y1, "stroke-width": mask[i] ? near(0.75 + 9 * weight) : 0 });
      set(nodes.states[i].halo, { r: near(24 * Math.sqrt(weight)) });
      nodes.states[i].group.classList.toggle("qd-padding", !mask[i]);
    });
  }
  function updateQuery(q) {
    pointArrow(nodes.query, q, 11);
    const tip = place(q);
    set(nodes.handle, { transform: move(tip) });
    const degrees = (Math.atan2(q[1], q[0]) * 180) / Math.PI;
    const [dx, dy] = fromPolar(degrees, 25);
    const [x, y] = [tip[0] + dx, tip[1] - dy + 5].map((value) => Math.min(SIZE - 10, Math.max(15, value)));
    set(nodes.letter, { x: near(x), y: near(y) });
  }
  function updateContext({ q, context }) {
    const at = place(context);
    const along = [0.3, 0.55, 0.8, 1].map((part) => place([part * q[0], part * q[1]]));
    spot = labelSpot(at, [...fixedMarks, ...along], spot);
    const [x, y] = spotAt(at, spot);
    set(nodes.context, { transform: move(at) });
    set(nodes.contextName, { x: near(x), y: near(y + 4) });
  }
  function update(reading, { turnedQuery, goalAt }) {
    updateStates(reading);
    updateQuery(reading.q);
    updateContext(reading);
    nodes.turned.group.classList.toggle("qd-hidden", !turnedQuery);
    nodes.goal.classList.toggle("qd-hidden", !goalAt);
    if (goalAt) set(nodes.goal, { transform: move(place(goalAt)) });
    if (!turnedQuery) return;
    const tip = inside(turnedQuery);
    pointArrow(nodes.turned, tip);
    const [x, y] = place(tip);
    const side = tip[0] > 2.2 ? -24 : 24; // beside the tip, on the side that has room
    set(nodes.turnedName, { x: near(x + side), y: near(Math.max(12, y + (tip[1] > 0 ? -2 : 10))) });
  }
  return { node: nodes.node, handle: nodes.handle, update };
}
