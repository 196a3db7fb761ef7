/**
 * Moving the query's handle: pointer (mouse, pen, finger) and keyboard.
 * Reports intentions, {angle, length} or null for a reset; draws nothing and keeps no state of the demo.
 */
import { toPolar } from "./geometry.js";

const TURN = { small: 2, big: 15 }; // degrees per key press
const STRETCH = { small: 0.1, big: 0.5 }; // length per key press
const STILL = 0.06; // nearer to the origin than this the length is 0 and the direction stays

/** Drag `handle` with any pointer: `toWorld(event)` gives the plane's coordinates, `move({angle, length})` hears. */
export function dragHandle(handle, toWorld, current, move) {
  let offset = [0, 0]; // from the pointer to the tip, so that the tip does not jump on the first touch
  let pointer = null; // the one that drags; a second finger changes nothing
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || pointer !== null) return;
    pointer = event.pointerId;
    handle.setPointerCapture(event.pointerId);
    const [x, y] = toWorld(event);
    const [tipX, tipY] = current().q;
    offset = [tipX - x, tipY - y];
    handle.focus({ preventScroll: true });
    event.preventDefault();
  });
  handle.addEventListener("pointermove", (event) => {
    if (event.pointerId !== pointer || !handle.hasPointerCapture(pointer)) return;
    const [x, y] = toWorld(event);
    const { angle, length } = toPolar([x + offset[0], y + offset[1]]);
    move(length < STILL ? { length: 0 } : { angle, length });
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
    handle.addEventListener(type, (event) => {
      if (event.pointerId === pointer) pointer = null;
    });
  }
}

/** The change that a key asks for, as {angle} or {length} from the state; null for other keys. */
export function keyStep(key, shift, { angle, length }) {
  const turn = shift ? TURN.big : TURN.small;
  const stretch = shift ? STRETCH.big : STRETCH.small;
  const steps = {
    ArrowLeft: { angle: angle + turn },
    ArrowRight: { angle: angle - turn },
    ArrowUp: { length: length + stretch },
    ArrowDown: { length: length - stretch },
  };
  return Object.hasOwn(steps, key) ? steps[key] : null;
}

/** Arrow keys turn and stretch, with Shift in bigger steps; Home resets. */
export function keyHandle(handle, current, move, reset) {
  handle.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = keyStep(event.key, event.shiftKey, current());
    if (!step && event.key !== "Home") return;
    event.preventDefault();
    if (step) move(step);
    else reset();
  });
}
