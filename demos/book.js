/** The bundle's entry: what chapters use from their ojs cells. */
export { plotlyFigure } from "./plotly-figure.js";
export { queryDemo } from "./query-view.js";
