-- parts - pages of the reference that become a page for each name: which, and in which groups their contents have them.

local pages = require "pages"

local parts = {}

-- Of a page: the beginnings of names that get a page of their own, and the groups of its contents, as Keras groups
-- them: a title, and patterns of last names; the first that fits counts.
local SPLIT = {
  ["reference/layers.md"] = { prefixes = { "pod.layers." }, groups = {
    { "Core", "^input$", "^dense$", "^einsum_dense$", "^activation$", "^embedding$", "_embedding$", "^masking$",
      "^lambda$", "^identity$", "^class_token$", "^subclass$" },
    { "Convolution", "^conv%d", "^convolution", "^separable_conv", "^depthwise_conv" },
    { "Pooling", "pool" },
    { "Recurrent", "lstm", "^gru", "rnn", "^bidirectional$", "^time_distributed$" },
    { "Preprocessing", "^random_", "^rescaling$", "^resizing$", "crop$", "lookup$", "^text_vectorization$", "hash",
      "^category_encoding$", "^discretization$", "^normalization$" },
    { "Normalization", "normalization$" },
    { "Attention", "attention$" },
    { "Regularization", "dropout", "^gaussian_noise$", "^activity_regularization$" },
    { "Reshaping", "^reshape$", "^flatten$", "^repeat_vector$", "^permute$", "^cropping", "^up_sampling",
      "^zero_padding" },
    { "Merging", "^add$", "^average$", "^concatenate$", "^dot$", "^maximum$", "^minimum$", "^multiply$", "^subtract$" },
    { "Activations", "^elu$", "relu$", "re_lu$", "^softmax$" } } },
  ["reference/losses.md"] = { prefixes = { "pod.losses." }, groups = {
    { "Probabilities", "crossentropy$", "cross_entropy$", "^poisson$", "^kl_", "^dice$", "^tversky$", "^circle$" },
    { "Regression", "^mean_", "^cosine_", "^huber$", "^log_cosh$" },
    { "Hinge", "hinge$" } } },
  ["reference/metrics.md"] = { prefixes = { "pod.metrics." }, groups = {
    { "Accuracy", "accuracy$" },
    { "Probabilities", "crossentropy$", "^poisson$", "^kl_" },
    { "Regression", "^mean_", "^root_", "^cosine_", "^log_cosh", "^r2_", "^pearson", "^concordance" },
    { "Classification", "^auc$", "^precision", "^recall", "positives$", "negatives$", "_at_", "score$" },
    { "Segmentation", "iou$", "io_u$" },
    { "Hinge", "hinge$" },
    { "Sums", "^mean$", "^sum$" } } },
  ["reference/optimizers.md"] = { prefixes = { "pod.optimizers.", "pod.schedules." }, groups = {} },
  ["reference/callbacks.md"] = { prefixes = { "pod.callbacks." }, groups = {} },
  ["reference/data.md"] = { prefixes = { "pod.data.", "dataset:" }, groups = {} },
}

-- The name below one of the prefixes, where a title is such: "dense" of "pod.layers.dense".
local function name_below(split, title)
  for _, prefix in ipairs(split.prefixes) do
    local name = title:sub(1, #prefix) == prefix and title:sub(#prefix + 1)
    if name and name:find "^[%w_]+$" then
      return name, prefix
    end
  end
end

-- The names of a page that get pages: { title =, url =, anchor = (of the section that tells of it), last = }, in their
-- order; those that a section says are the same follow it. And where the anchors of the page are now.
function parts.of(path, text)
  local split, items, moved, by_title = SPLIT[path], {}, {}, {}
  if not split then
    return items, moved
  end
  local folder = path:gsub("%.md$", "")
  local function add(title, section)
    local last, prefix = name_below(split, title)
    if last then
      items[#items + 1] = { title = title, anchor = section.heading.anchor, last = last, section = section,
        prefix = prefix,
        url = ("%s/%s%s.html"):format(folder, prefix == "dataset:" and "dataset." or "", last) }
      by_title[title] = items[#items]
      moved[section.heading.anchor] = moved[section.heading.anchor] or items[#items].url
    end
  end
  local owner -- methods of a layer stand under a heading of its name, and go to its page
  for _, section in ipairs(pages.sections(text)) do
    local heading = section.heading
    owner = heading.level <= 2 and by_title[heading.title] or heading.level > 2 and owner or nil
    if owner then
      moved[heading.anchor] = heading.level <= 2 and owner.url or owner.url .. "#" .. heading.anchor
    elseif heading.level == 3 then
      add(heading.title, section)
      for _, name in ipairs(pages.same_names(section)) do
        add(name, section)
      end
    end
  end
  return items, moved
end

-- Cuts a page of HTML at its headings: what stands before the first, and { anchor =, level =, html = } of each, the
-- heading in it.
local function cut(html)
  local pieces, first = {}, html:find "<h[1-6] id=" or #html + 1
  local at = first
  while at <= #html do
    local after = html:find("<h[1-6] id=", at + 1) or #html + 1
    local piece = html:sub(at, after - 1)
    local level, anchor = piece:match '^<h(%d) id="([^"]*)"'
    pieces[#pieces + 1] = { anchor = anchor, level = tonumber(level), html = piece }
    at = after
  end
  return html:sub(1, first - 1), pieces
end

-- The first sentence of a section: what stands below its signature.
local function summary(section)
  local text = {}
  for _, line in ipairs(section.lines) do
    if line == "" and #text > 0 then
      break
    elseif line ~= "" and not line:find "^`pod[^`]*`$" and not line:find "^`dataset[^`]*`$" then
      text[#text + 1] = line
    end
  end
  local all = table.concat(text, " "):gsub("!?%[([^%]]*)%]%([^)]*%)", "%1"):gsub("`", "")
  return all:match "^(.-%.) %u" or all
end

local function group_of(groups, last)
  for i, group in ipairs(groups) do
    for k = 2, #group do
      if last:find(group[k]) then
        return i
      end
    end
  end
  return #groups + 1
end

-- The contents: all names of a prefix by groups, with their first sentence. link(item), escape(text).
local function contents(split, items, prefix, link, escape)
  local lists, shared = {}, {}
  for _, item in ipairs(items) do
    if item.prefix == prefix then
      local name = ('<a href="%s"><code>%s</code></a>'):format(link(item), item.last)
      local row = shared[item.section] -- what is the same stands in one row
      if row then
        row.names = row.names .. " " .. name
      else
        local place = group_of(split.groups, item.last)
        row = { names = name, text = escape(summary(item.section)) }
        shared[item.section], lists[place] = row, lists[place] or {}
        table.insert(lists[place], row)
      end
    end
  end
  local out = {}
  for place = 1, #split.groups + 1 do
    local group = split.groups[place]
    if lists[place] then
      out[#out + 1] = #split.groups > 0 and ("<h3>%s</h3>"):format(group and group[1] or "Besides") or ""
      out[#out + 1] = '<ul class="names">'
      for _, row in ipairs(lists[place]) do
        out[#out + 1] = ("<li>%s %s</li>"):format(row.names, row.text)
      end
      out[#out + 1] = "</ul>"
    end
  end
  return table.concat(out, "\n")
end

-- The rows of the table of options at the head of a page, by name.
local function option_rows(html)
  local rows = {}
  for row in html:gmatch "<tr.-</tr>" do
    rows[row:match "<td[^>]*><code>([%w_]+)</code>" or ""] = row
  end
  return rows
end

-- Options that are told of at the head of the page become a table; what they are by default stands behind the name.
local function with_options(html, rows)
  return (html:gsub("<p>Options told of above: (.-)%.</p>", function(list)
    local found = {}
    for name, default in list:gmatch "<code>([%w_]+)([^<]*)</code>" do
      found[#found + 1] = rows[name] and rows[name]:gsub("</code>", default:gsub("%%", "%%%%") .. "</code>", 1) or nil
    end
    return "<table><thead><tr><th>option</th><th>type</th><th></th></tr></thead><tbody>" .. table.concat(found, "\n")
      .. "</tbody></table>"
  end))
end

-- The body of a name's page, of the section that tells of it.
local function body_of(item, html, rows, escape)
  local _, after = html:find "^<h3[^>]*>.-</h3>"
  local text = html:sub(after + 1):gsub("^(%s*<p><code>)[%w_.:]+", function(before)
    return before .. escape(item.title)
  end)
  return ("<h1>%s</h1>%s"):format(escape(item.title), with_options(text, rows))
end

-- Divides a page of HTML. Returns what stays, with contents at its head, and by url what each name has.
function parts.divide(path, html, items, link, escape)
  local split = SPLIT[path]
  local before, pieces = cut(html)
  local rows, by_anchor, bodies, stays, owner = option_rows(pieces[1].html), {}, {}, {}, nil
  for _, item in ipairs(items) do
    by_anchor[item.anchor] = by_anchor[item.anchor] or {}
    table.insert(by_anchor[item.anchor], item)
    by_anchor[item.title] = item
  end
  local lists = {}
  for i, piece in ipairs(pieces) do
    local title = piece.html:match "^<h%d[^>]*>(.-)</h%d>":gsub("<[^>]*>", "")
    local own = piece.level == 3 and by_anchor[piece.anchor]
    owner = piece.level <= 2 and by_anchor[title] or piece.level > 2 and owner or nil
    if owner then
      bodies[owner.url] = (bodies[owner.url] or "") .. (piece.level > 2 and piece.html:gsub("(</?)h3", "%1h2") or "")
    elseif own then
      for _, item in ipairs(own) do
        bodies[item.url] = body_of(item, piece.html, rows, escape)
      end
    elseif i > 1 then
      local is_list = false
      for _, prefix in ipairs(piece.level == 2 and split.prefixes or {}) do
        is_list = is_list or title == prefix:sub(1, -2)
        if title == prefix:sub(1, -2) then
          lists[#lists + 1] = piece.html .. contents(split, items, prefix, link, escape)
        end
      end
      stays[#stays + 1] = not is_list and piece.html or nil
    end
  end
  local head = pieces[1].html
  for _, prefix in ipairs(split.prefixes) do -- lists of links to what is in the contents now
    head = head:gsub("<p>" .. prefix:sub(1, -2):gsub("%p", "%%%0") .. ": <a.-</p>", "")
  end
  local options = head:find "<table" or #head + 1
  return before .. head:sub(1, options - 1) .. table.concat(lists) .. '<h2 id="options">Options</h2>'
    .. head:sub(options) .. table.concat(stays), bodies
end

return parts
