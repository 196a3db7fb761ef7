// "On this page" follows the reader: the link of the section at the top of the view is the current one.

/** Keep `aria-current` on the link in `toc` whose section is being read. */
export function followReader(toc) {
  const links = [...toc.querySelectorAll("a[href^='#']")];
  const entries = links
    .map((link) => ({ link, section: document.getElementById(decodeURIComponent(link.hash.slice(1))) }))
    .filter(({ section }) => section);
  if (!entries.length) return;
  let current = null;
  let waiting = false;
  const update = () => {
    waiting = false;
    const next = currentEntry(entries)?.link ?? null;
    if (next === current) return;
    current?.removeAttribute("aria-current");
    next?.setAttribute("aria-current", "location");
    current = next;
    if (next) keepInView(toc, next);
  };
  const later = () => {
    if (!waiting) requestAnimationFrame(update);
    waiting = true;
  };
  addEventListener("scroll", later, { passive: true });
  addEventListener("resize", later, { passive: true });
  later();
}

/** The last section that begins above the upper third of the view; at the page's end, the last one shown. */
function currentEntry(entries) {
  const root = document.documentElement;
  const atEnd = scrollY > 0 && scrollY + innerHeight >= root.scrollHeight - 2;
  const line = atEnd ? innerHeight : innerHeight / 3;
  return entries.findLast(({ section }) => section.getBoundingClientRect().top <= line);
}

/** Scroll the list, never the page. */
function keepInView(toc, link) {
  const box = toc.getBoundingClientRect();
  const { top, bottom } = link.getBoundingClientRect();
  if (top < box.top) toc.scrollTop -= box.top - top + 16;
  else if (bottom > box.bottom) toc.scrollTop += bottom - box.bottom + 16;
}
