// The few of Observable's builtins that need no other host: Generators and Promises.

/** Yield what `initialize` passes to its argument; a value that nobody has read yet gives way to a newer one. */
function observe(initialize) {
  let value;
  let fresh = false;
  let resolve = null;
  const settle = () => {
    if (!fresh || !resolve) return;
    resolve({ done: false, value });
    fresh = false;
    resolve = null;
  };
  const dispose = initialize((next) => {
    value = next;
    fresh = true;
    settle();
    return next;
  });
  const finish = () => {
    dispose?.();
    resolve?.({ done: true });
    return { done: true };
  };
  const next = () =>
    new Promise((ready) => {
      resolve = ready;
      settle();
    });
  // An async generator function would not do: it cannot be ended while it waits for its next value.
  return {
    next,
    return: finish,
    throw: finish,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const NUMERIC = new Set(["range", "number"]);
const CLICKED = new Set(["button", "submit", "checkbox"]);

function readValue(element) {
  if (NUMERIC.has(element.type)) return element.valueAsNumber;
  if (element.type === "checkbox") return element.checked;
  if (element.type === "date") return element.valueAsDate;
  if (element.type === "select-multiple")
    return Array.from(element.selectedOptions, (option) => option.value);
  return element.value;
}

/** Yield a view's value now (unless undefined) and after each of its events. */
function input(element) {
  return observe((change) => {
    const type = CLICKED.has(element.type) ? "click" : "input";
    const changed = () => change(readValue(element));
    element.addEventListener(type, changed);
    if (readValue(element) !== undefined) changed();
    return () => element.removeEventListener(type, changed);
  });
}

/** Yield the width of an element's content in CSS pixels, at once and when it changes. */
function width(element) {
  return observe((change) => {
    let last;
    const observer = new ResizeObserver(([entry]) => {
      if (entry.contentRect.width === last) return;
      last = entry.contentRect.width;
      change(last);
    });
    observer.observe(element);
    return () => observer.disconnect();
  });
}

function* now() {
  while (true) yield Date.now();
}

const delay = (duration, value) => new Promise((resolve) => setTimeout(resolve, duration, value));

export const Generators = { observe, input, width, now };
export const Promises = { delay };
