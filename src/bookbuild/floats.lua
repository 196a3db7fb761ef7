-- Figures, tables and displayed equations. First each is brought to one form, a Div of class
-- "book-float" or "book-equation"; once crossref.lua has numbered them, they become HTML.
local blocks = require("blocks")
local report = require("report")
local floats = {}

local raw = function(text) return pandoc.RawBlock("html", text) end
local UNSUPPORTED = { "lst", "thm", "lem", "cor", "prp", "cnj", "def", "exm", "exr", "tip", "nte", "wrn", "imp", "cau" }
local IMAGE_KEYS = { "fig-align", "fig-pos", "fig-env", "fig-scap", "fig-cap" }

function floats.kind(identifier)
  return identifier:match("^(fig)%-") or identifier:match("^(tbl)%-")
end

--- A float of any kind: its content, its caption (inlines), and what the source set on it.
local function new_float(kind, content, caption, attr)
  for i, block in ipairs(content) do  -- an image alone needs no paragraph around it
    if block.t == "Para" and #block.content == 1 and block.content[1].t == "Image" then
      content[i] = pandoc.Plain(block.content)
    end
  end
  local classes = { "book-float", kind }
  for _, class in ipairs(attr.classes) do table.insert(classes, class) end
  local cap = pandoc.Div({ pandoc.Plain(caption) }, { class = "book-caption" })
  return pandoc.Div({ pandoc.Div(content), cap }, pandoc.Attr(attr.identifier, classes, attr.attributes))
end

function floats.is_float(block)
  return block.t == "Div" and block.classes:includes("book-float")
end

--- Alternative text: `fig-alt`, else the caption; an image with neither is refused.
function floats.Image(image)
  local alt = image.attributes["fig-alt"] or image.attributes.alt
  for _, key in ipairs(IMAGE_KEYS) do image.attributes[key] = nil end
  image.attributes["fig-alt"], image.attributes.alt = nil, nil
  if alt == nil then
    alt = pandoc.utils.stringify(image.caption)
    if alt == "" then
      report.next(image.src, 'image without alternative text; write {fig-alt="..."}')
    end
  end
  image.caption = {}
  image.attributes.alt = alt
  image.title = ""
  return image
end

function floats.Figure(figure)
  local caption = pandoc.utils.blocks_to_inlines(figure.caption.long)
  return new_float("fig", figure.content, caption, figure.attr)
end

--- Quarto's caption form `: Text {#tbl-x}`, for a pandoc that leaves it in the text.
local function label_in_caption(caption)
  local last = caption[#caption]
  local label = last and last.t == "Str" and last.text:match("^{#(tbl%-[^}]+)}$")
  if label then
    caption:remove()
    if #caption > 0 and caption[#caption].t == "Space" then caption:remove() end
  end
  return label
end

function floats.Table(tbl)
  local caption = pandoc.utils.blocks_to_inlines(tbl.caption.long)
  local label = label_in_caption(caption)
  local attr = pandoc.Attr(label or tbl.identifier, tbl.classes)
  tbl.caption, tbl.identifier = pandoc.Caption and pandoc.Caption({}) or { long = {} }, ""
  local scroll = pandoc.Div({ tbl }, { class = "table-scroll" })
  if #caption == 0 and attr.identifier == "" then return scroll end
  return new_float("tbl", { scroll }, caption, attr)
end

--- `::: {#fig-x}` and `::: {#tbl-x}`: the last paragraph is the caption.
function floats.Div(div)
  for _, prefix in ipairs(UNSUPPORTED) do
    if div.identifier:match("^" .. prefix .. "%-") then
      report.next("#" .. div.identifier, "numbered blocks of the kind '" .. prefix .. "' are not known to this engine")
    end
  end
  local kind = floats.kind(div.identifier)
  if not kind or floats.is_float(div) then return nil end
  local content, caption = div.content, pandoc.Inlines({})
  local last = content[#content]
  if #content > 1 and (last.t == "Para" or last.t == "Plain") then caption = content:remove().content end
  local inner = content:filter(floats.is_float)
  local columns = div.attributes["layout-ncol"]
  if not columns and #inner == 1 and inner[1].identifier == "" then
    for i, block in ipairs(content) do  -- the div's own number and caption serve for its only float
      if floats.is_float(block) then
        if #caption == 0 then caption = block.content[2].content[1].content end
        content[i] = block.content[1]
      end
    end
  elseif columns or #inner > 1 then
    for _, block in ipairs(inner) do block.attributes.sub = "true" end
    content = pandoc.Blocks({ blocks.layout(content, columns or "1") })
  end
  div.attributes["layout-ncol"] = nil
  return new_float(kind, content, caption, div.attr)
end

local function equation(math, label)
  return pandoc.Div({ pandoc.Plain({ math }) }, pandoc.Attr(label or "", { "book-equation" }))
end

local function trim(inlines)
  local blank = { Space = true, SoftBreak = true, LineBreak = true }
  while #inlines > 0 and blank[inlines[1].t] do inlines:remove(1) end
  while #inlines > 0 and blank[inlines[#inlines].t] do inlines:remove() end
  return inlines
end

--- A paragraph with displayed mathematics is split around it; `{#eq-x}` after it is its label.
local function split_equations(para)
  local is_image = #para.content == 1 and para.content[1].t == "Image" and floats.kind(para.content[1].identifier)
  if is_image then
    local image = para.content[1]
    local attr = pandoc.Attr(image.identifier)
    image.identifier = ""
    return new_float("fig", { pandoc.Plain({ image }) }, {}, attr)
  end
  local out, text, inlines, i = pandoc.Blocks({}), pandoc.Inlines({}), para.content, 1
  local make = para.t == "Para" and pandoc.Para or pandoc.Plain
  while i <= #inlines do
    local item = inlines[i]
    if item.t == "Math" and item.mathtype == "DisplayMath" then
      local j = i + 1
      if inlines[j] and (inlines[j].t == "Space" or inlines[j].t == "SoftBreak") then j = j + 1 end
      local label = inlines[j] and inlines[j].t == "Str" and inlines[j].text:match("^{#(eq%-[^}%s]+)}")
      if #trim(text) > 0 then out:insert(make(text)) end
      out:insert(equation(item, label or nil))
      text = pandoc.Inlines({})
      if label then
        local rest = inlines[j].text:match("^{#[^}]+}(.+)$")
        if rest then text:insert(pandoc.Str(rest)) end
        i = j
      end
    else
      text:insert(item)
    end
    i = i + 1
  end
  if #out == 0 then return nil end
  if #trim(text) > 0 then out:insert(make(text)) end
  return out
end

floats.Para, floats.Plain = split_equations, split_equations

--- HTML of a numbered float. Tables carry their caption above, figures below.
function floats.render(div)
  if div.classes:includes("book-equation") then
    div.classes = { "equation" }
    div.content = pandoc.Blocks({ pandoc.Div(div.content, { class = "equation-body" }) })
    if div.attributes.number then
      local number = '<span class="equation-number">(' .. div.attributes.number .. ")</span>"
      div.content:insert(pandoc.Plain({ pandoc.RawInline("html", number) }))
      div.attributes.number = nil
    end
    return div
  end
  if not floats.is_float(div) then return nil end
  local table_kind = div.classes[2] == "tbl"
  local classes = { table_kind and "table" or "figure" }
  if div.attributes.sub then table.insert(classes, "subfigure") end
  for i = 3, #div.classes do table.insert(classes, div.classes[i]) end
  local id = div.identifier ~= "" and ' id="' .. blocks.escape(div.identifier) .. '"' or ""
  local out, caption = div.content[1].content, div.content[2].content[1]
  if #caption.content > 0 then
    caption.content:insert(1, pandoc.RawInline("html", "<figcaption>"))
    caption.content:insert(pandoc.RawInline("html", "</figcaption>"))
    if table_kind then out:insert(1, caption) else out:insert(caption) end
  end
  out:insert(1, raw("<figure" .. id .. ' class="' .. table.concat(classes, " ") .. '">'))
  out:insert(raw("</figure>"))
  return out
end

return floats
