-- The one pandoc filter of the embedded engine: Quarto's constructs, in the order
-- shape -> number -> refer -> render. Citations come after it, through pandoc's citeproc.
package.path = pandoc.path.directory(PANDOC_SCRIPT_FILE) .. "/?.lua;" .. package.path
local blocks = require("blocks")
local crossref = require("crossref")
local floats = require("floats")
local report = require("report")

local function shape_div(div)
  local float = floats.Div(div)
  if float then return float end
  return blocks.Div(div)
end

--- Root-relative paths become relative to the page, and links to sources become links to pages.
local function local_url(url, root)
  if url:match("^%a[%w+.-]*:") or url:match("^//") then return url end
  if url:match("^/") then url = root .. url:sub(2) end
  return url
end

local function page_url(url, root)
  local path, anchor = local_url(url, root):match("^([^#]*)(.*)$")
  if not path:match("^%a[%w+.-]*:") then path = path:gsub("%.qmd$", ".html") end
  return path .. anchor
end

local function has_citations(doc)
  local found = false
  doc:walk({ Cite = function() found = true end })
  return found
end

local function has_reference_list(doc)
  local found = false
  doc:walk({ Div = function(div) found = found or div.identifier == "refs" end })
  return found
end

-- What is left in the text when Markdown did not understand its author.
local STRAY = {
  { "%[%^[^%]]+%]", "a footnote mark without its footnote" },
  { "^:::+$", "a ::: that opens or closes nothing; inside a list it must stand exactly under the item's text" },
  { "^{[#.]%w", "attributes that belong to nothing before them" },
  { "^{{<$", "a shortcode that does not end, or runs over two lines" },
  { "%${", "inline ${…}; use an {ojs} cell" },
}

local function stray(str)
  for _, case in ipairs(STRAY) do
    if str.text:match(case[1]) then report.next(str.text, "'" .. str.text .. "' is left in the text: " .. case[2]) end
  end
end

--- TeX outside mathematics would vanish from the page without a word.
local function raw_tex(raw)
  if raw.format == "tex" or raw.format == "latex" then
    report.next(raw.text:match("^[^\n]*"), "TeX outside mathematics has no place on a web page; write Markdown")
  end
end

--- `@fig-a. ` at the start of a paragraph is pandoc's numbered example.
local function example(list)
  if list.listAttributes.style == "Example" then
    report.next("@", "a paragraph that starts like (@label) or @label. is a numbered example; begin it with a word")
  end
end

local function inline_code(code)
  local language = code.text:match("^{(%a+)} ")
  if language then report.next("{" .. language .. "} ", "inline {" .. language .. "} code; use a cell") end
end

function Pandoc(doc)
  local root = pandoc.utils.stringify(doc.meta["book-root"] or "")
  local options = {
    number_sections = pandoc.utils.stringify(doc.meta["book-number-sections"] or "") == "true",
    number_depth = tonumber(pandoc.utils.stringify(doc.meta["book-number-depth"] or "3")),
  }
  doc = doc:walk({
    Image = floats.Image, Figure = floats.Figure, Table = floats.Table, Div = shape_div,
    Para = floats.Para, Plain = floats.Plain, Span = blocks.Span, CodeBlock = blocks.CodeBlock,
  })
  doc:walk({ Str = stray, Code = inline_code, RawInline = raw_tex, RawBlock = raw_tex, OrderedList = example })
  doc = crossref.number(doc, options)
  doc = doc:walk({ Cite = crossref.Cite })
  doc = doc:walk({
    Div = floats.render,
    Link = function(link) link.target = page_url(link.target, root) return link end,
    Image = function(image) image.src = local_url(image.src, root) return image end,
  })
  if has_citations(doc) and not has_reference_list(doc) then
    doc.blocks:insert(pandoc.Header(2, "References", { id = "quarto-bibliography", class = "unnumbered" }))
    doc.blocks:insert(pandoc.Div({}, { id = "refs" }))
  end
  return doc
end
