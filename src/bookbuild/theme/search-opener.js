// Opens the search by button, "/" or Ctrl-K. The search itself is loaded at the first opening.

/** The dialog's `data-root` leads to the site's root, its `data-index` to the search index. */
export function startSearch(button, dialog) {
  const rootUrl = new URL(dialog.dataset.root || "./", document.baseURI);
  let ready;
  const open = async () => {
    ready ??= import("./search.js").then(({ createSearch }) =>
      createSearch(dialog, rootUrl, new URL(dialog.dataset.index, document.baseURI)),
    );
    try {
      (await ready)();
    } catch (error) {
      ready = undefined;
      console.error("The search did not load.", error);
      sayFailure(dialog);
    }
  };
  button.addEventListener("click", open);
  addEventListener("keydown", (event) => {
    const slash =
      event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
    const controlK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (event.defaultPrevented || !(slash || controlK)) return;
    event.preventDefault();
    open();
  });
}

/** Some browsers remember a failed import, so that only a new page tries again. */
function sayFailure(dialog) {
  dialog.innerHTML = `<form method="dialog" class="search-field">
    <p role="alert">The search did not load. Check the connection and reload the page.</p>
    <button>Close</button></form>`;
  if (!dialog.open) dialog.showModal();
}

function isTyping(element) {
  return element.isContentEditable || element.matches?.("input, textarea, select");
}
