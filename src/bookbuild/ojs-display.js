// Puts a cell's value into the page: an element as it is, anything else as a line of text.

/** Show `value` in `place`. A nameless cell that returns nothing shows nothing. */
export function show(place, value, name) {
  if (value instanceof Element || value instanceof Text || value instanceof DocumentFragment) {
    if (place.childNodes.length !== 1 || place.firstChild !== value) place.replaceChildren(value);
  } else if (value === undefined && !name) {
    place.replaceChildren();
  } else {
    const line = document.createElement("code");
    line.className = "ojs-inspect";
    line.textContent = name ? `${spoken(name)} = ${describe(value)}` : describe(value);
    place.replaceChildren(line);
  }
}

/** Say in the page that a cell failed, and why. */
export function showError(place, error, name) {
  console.error(error);
  const box = document.createElement("p");
  box.className = "ojs-error";
  box.setAttribute("role", "status");
  const what = name ? `${spoken(name)} could not be computed` : "This part of the page could not be computed";
  box.textContent = `${what}: ${error?.message ?? error}. Reload the page to try again.`;
  place.replaceChildren(box);
}

const spoken = (name) => name.replace(/^viewof\$/, "viewof ");

const LONGEST = 400;

function describe(value) {
  if (typeof value === "function") return `ƒ ${value.name}()`;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null)
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  if (value instanceof Date || value instanceof Error) return String(value);
  const kind = Object.prototype.toString.call(value);
  let text = kind;
  try {
    text = JSON.stringify(ArrayBuffer.isView(value) ? Array.from(value) : value) ?? kind;
  } catch {
    // A cyclic value, or one that JSON does not know: its kind must do.
  }
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
