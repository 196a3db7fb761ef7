// What scrolls sideways (equations, tables, code) can be reached and scrolled by keyboard, and has a name.
const KINDS = [
  [".equation-body", "Wide equation"],
  [".table-scroll", "Wide table"],
  ["pre", "Wide code"],
];

/** Give every box under `root` that overflows a place in the tab order, as long as it does. */
export function watchScrollable(root) {
  const names = new Map();
  for (const [selector, name] of KINDS)
    for (const box of root.querySelectorAll(selector)) names.set(box, name);
  const observer = new ResizeObserver((changes) => {
    // All is measured before anything is changed: a change between two measurements costs a layout.
    const widths = changes.map(({ target }) => [target, target.scrollWidth > target.clientWidth]);
    for (const [box, wide] of widths) mark(box, wide, names.get(box));
  });
  for (const box of names.keys()) observer.observe(box);
}

function mark(box, wide, name) {
  if (wide === box.hasAttribute("tabindex")) return;
  if (!wide) {
    for (const attribute of ["tabindex", "role", "aria-label"]) box.removeAttribute(attribute);
    return;
  }
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", `${name}, scrolls sideways`);
}
