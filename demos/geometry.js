/** Plane geometry for the demos: polar coordinates and convex hulls. No drawing. */

/** The point at `angle` degrees (counter-clockwise from the first axis) and distance `length`. */
export function fromPolar(angle, length) {
  const radians = (angle * Math.PI) / 180;
  return [length * Math.cos(radians), length * Math.sin(radians)];
}

/** {angle in [0, 360), length} of a point; the origin has angle 0. */
export function toPolar([x, y]) {
  const degrees = (Math.atan2(y, x) * 180) / Math.PI;
  return { angle: (degrees + 360) % 360, length: Math.hypot(x, y) };
}

const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** Corners of the convex hull, counter-clockwise (Andrew's monotone chain); up to two points come back as they are. */
export function convexHull(points) {
  if (points.length < 3) return [...points];
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list) => {
    const corners = [];
    for (const point of list) {
      while (corners.length > 1 && turn(corners.at(-2), corners.at(-1), point) <= 0) corners.pop();
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/** Whether `point` lies in the hull of `points`, borders included, up to `slack`. */
export function insideHull(point, points, slack = 1e-9) {
  const hull = convexHull(points);
  if (hull.length === 0) return false;
  if (hull.length < 3) return distanceToSegment(point, hull[0], hull.at(-1)) <= slack;
  return hull.every((corner, i) => turn(corner, hull[(i + 1) % hull.length], point) >= -slack);
}

function distanceToSegment(p, a, b) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const along = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy || 1);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}
