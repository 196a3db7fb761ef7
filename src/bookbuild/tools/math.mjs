// Reads [{tex, display}] from stdin and answers [{mathml} or {error, position}] in the same order.
import { readFileSync } from "node:fs";
import temml from "temml";

const TAG = "\\tag is not for this book: label the equation with {#eq-name} after the $$";

function render({ tex, display }) {
  const tag = tex.indexOf("\\tag");
  if (tag >= 0) return { error: TAG, position: tag };
  try {
    return { mathml: temml.renderToString(tex, { displayMode: display, throwOnError: true }) };
  } catch (error) {
    if (error.name !== "ParseError") throw error;
    // Temml's message goes on with an underlined excerpt; the caller shows the whole formula instead.
    const reason = error.message.trim().split(/ at (?:position|end of input)/)[0];
    return { error: `TeX: ${reason}`, position: error.position ?? null };
  }
}

const formulas = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(formulas.map(render)));
