/** Small helpers to build HTML and SVG elements. */

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** An HTML element; an attribute `onclick` is a listener, true is an empty attribute, false leaves it out. */
export const html = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** The same in the SVG namespace. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** A fragment from markup of ours (never from a reader or a link). */
export const markup = (text) => document.createRange().createContextualFragment(text);

/** Set several attributes of a node that stays. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** Replace a node's text only when it differs. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

let count = 0;
/** An id that no other demo on the page has. */
export const uniqueId = (prefix) => `${prefix}-${++count}`;
