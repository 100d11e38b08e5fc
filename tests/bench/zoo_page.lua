-- The page of a machine that `./dev bench zoo` writes: a line of facts and a table, whose rows are measured one by one.

local page = {}

page.ROWS = { { "w1", "W1" }, { "w2", "W2" }, { "w3", "W3" }, { "w4", "W4" }, { "lstm256", "LSTM" },
  { "gru256", "GRU" }, { "resnet20", "ResNet-20" }, { "resnet50", "ResNet-50" }, { "bert", "BERT-base" },
  { "gpt2", "GPT-2 small" }, { "mobilenet", "MobileNetV2" }, { "vit", "ViT-small" }, { "unet", "U-Net" } }

page.HEAD = { "", "ours, ms a step", "PyTorch", "compiled", "TensorFlow", "JAX", "best peer's to ours",
  "first step, s: ours / PyTorch", "peak RSS, MiB: ours / PyTorch", "pairs, when, commit" }

-- What is predicted: so many rows at once.
page.PREDICTED = { "", "ours, ms", "PyTorch", "ONNX Runtime", "best peer's to ours", "peak RSS, MiB: ours / PyTorch",
  "pairs, when, commit" }
page.BATCHES = { 1, 32, "token" }

function page.prediction(name, precision, count)
  if count == "token" then
    return ("%s %s, next token"):format(name, precision)
  end
  return ("%s %s, %d row%s"):format(name, precision, count, count == 1 and "" or "s")
end

function page.row(label, cells)
  return "| " .. label .. " | " .. table.concat(cells, " | ") .. " |"
end

local function label_of(line)
  return line:match "^| (%S[^|]-) |"
end

-- Paragraphs of lines that are not too long.
function page.wrapped(text)
  local lines, line = {}, ""
  for word in text:gmatch "%S+" do
    if #line + #word >= 120 then
      lines[#lines + 1], line = line, ""
    end
    line = line .. (line == "" and "" or " ") .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

-- A table of those of the rows that there are; none: nothing.
local function add_table(list, head, lines, labels, before)
  local any = false
  for _, label in ipairs(labels) do
    if lines[label] and not any then
      any = true
      for _, one in ipairs { before, "", "| " .. table.concat(head, " | ") .. " |", "| --- |"
        .. (" ---: |"):rep(#head - 2) .. " --- |" } do
        list[#list + 1] = one
      end
    end
    list[#list + 1] = lines[label]
  end
end

local PEERS = { "torch", "tensorflow", "jax", "onnxruntime" }

-- The line of facts: { machine =, versions = { peer = its name and version }, ending = }. Versions of peers that are
-- not measured now are those of the old page, whose rows stay.
local function facts_of(old, facts)
  local names, were = {}, old:gsub("\n", " "):match "two threads each, [^;]-; (.-)%. " or ""
  for _, peer in ipairs(PEERS) do
    names[#names + 1] = facts.versions[peer] or (", " .. were):match(", (" .. peer .. " [^,]+)")
  end
  return ("%s; %s. %s"):format(facts.machine, table.concat(names, ", "), facts.ending)
end

-- The text of a page: what it had, with another line of facts and this row.
function page.text(old, title, facts, line)
  local lines = {}
  for one in old:gmatch "[^\n]+" do
    if label_of(one) then
      lines[label_of(one)] = one
    end
  end
  lines[label_of(line)] = line
  local trained, predicted = {}, {}
  for _, row in ipairs(page.ROWS) do
    for _, precision in ipairs { "fp32", "bf16" } do
      trained[#trained + 1] = row[2] .. " " .. precision
      for _, count in ipairs(page.BATCHES) do
        predicted[#predicted + 1] = page.prediction(row[2], precision, count)
      end
    end
  end
  local list = { "# " .. title, "" }
  add_table(list, page.HEAD, lines, trained, page.wrapped("Written by `./dev bench zoo`; what the models are stands in "
    .. "`tests/bench/models.lua` and `tests/bench/shapes.lua`. " .. facts_of(old, facts)
    .. " Milliseconds are medians; the ratio is that to the fastest peer, with the range of its pairs. The first "
    .. "step counts from the start of the process, with imports and data."))
  local first = #list + 1
  add_table(list, page.PREDICTED, lines, predicted, page.wrapped("`./dev bench zoo predict` gives "
    .. "`predict_on_batch` one row and 32, PyTorch the same model, and ONNX Runtime what PyTorch exports of it. The "
    .. "next token is what `pod.models.generator` makes of one, and the peers with kept keys and values of 225 "
    .. "places."))
  if list[first] then
    for i, one in ipairs { "", "## Predictions", "" } do
      table.insert(list, first + i - 1, one)
    end
  end
  return table.concat(list, "\n") .. "\n"
end

-- What a CPU is called in full: a name such as "AMD EPYC" is that of many.
function page.cpu(name)
  local file = io.open "/proc/cpuinfo"
  local text = file and file:read "a" or ""
  local family, model = text:match "cpu family%s*: (%d+)", text:match "model%s*: (%d+)"
  return name .. (family and (", family %s, model %s"):format(family, model) or "")
end

-- Writes what change(text) makes of a machine's page; a new page is to be named in docs/site/book.lua.
function page.change(here, name, change)
  local folder = here .. "/../../docs/explanation/performance/"
  local path = folder .. name:lower():gsub("%(%a+%)", ""):gsub("[^%w]+", "-"):gsub("^%-", ""):gsub("%-$", "") .. ".md"
  local file = io.open(path)
  local old = file and file:read "a" or ""
  if file then
    file:close()
  else
    os.execute("mkdir -p '" .. folder .. "'")
  end
  file = assert(io.open(path, "w"))
  file:write(change(old))
  file:close()
end

-- Puts a row into the page of a machine.
function page.write(here, cpu, facts, line)
  page.change(here, cpu, function(old)
    return page.text(old, cpu, facts, line)
  end)
end

return page
