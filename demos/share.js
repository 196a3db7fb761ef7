/** The demo's state in the address bar: read on load and on hashchange, written with a delay. */
import { fragmentGet, fragmentSet } from "./query-state.js";

const DELAY = 300; // ms of quiet before the address changes; browsers limit how often it may

/** The address with `text` under `key`. */
export function linkTo(key, text) {
  const url = new URL(window.location.href);
  url.hash = fragmentSet(url.hash, key, text);
  return url.href;
}

/**
 * {read(), write(text)} for the fragment's `key`. `hear(text)` is called when someone else changes the fragment
 * and `key` is in it. Ordinary #section anchors pass untouched, and cancel a write that still waits.
 */
export function shareState(root, key, hear) {
  let timer = 0;
  let seen = false; // the listener goes once the demo has been on the page and has left it
  function onHashChange() {
    clearTimeout(timer);
    if (!root.isConnected && seen) window.removeEventListener("hashchange", onHashChange);
    seen = root.isConnected;
    const text = fragmentGet(window.location.hash, key);
    if (text !== null && seen) hear(text);
  }
  window.addEventListener("hashchange", onHashChange);
  return {
    read: () => fragmentGet(window.location.hash, key),
    write(text) {
      seen = root.isConnected;
      clearTimeout(timer);
      timer = setTimeout(
        () => window.history.replaceState(window.history.state, "", linkTo(key, text)),
        DELAY,
      );
    },
  };
}

/** Put `text` on the clipboard; resolves to whether that worked. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or no secure origin: the caller shows the link instead
  }
}
