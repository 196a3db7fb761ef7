// Reads [{tex, display}] from stdin and answers [{mathml} or {error, position}] in the same order.
import { readFileSync } from "node:fs";
import temml from "temml";

const TAG = "\\tag is not for this book: label the equation with {#eq-name} after the $$";

const SCRIPTED = new Set(["msub", "msup", "msubsup", "munder", "mover", "munderover"]);

/** TeX sets no space around a plain operator or a comma in a script; MathML would, unless told. */
function closeUp(node, inScript = false) {
  const plain = node.type === "mo" && Object.keys(node.attributes).every((name) => name === "separator");
  if (inScript && plain) Object.assign(node.attributes, { lspace: "0em", rspace: "0em" });
  for (const [index, child] of (node.children ?? []).entries()) {
    closeUp(child, inScript || (index > 0 && SCRIPTED.has(node.type)));
  }
}

function render({ tex, display }) {
  const tag = tex.indexOf("\\tag");
  if (tag >= 0) return { error: TAG, position: tag };
  try {
    const math = temml.__renderToMathMLTree(tex, { displayMode: display, throwOnError: true });
    closeUp(math);
    return { mathml: math.toMarkup() };
  } catch (error) {
    if (error.name !== "ParseError") throw error;
    // Temml's message goes on with an underlined excerpt; the caller shows the whole formula instead.
    const reason = error.message.trim().split(/ at (?:position|end of input)/)[0];
    return { error: `TeX: ${reason}`, position: error.position ?? null };
  }
}

const formulas = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(formulas.map(render)));
