-- Numbers, labels and references, in Quarto's wording: "Section 4", "Equation 6", "Figure 2 (a)".
local floats = require("floats")
local report = require("report")
local crossref = {}

local NBSP = "\u{a0}"
local WORDS = { sec = "Section", eq = "Equation", fig = "Figure", tbl = "Table" }
local entries, counters = {}, { eq = 0, fig = 0, tbl = 0 }
local section = { 0, 0, 0, 0, 0, 0 }

local seen = {}

local function claim(identifier)
  if identifier == "" then return end
  seen[identifier] = (seen[identifier] or 0) + 1
  if seen[identifier] > 1 then
    report.error("#" .. identifier, seen[identifier], "duplicate label #" .. identifier .. "; labels are unique on a page")
  end
end

local function number_of(kind)
  counters[kind] = counters[kind] + 1
  return tostring(counters[kind])
end

local function prepend(caption, text)
  if #caption.content > 0 then
    text = text .. (text:match("%)$") and "" or ":")
    caption.content:insert(1, pandoc.Space())
  end
  caption.content:insert(1, pandoc.Str(text))
end

local function number_float(div)
  if div.identifier == "" then return div end
  local kind = floats.kind(div.identifier)
  if not kind then return div end
  if not div.attributes.number then div.attributes.number = number_of(kind) end
  local number = div.attributes.number
  entries[div.identifier] = { kind = kind, number = number }
  prepend(div.content[2].content[1], WORDS[kind] .. NBSP .. number)
  local order = 0
  div.content[1] = div.content[1]:walk({ Div = function(child)
    if not (floats.is_float(child) and child.attributes.sub) then return nil end
    local letter = "(" .. string.char(97 + order) .. ")"
    order = order + 1
    if child.identifier ~= "" then
      entries[child.identifier] = { kind = kind, number = number .. " " .. letter }
      claim(child.identifier)
    end
    prepend(child.content[2].content[1], letter)
    return child
  end })
  return div
end

local function number_header(header, options)
  if header.level == 1 then
    report.next("# " .. pandoc.utils.stringify(header), "level-1 heading in the text; the page's title is its only one, start with ##")
  end
  if header.classes:includes("unnumbered") or not options.number_sections or header.level == 1 then return header end
  local level = header.level - 1
  section[level] = section[level] + 1
  for i = level + 1, #section do section[i] = 0 end
  if level > options.number_depth then return header end
  local number = table.concat(section, ".", 1, level)
  entries[header.identifier] = { kind = "sec", number = number }
  header.content:insert(1, pandoc.Space())
  header.content:insert(1, pandoc.Span({ pandoc.Str(number) }, { class = "header-section-number" }))
  return header
end

--- Number everything in the order of the document. Subfigures are numbered with their parent.
function crossref.number(doc, options)
  return doc:walk({
    traverse = "topdown",
    Header = function(header)
      claim(header.identifier)
      return number_header(header, options)
    end,
    Div = function(div)
      if floats.is_float(div) then
        if div.attributes.sub then return nil end
        claim(div.identifier)
        return number_float(div)
      end
      if div.identifier ~= "refs" then claim(div.identifier) end
      if div.classes:includes("book-equation") and div.identifier ~= "" then
        div.attributes.number = number_of("eq")
        entries[div.identifier] = { kind = "eq", number = div.attributes.number }
        return div
      end
    end,
    Span = function(span) claim(span.identifier) end,
    CodeBlock = function(code) claim(code.identifier) end,
  })
end

local function reference(cite, label)
  local entry = entries[label]
  local word = #cite.prefix > 0 and pandoc.Inlines(cite.prefix) or pandoc.Inlines({ pandoc.Str(WORDS[entry.kind]) })
  if cite.mode == "SuppressAuthor" and #cite.prefix == 0 then
    word = pandoc.Inlines({})
  else
    word:insert(pandoc.Str(NBSP))
  end
  if #cite.suffix > 0 then
    report.next("@" .. cite.id, "text after a cross-reference inside brackets is lost; move it out of them")
  end
  word:insert(pandoc.Str(entry.number))
  return pandoc.Link(word, "#" .. label, "", { class = "quarto-xref" })
end

local function missing(id, label)
  local reason = "unresolved reference @" .. id .. ": no #" .. label .. " on this page"
  if WORDS[label:match("^%a+")] == "Section" and seen[label] then
    reason = "@" .. id .. " names a heading without a number; link to it instead: [text](#" .. label .. ")"
  end
  report.next("@" .. id, reason)
end

--- Turn citations of labels into links; real citations are left to citeproc.
function crossref.Cite(cite)
  local out, references = pandoc.Inlines({}), 0
  for _, citation in ipairs(cite.citations) do
    local label = citation.id:sub(1, 1):lower() .. citation.id:sub(2)
    if WORDS[label:match("^(%a+)%-") or ""] then
      references = references + 1
      if not entries[label] then
        missing(citation.id, label)
      else
        if #out > 0 then out:extend({ pandoc.Str(","), pandoc.Space() }) end
        out:insert(reference(citation, label))
      end
    end
  end
  if references == 0 then return nil end
  if references < #cite.citations then
    report.next("@" .. cite.citations[1].id, "a cross-reference and a citation in one group; put words between them, or use two pairs of brackets")
  end
  return out
end

return crossref
