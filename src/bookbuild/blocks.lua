-- Divs that Quarto gives a meaning: callouts, tabsets, layouts, margin notes.
-- Numbers and references are no business of this file; see crossref.lua and floats.lua.
local report = require("report")
local blocks = {}

local raw = function(text) return pandoc.RawBlock("html", text) end
local rawi = function(text) return pandoc.RawInline("html", text) end

local CALLOUTS = { note = "Note", tip = "Tip", warning = "Warning", caution = "Caution", important = "Important" }
local COLUMNS = {
  ["column-margin"] = true, ["column-body"] = true, ["column-body-outset"] = true,
  ["column-page"] = true, ["column-page-inset"] = true, ["column-screen"] = true, ["column-screen-inset"] = true,
}

function blocks.escape(text)
  local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
  return (text:gsub('[&<>"]', entities))
end

local function id_attribute(identifier)
  return identifier ~= "" and ' id="' .. blocks.escape(identifier) .. '"' or ""
end

local function callout_kind(div)
  for _, class in ipairs(div.classes) do
    local kind = class:match("^callout%-(.+)$")
    if kind then return kind end
  end
end

--- Title inlines of a callout: its `title` attribute, or a heading that opens it, or the kind's name.
local function callout_title(div, kind)
  local title = div.attributes.title
  if title and title ~= "" then
    return pandoc.utils.blocks_to_inlines(pandoc.read(title, "markdown").blocks)
  end
  if div.content[1] and div.content[1].t == "Header" then
    return div.content:remove(1).content
  end
  return pandoc.Inlines({ pandoc.Str(CALLOUTS[kind]) })
end

local function callout(div, kind)
  for key, _ in pairs(div.attributes) do
    if key ~= "title" and key ~= "collapse" then
      report.next(key .. "=", "unknown callout option " .. key .. "; known are title and collapse")
    end
  end
  local collapse = div.attributes.collapse
  local title = callout_title(div, kind)
  local head = pandoc.Plain({ rawi('<span class="callout-icon" aria-hidden="true"></span><span class="callout-title">') })
  head.content:extend(title)
  head.content:insert(rawi("</span>"))
  local classes = { "callout", "callout-" .. kind }
  for _, class in ipairs(div.classes) do
    if not class:match("^callout") then table.insert(classes, class) end
  end
  local body = pandoc.Div(div.content, { class = "callout-body" })
  if not collapse then
    local header = pandoc.Div({ head }, { class = "callout-header" })
    return pandoc.Div({ header, body }, pandoc.Attr(div.identifier, classes))
  end
  head.content:insert(1, rawi('<summary class="callout-header">'))
  head.content:insert(rawi("</summary>"))
  local open = collapse == "false" and " open" or ""
  local tag = ('<details class="%s"%s%s>'):format(table.concat(classes, " "), id_attribute(div.identifier), open)
  return { raw(tag), head, body, raw("</details>") }
end

local tabset_count = 0

--- A tabset: each heading of the first heading's level opens a tab.
local function tabset(div)
  local tabs, level = {}, nil
  for _, block in ipairs(div.content) do
    if block.t == "Header" and (level == nil or block.level == level) then
      level = block.level
      table.insert(tabs, { title = block.content, content = pandoc.Blocks({}) })
    elseif #tabs == 0 then
      report.next("panel-tabset", "text before the first tab of a tabset; open it with a heading")
      return div
    else
      tabs[#tabs].content:insert(block)
    end
  end
  tabset_count = tabset_count + 1
  local group = div.attributes.group
  local attribute = group and ' data-group="' .. blocks.escape(group) .. '"' or ""
  local buttons = pandoc.Plain({ rawi('<div role="tablist">') })
  local out = { raw('<div class="panel-tabset"' .. id_attribute(div.identifier) .. attribute .. ">"), buttons }
  for i, tab in ipairs(tabs) do
    local id = ("tabset-%d-%d"):format(tabset_count, i)
    local state = i == 1 and 'aria-selected="true" tabindex="0"' or 'aria-selected="false" tabindex="-1"'
    buttons.content:insert(rawi(('<button type="button" role="tab" id="%s-tab" aria-controls="%s" %s>'):format(id, id, state)))
    buttons.content:extend(tab.title)
    buttons.content:insert(rawi("</button>"))
    local hidden = i == 1 and "" or " hidden"
    table.insert(out, raw(('<div role="tabpanel" id="%s" aria-labelledby="%s-tab" tabindex="0"%s>'):format(id, id, hidden)))
    for _, block in ipairs(tab.content) do table.insert(out, block) end
    table.insert(out, raw("</div>"))
  end
  buttons.content:insert(rawi("</div>"))
  table.insert(out, raw("</div>"))
  return out
end

--- A grid of `layout-ncol` columns: one cell for each block.
function blocks.layout(content, columns, identifier)
  local panel = pandoc.Div({}, pandoc.Attr(identifier or "", { "quarto-layout-panel", "layout-ncol-" .. columns }))
  for _, block in ipairs(content) do
    panel.content:insert(pandoc.Div({ block }, { class = "quarto-layout-cell" }))
  end
  return panel
end

local function check_classes(div)
  for _, class in ipairs(div.classes) do
    local known = true
    if class:match("^callout%-") then known = CALLOUTS[class:match("^callout%-(.+)$")] ~= nil
    elseif class:match("^panel%-") then known = class == "panel-tabset"
    elseif class:match("^column%-") then known = COLUMNS[class] ~= nil
    elseif class:match("^content%-") or class == "callout" then known = false
    end
    if not known then
      report.next("." .. class, "unknown class ." .. class .. ": this engine has no such Quarto construct")
      return false
    end
  end
  for key, _ in pairs(div.attributes) do
    if key:match("^layout") and key ~= "layout-ncol" then
      report.next(key, "unknown layout " .. key .. ": this engine knows layout-ncol only")
      return false
    end
  end
  return true
end

function blocks.Div(div)
  if not check_classes(div) then return nil end
  local kind = callout_kind(div)
  if kind then return callout(div, kind) end
  if div.classes:includes("panel-tabset") then return tabset(div) end
  if div.classes:includes("column-margin") or div.classes:includes("aside") then
    local out = pandoc.Blocks({ raw('<aside class="column-margin"' .. id_attribute(div.identifier) .. ">") })
    out:extend(div.content)
    out:insert(raw("</aside>"))
    return out
  end
  if div.attributes["layout-ncol"] then
    return blocks.layout(div.content, div.attributes["layout-ncol"], div.identifier)
  end
end

function blocks.Span(span)
  if span.classes:includes("aside") or span.classes:includes("column-margin") then
    span.classes = { "column-margin" }
    return span
  end
end

function blocks.CodeBlock(code)
  local file, fold = code.attributes.filename, code.attributes["code-fold"]
  if file then
    code.attributes.filename = nil
    local name = pandoc.Div({ pandoc.Plain({ pandoc.Code(file) }) }, { class = "code-with-filename-file" })
    return pandoc.Div({ name, code }, { class = "code-with-filename" })
  elseif fold then
    local summary = code.attributes["code-summary"] or "Code"
    code.attributes["code-fold"], code.attributes["code-summary"] = nil, nil
    local open = fold == "show" and " open" or ""
    return { raw('<details class="code-fold"' .. open .. "><summary>" .. blocks.escape(summary) .. "</summary>"), code, raw("</details>") }
  end
end

return blocks
