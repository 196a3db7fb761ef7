// Tabsets by keyboard: arrows, Home and End move and select; only the selected tab is in the tab order.

/** Wire one element with role "tablist". */
export function startTabs(list) {
  const tabs = [...list.querySelectorAll("[role='tab']")];
  const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  const select = (chosen) => {
    for (const tab of tabs) {
      const selected = tab === chosen;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      panelOf(tab).hidden = !selected;
    }
  };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role='tab']");
    if (tab) select(tab);
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs.at(to % tabs.length);
    select(tab);
    tab.focus();
  });
}

/** A link to what a tab or a fold hides opens it. */
export function revealTarget() {
  const target = document.querySelector(":target");
  const panel = target?.closest("[role='tabpanel'][hidden]");
  const fold = target?.closest("details:not([open])");
  if (fold) fold.open = true;
  if (panel) document.getElementById(panel.getAttribute("aria-labelledby"))?.click();
  if (panel || fold) target.scrollIntoView();
}
