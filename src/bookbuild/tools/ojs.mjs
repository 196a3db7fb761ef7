// Compiles the {ojs} blocks of several pages. Reads [[{code, line, show}]] from stdin and answers, per page,
// {cells: [{block, name, show, view, inputs, body}]} or {error, line}. Nothing is evaluated here.
import { readFileSync } from "node:fs";
import { transpile } from "@observablehq/notebook-kit";
import { walk as base, CellParser, parseCell } from "@observablehq/parser";
import { simple } from "acorn-walk";

function names(text) {
  return new Set(text.trim().split(/\s+/));
}

// What ojs-client.js defines for every page.
const BUILTINS = names("Generators Promises width now invalidation visibility");
// What Quarto's runtime would fetch from a CDN at reading time, unless a cell defines the name.
const REMOTE = names(`
  Arrow DOM DatabaseClient DuckDBClient FileAttachment Files Inputs L Mutable Plot SQLite SQLiteDatabaseClient
  Secret _ aapl alphabet aq cars citywages d3 diamonds dot flare htl html industries md mermaid miserables
  olympians penguins pizza require svg tex topojson vl weather`);
const NODE_ONLY = names("Buffer clearImmediate global process require setImmediate");
const BROWSER = names(`
  CSS Element HTMLElement IntersectionObserver MutationObserver Node PointerEvent ResizeObserver
  getComputedStyle history innerHeight innerWidth localStorage location matchMedia sessionStorage`);
const MUTABLE = "`mutable` is not supported: use viewof, or a variable inside one cell";
const IMPORT =
  "`import {…} from` is not supported, since Quarto asks a CDN for it. " +
  'Write lib = import(new URL("…", document.baseURI))';

class CellError extends Error {
  constructor(message, block, position) {
    super(message);
    this.line = block.line + block.code.slice(0, position).split("\n").length - 1;
  }
}

/** Return where each cell of a block starts and ends. A cell ends as a JavaScript statement does. */
function cellRanges(block) {
  const ranges = [];
  let position = 0;
  while (position < block.code.length) {
    const parser = new CellParser({}, block.code, position);
    parser.nextToken();
    if (parser.type.label === "eof") break;
    const start = parser.start;
    const node = parser.parseCell(parser.startNode(), false);
    if (node.body) ranges.push([start, node.end]);
    position = parser.start;
  }
  return ranges;
}

/** Fail on what this engine, or Quarto without a CDN, cannot run. */
function refuse(cell, fail) {
  if (cell.body.type === "ImportDeclaration") fail(IMPORT);
  if (cell.id?.type === "MutableExpression") fail(MUTABLE);
  const visitors = {
    MutableExpression: (node) => fail(MUTABLE, node.start),
    ImportExpression: ({ source }) => {
      if (typeof source.value === "string" && !/^\.{0,2}\//.test(source.value)) {
        fail(
          `import(${source.raw}) would ask another host: bundle it in demos/ and import that`,
          source.start,
        );
      }
    },
  };
  simple(cell.body, visitors, base);
}

function compileCell(block, index, [start, end]) {
  const text = block.code.slice(start, end);
  const fail = (message, at = 0) => {
    throw new CellError(message, block, start + at);
  };
  const cell = parseCell(text);
  refuse(cell, fail);
  const { body, inputs, output } = transpile(text, "ojs");
  const name = output ?? null;
  return {
    block: index,
    name,
    show: block.show,
    view: name?.startsWith("viewof$") ?? false,
    inputs,
    body,
    fail,
  };
}

const spoken = (name) => name.replace(/^viewof\$/, "viewof ");

/** A name must be defined once on its page, and a name that is read must be defined somewhere. */
function checkNames(cells) {
  const defined = new Set();
  for (const { name, view, fail } of cells) {
    for (const own of view ? [name, name.slice("viewof$".length)] : [name]) {
      if (own && defined.has(own)) fail(`${spoken(own)} is defined more than once on this page`);
      defined.add(own);
    }
  }
  const known = (name) =>
    defined.has(name) ||
    BUILTINS.has(name) ||
    BROWSER.has(name) ||
    (name in globalThis && !NODE_ONLY.has(name));
  for (const { inputs, fail } of cells) {
    for (const name of inputs.filter((input) => !known(input))) {
      if (REMOTE.has(name)) {
        fail(
          `${name} comes from a CDN in Quarto: export it from demos/book.js and write ${name} = lib.${name}`,
        );
      }
      fail(`${spoken(name)} is not defined on this page. If the browser defines it, write window.${name}`);
    }
  }
}

function compilePage(blocks) {
  const cells = [];
  for (const [index, block] of blocks.entries()) {
    try {
      for (const range of cellRanges(block)) cells.push(compileCell(block, index + 1, range));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new CellError(error.message.replace(/ \(\d+:\d+\)$/, ""), block, error.pos ?? 0);
    }
  }
  checkNames(cells);
  return { cells: cells.map(({ fail, ...cell }) => cell) };
}

const pages = JSON.parse(readFileSync(0, "utf8")).map((blocks) => {
  try {
    return compilePage(blocks);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    return { error: error.message, line: error.line };
  }
});
process.stdout.write(JSON.stringify(pages));
