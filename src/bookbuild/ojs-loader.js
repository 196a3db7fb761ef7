// Loads a page's OJS module when its first visible cell comes within one screen of the view.
// `loadCells` is put in by assets.py.
const cells = [...document.querySelectorAll(".ojs-cell:not([hidden])")];

function load() {
  loadCells().catch((error) => {
    console.error(error);
    for (const output of document.querySelectorAll(".ojs-output")) {
      output.textContent = "The interactive part could not be loaded. Reload the page to try again.";
    }
  });
}

const observer = new IntersectionObserver(
  (entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    load();
  },
  { rootMargin: "100%" },
);

// A link that carries a demo's state, as #query=…, is a wish to see that demo: it does not wait for a scroll.
if (cells.length === 0 || location.hash.includes("=")) load();
for (const cell of cells) observer.observe(cell);
