// The search dialog. Loaded when it is first opened; then it loads the index, once.
import MiniSearch from "minisearch";

const LIMIT = 20;
const OPTIONS = {
  fields: ["section", "page", "text"],
  storeFields: ["url", "page", "section", "text"],
  searchOptions: {
    boost: { section: 4, page: 2 },
    prefix: true,
    fuzzy: (word) => (word.length > 4 ? 0.2 : 0),
    combineWith: "AND",
  },
};

/** Fill `dialog`; return a function that opens it. `rootUrl` is the site's root, `indexUrl` its search index. */
export function createSearch(dialog, rootUrl, indexUrl) {
  dialog.innerHTML = `
    <div class="search-field" role="search">
      <span class="icon icon-search" aria-hidden="true"></span>
      <input type="search" aria-label="Search the book" autocomplete="off" spellcheck="false" placeholder="Search the book">
      <button type="button">Close</button>
    </div>
    <p class="search-status" role="status"></p>
    <ul class="search-results"></ul>`;
  const input = dialog.querySelector("input");
  const status = dialog.querySelector(".search-status");
  const list = dialog.querySelector(".search-results");
  let index;

  const show = async () => {
    const query = input.value.trim();
    index ??= loadIndex(indexUrl);
    let found;
    try {
      found = query ? (await index).search(query) : [];
    } catch (error) {
      index = undefined;
      status.textContent = `The search index did not load (${error.message}). Type again to retry.`;
      return;
    }
    if (query !== input.value.trim()) return; // overtaken by later typing
    list.replaceChildren(...found.slice(0, LIMIT).map((result) => item(result, rootUrl)));
    status.textContent = query
      ? countText(found.length)
      : "Type a word. Arrow keys move through the results.";
  };

  input.addEventListener("input", show);
  dialog.querySelector("button").addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => moveByKey(event, input, list));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("a")) dialog.close();
  });
  return () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    show();
  };
}

async function loadIndex(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const index = new MiniSearch(OPTIONS);
  index.addAll((await response.json()).documents);
  return index;
}

function countText(count) {
  if (count === 0) return "Nothing found.";
  const sections = count === 1 ? "1 section found" : `${count} sections found`;
  return count > LIMIT ? `${sections}; the best ${LIMIT} are listed.` : `${sections}.`;
}

function item({ url, page, section, text, terms }, rootUrl) {
  const link = document.createElement("a");
  link.href = new URL(url, rootUrl).href;
  const title = document.createElement("strong");
  title.textContent = section || page;
  const place = document.createElement("span");
  if (section) place.append(page, ": ");
  place.append(...excerpt(text, terms));
  link.append(title, place);
  const entry = document.createElement("li");
  entry.append(link);
  return entry;
}

/** Some words around the first found term, with that term marked. */
function excerpt(text, terms) {
  const lower = text.toLowerCase();
  const hit = terms.map((term) => ({ term, at: lower.indexOf(term) })).find(({ at }) => at >= 0);
  if (!hit) return [cut(text, 0, 110)];
  const from = hit.at < 40 ? 0 : text.indexOf(" ", hit.at - 40) + 1;
  const end = hit.at + hit.term.length;
  const mark = document.createElement("mark");
  mark.textContent = text.slice(hit.at, end);
  return [(from ? "… " : "") + text.slice(from, hit.at), mark, cut(text, end, from + 120)];
}

/** From `start` to about `end`, cut between words. */
function cut(text, start, end) {
  const stop = text.indexOf(" ", end);
  return stop < 0 ? text.slice(start) : `${text.slice(start, stop)} …`;
}

/** Down and Up walk through the results and back to the field, where Enter opens the first; Escape closes. */
function moveByKey(event, input, list) {
  if (event.key === "Escape") {
    event.preventDefault(); // else a search field that holds text would only be emptied
    event.currentTarget.close();
    return;
  }
  const links = [...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "Enter" && document.activeElement === input) links[0]?.click();
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const to = event.key === "ArrowDown" ? Math.min(at + 1, links.length - 1) : at - 1;
  (links[to] ?? input).focus();
}
