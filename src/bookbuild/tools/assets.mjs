// Bundles the site's styles and scripts. Reads a request from stdin (see assets.py) and answers
// {outputs: {entry: path}, inputs: [path]} or {error: {file, line, text}}. The same input gives the same bytes.
import { readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const request = JSON.parse(readFileSync(0, "utf8"));
const engine = dirname(dirname(fileURLToPath(import.meta.url)));
const packages = join(dirname(dirname(engine)), "node_modules");

/** Serves `request.virtual` ("bookbuild:name" → {text, loader}) as if it were files. */
const virtual = {
  name: "virtual",
  setup(build) {
    build.onResolve({ filter: /^bookbuild:/ }, ({ path }) =>
      path === "bookbuild:ojs-client"
        ? { path: join(engine, "ojs-client.js") }
        : { path, namespace: "bookbuild" },
    );
    build.onResolve({ filter: /^fonts\// }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: "bookbuild" }, ({ path }) => ({
      contents: request.virtual[path].text,
      loader: request.virtual[path].loader,
      resolveDir: engine,
    }));
  },
};

const common = {
  absWorkingDir: request.root,
  bundle: true,
  format: "esm",
  splitting: true,
  minify: true,
  metafile: true,
  nodePaths: [packages],
  logLevel: "silent",
};

function buildSite() {
  return esbuild.build({
    ...common,
    entryPoints: request.entries, // [{in: "bookbuild:…", out: "book"}]
    outdir: request.outdir,
    entryNames: "[dir]/[name]-[hash]",
    chunkNames: "chunks/[name]-[hash]",
    assetNames: "files/[name]-[hash]",
    loader: { ".svg": "file", ".png": "file", ".woff2": "file" },
    target: ["es2022", "chrome111", "firefox115", "safari16.4"],
    plugins: [virtual],
  });
}

/** The same as `npm run demos`, so that Quarto and this engine serve the same bundle. */
async function buildDemos() {
  const result = await esbuild.build({ ...common, entryPoints: ["demos/book.js"], outdir: "demos/dist" });
  return result.metafile;
}

function answer(site, demos) {
  const outputs = {};
  for (const [path, { entryPoint }] of Object.entries(site.outputs)) {
    if (entryPoint) outputs[entryPoint.replace(/^bookbuild:bookbuild:/, "bookbuild:")] = path;
  }
  const inputs = [...Object.keys(site.inputs), ...Object.keys(demos?.inputs ?? {})];
  return {
    outputs,
    demos: Object.keys(demos?.outputs ?? {}).sort(),
    inputs: [...new Set(inputs)].filter((path) => !path.startsWith("bookbuild:")).sort(),
  };
}

try {
  rmSync(request.outdir, { recursive: true, force: true });
  const site = (await buildSite()).metafile;
  const demos = request.demos ? await buildDemos() : null;
  process.stdout.write(JSON.stringify(answer(site, demos)));
} catch (error) {
  if (!error.errors?.length) throw error;
  const { text, location } = error.errors[0];
  const place = location
    ? { file: location.file, line: location.line }
    : { file: basename(engine), line: null };
  process.stdout.write(JSON.stringify({ error: { ...place, text } }));
}
