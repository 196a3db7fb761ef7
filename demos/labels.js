/** Where a label may stand without covering other marks. Pure geometry in the drawing's units. */

const HALF = [29, 9]; // half width and height of the label's box
const SPOTS = [
  [0, -20],
  [0, 21],
  [-42, 0],
  [42, 0],
  [-36, -15],
  [36, -15],
  [-36, 16],
  [36, 16],
];
const STAY = 4; // how much better another spot must be before the label moves

/** Distance from a point to the label's box; negative inside. */
const gap = ([x, y], [px, py]) => Math.max(Math.abs(x - px) - HALF[0], Math.abs(y - py) - HALF[1]);

/** Index of the spot around `at` that keeps furthest from `obstacles`; `previous` is kept unless clearly worse. */
export function labelSpot(at, obstacles, previous = 0) {
  const room = SPOTS.map(([dx, dy]) => {
    const center = [at[0] + dx, at[1] + dy];
    return Math.min(16, ...obstacles.map((point) => gap(center, point)));
  });
  const best = room.indexOf(Math.max(...room));
  return room[best] > room[previous] + STAY ? best : previous;
}

/** The label's middle for a spot. */
export const spotAt = (at, spot) => [at[0] + SPOTS[spot][0], at[1] + SPOTS[spot][1]];
