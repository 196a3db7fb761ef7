/**
 * A button that, when the reader asks, loads Plotly from the site itself and draws the maps of a file from
 * `figures/`, one at a time. Plotly stays in a chunk of its own, so that a page costs nothing before the click.
 */
import { makeChoice } from "./choice.js";
import { html, setText } from "./dom.js";

/** The page's colours as Plotly can read them: the theme's variables, resolved by an element that is painted so. */
function palette(element) {
  const probe = element.appendChild(html("span", { hidden: true }));
  const read = (variable) => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const colours = { ink: read("--qd-ink"), rule: read("--qd-rule"), surface: read("--qd-surface") };
  probe.remove();
  return colours;
}

/** Whether a colour, as "rgb(r, g, b)", is a light one: light ink means a dark page. */
const isLight = (colour) => {
  const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b > 128;
};

/** One map of the file, as Plotly's data and layout, in the page's colours. */
export function themed({ data, layout }, colorscales, { ink, rule, surface }) {
  const axes = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  const dressed = axes.map((name) => [name, { gridcolor: rule, linecolor: rule, ...layout[name] }]);
  const colorscale = colorscales[isLight(ink) ? "dark" : "light"];
  return {
    data: data.map((trace) => ({ ...trace, colorscale })),
    layout: {
      ...layout,
      ...Object.fromEntries(dressed),
      paper_bgcolor: "transparent",
      plot_bgcolor: "transparent",
      font: { ...layout.font, color: ink },
      hoverlabel: { bgcolor: surface, bordercolor: rule, font: { color: ink } },
      autosize: true,
    },
  };
}

async function load(src) {
  const url = new URL(src, document.baseURI);
  const [module, response] = await Promise.all([import("plotly.js-cartesian-dist-min"), fetch(url)]);
  if (!response.ok) throw new Error(`${url.pathname} answers ${response.status}`);
  return { Plotly: module.default, file: await response.json() };
}

/** Draw again when the reader changes between light and dark, as long as the figure is on the page. */
function followTheme(element, redraw) {
  const watcher = new MutationObserver(redraw);
  watcher.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
  watcher.observe(document.body, { attributes: true, attributeFilter: ["class"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener(
    "change",
    () => element.isConnected && redraw(),
  );
}

/**
 * `src`: JSON {maps: [{title, data, layout}], colorscales: {light, dark}}, relative to the page. `label`: what the
 * maps show, in a sentence.
 * Returns an element with a button; a failed load says so and leaves the button for another try.
 */
export function plotlyFigure({ src, label }) {
  if (!src || !label)
    throw new TypeError("plotlyFigure needs src and label; the label is the figure's text alternative.");
  const status = html("span", { role: "status" });
  const button = html("button", { type: "button", onclick: show }, "Show exact values");
  const plot = html("div", { class: "plotly-figure-plot", role: "img", "aria-label": label, hidden: true });
  const bar = html("p", { class: "plotly-figure-bar" }, button, " ", status);
  const root = html("div", { class: "plotly-figure" }, bar, plot);

  async function show() {
    button.disabled = true;
    setText(status, "Loading the interactive figure …");
    try {
      const { Plotly, file } = await load(src);
      plot.hidden = false;
      let shown = 0;
      const draw = () => {
        const { data, layout } = themed(file.maps[shown], file.colorscales, palette(root));
        plot.setAttribute("aria-label", `${label} ${file.maps[shown].title}.`);
        return Plotly.react(plot, data, layout, { displayModeBar: false, responsive: true });
      };
      await draw();
      followTheme(root, draw);
      const choice = makeChoice("Map", Object.fromEntries(file.maps.map((map, i) => [i, map.title])), (i) => {
        shown = Number(i);
        draw();
      });
      choice.select("0");
      if (file.maps.length > 1) bar.before(choice.node);
      button.hidden = true;
      setText(status, "Point at a cell, or tap it, to read its exact value.");
    } catch (error) {
      setText(
        status,
        `The figure could not be loaded (${error.message}). Try again; if that does not help, reload the page.`,
      );
      button.disabled = false;
    }
  }
  return root;
}
