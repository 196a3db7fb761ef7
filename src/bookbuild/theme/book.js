// The theme's entry: wires what is on the page. Every part works alone, and the page reads without any.
import { startMenu } from "./menu.js";
import { watchScrollable } from "./scrollable.js";
import { startSearch } from "./search-opener.js";
import { revealTarget, startTabs } from "./tabs.js";
import { startThemeButton } from "./theme-button.js";
import { followReader } from "./toc.js";

const one = (selector) => document.querySelector(selector);
const main = one("main");

startThemeButton(one(".theme-button"));
startMenu(one(".menu-button"), one("#rail"), [main, one(".site-footer")]);
startSearch(one(".search-button"), one("#search"));
if (one("#toc")) followReader(one("#toc"));
for (const list of main.querySelectorAll("[role='tablist']")) startTabs(list);
watchScrollable(main);
addEventListener("hashchange", revealTarget);
revealTarget();
