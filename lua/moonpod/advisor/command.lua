-- The command: moonpod advise program.mlir --chip v5e [--chips mine.json] [--cores 8]
-- [--html page.html]. Its exit code is the verdict's.

local core = require "moonpod.core"
local chips = require "moonpod.tpu.chips"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local file = require "moonpod.advisor.file"
local json = require "moonpod.base.json"
local projection = require "moonpod.advisor.projection"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"

local USAGE = [[
usage: moonpod advise FILE [options]
  FILE           a StableHLO module as text (docs/guides/advise.md says how to export one)
  --chip NAME    a TPU generation or slice, such as v3, v5e or v3-8; all: each generation; v3 if not said
  --chips FILE   adds chips of your own, which --chip may then name (docs/reference/formats.md)
  --cores N      cores that run the program alike
  --batch N      the program's batch, where remedies take another axis for it
  --remedy PATH  write the program of the first remedy
  --donate       results take over arguments of their type, as PyTorch/XLA's updates do
  --time         also how long a step would take, what bounds it, and its longest kernels
  --advice       what would make a step faster, and what to write for it in JAX
  --xplane DIR   write the step as XProf's trace, for XProf's or TensorBoard's profile page
  --exact        ask an installed libtpu as well: its totals, its verdict; no TPU is needed
  --compiler PATH  the libtpu.so to ask
  --quiet        the verdict alone
  --json         all figures as JSON
  --viewer       also draw the memory over the program's order
  --html PATH    write the memory viewer as a page
exit code: 0 the program fits, 2 it does not, 3 that cannot be said; 1 for an error
of --chip all: 0 it fits one, 2 it fits none, 3 what cannot be said of one, and it fits no other
]]

local CODES = { fits = 0, does_not_fit = 2, cannot_say = 3 }
local FAILED = 1

local takes_value = { ["--chip"] = "chip", ["--chips"] = "chips", ["--cores"] = "cores", ["--html"] = "html",
  ["--compiler"] = "compiler", ["--batch"] = "batch", ["--remedy"] = "remedy", ["--xplane"] = "xplane" }

local FLAGS = tables.set_of { "--time", "--advice", "--viewer", "--donate", "--exact", "--quiet", "--json" }

local function fail(message)
  io.stderr:write("moonpod advise: ", message, "\n")
  return FAILED
end

-- A value may be given once: of two the last would win in silence.
local function set(given, name, word, value)
  if given[name] ~= nil then
    return word .. " is given twice"
  end
  given[name] = value
end

local function parse(arguments)
  local given = {}
  local i, problem = 1, nil
  while i <= #arguments do
    local word = arguments[i]
    if word == "-h" or word == "--help" then
      given.help = true
    elseif FLAGS[word] then
      problem = set(given, word:sub(3), word, true)
    elseif takes_value[word] then
      i = i + 1
      if arguments[i] == nil then
        return nil, word .. " needs a value"
      end
      problem = set(given, takes_value[word], word, arguments[i])
    elseif word:sub(1, 1) == "-" and word ~= "-" then
      return nil, "there is no option " .. word
    elseif given.path then
      return nil, "one file at a time; " .. word .. " is a second one"
    else
      given.path = word
    end
    if problem then
      return nil, problem
    end
    i = i + 1
  end
  return given
end

local function verdict_line(advice)
  return ("%s on %s: %s"):format(advice.path, advice.chip, advice.memory.verdict_text)
end

local BYTES = { "argument_bytes", "output_bytes", "alias_bytes", "temp_bytes", "need_bytes", "relieved_bytes",
  "computed_again", "least_bytes", "limit_bytes", "fragmentation_bytes", "on_chip_bytes", "peak_unpadded_bytes",
  "peak_padded_bytes", "margin", "margin_below", "margin_bytes", "doubt", "kinds", "compiled" }
local OF_BUFFER = { "name", "use", "type", "argument", "op", "location", "scope", "padded_bytes", "unpadded_bytes",
  "at_peak" }
local OF_FINDING = { "support", "kind", "op", "reason", "instead", "location", "scope" }

local OF_REMEDY = { "kind", "title", "call", "need_bytes", "saves_bytes", "verdict", "batch", "parts", "devices" }

-- The largest first, as the report lists them; of equal ones the earlier.
local function by_size(buffers)
  local places = tables.range(1, #buffers)
  table.sort(places, function(a, b)
    local one, other = buffers[a].padded_bytes, buffers[b].padded_bytes
    return one > other or one == other and a < b
  end)
  return tables.map(places, function(place) return buffers[place] end)
end

-- What programs read of an advice.
local function figures(advice)
  local memory = advice.memory
  return tables.merge(tables.pick(advice, { "path", "name", "chip", "cores", "verdict", "device_argument_bytes" }),
    tables.pick(memory, BYTES), {
      verdict_text = memory.verdict_text, report = tostring(advice),
      notes = json.array(advice.notes), unknown = json.array(advice.unknown),
      findings = json.array(tables.map(advice.compatibility, tables.pick, OF_FINDING)),
      remedies = json.array(advice.verdict == "fits" and {}
        or tables.map(advice:remedies(), tables.pick, OF_REMEDY)),
      buffers = json.array(tables.map(by_size(memory.buffers), tables.pick, OF_BUFFER)),
    })
end

-- The time of a step; nil, why that is not known, and the time of what is known.
local function projection_of(advice)
  local plan, options = advice.memory._plan, { slice = advice.memory.slice }
  local time, why = projection.try(plan, options)
  local known = time or projection.try(plan, tables.merge(options, { known_alone = true }))
  if known then
    known.compiled = advice.memory.compiled and advice.memory.compiled.time
  end
  return time, why, known
end

-- The same with the time of a step, or why that is not known and what is.
local function figures_with_time(advice)
  local time, why, known = projection_of(advice)
  local compiled = advice.memory.compiled
  return tables.merge(figures(advice), { time = tables.merge(
    time and projection.figures(time) or { not_known = why, known = known and projection.figures(known) },
    { compiled = compiled and compiled.time }) })
end

local function time_text(advice)
  local time, why, known = projection_of(advice)
  return time and tostring(time) or ("step time: not known: %s%s"):format(why, known and
    (";\n  the device takes %s for all else, and for one turn of such loops"):format(projection.device_text(known))
    or "")
end

local function advice_text(advice)
  local ok, list = errors.attempt(advice.advice, advice)
  return ok and tostring(list) or "advice: not known: " .. tostring(list)
end

-- A line a chip.
local function table_of(all)
  local rows = { { "chip", "verdict", "needs", "of", "margin" } }
  for i, advice in ipairs(all) do
    local memory = advice.memory
    rows[i + 1] = { advice.chip, (advice.verdict:gsub("_", " ")), core.bytes_text(memory.need_bytes),
      core.bytes_text(memory.limit_bytes), memory.compiled and "exact"
        or ("-%.0f%% +%.0f%%"):format(memory.margin_below * 100, memory.margin * 100) }
  end
  return table.concat(text_table.lines(rows, { { align = "left" }, { align = "left" }, { align = "right" } }), "\n")
end

-- The exit code of several verdicts.
local function best(all)
  local code = CODES.does_not_fit
  for _, advice in ipairs(all) do
    local one = CODES[advice.verdict]
    if one == CODES.fits or code == CODES.does_not_fit then
      code = one
    end
    if code == CODES.fits then
      return code
    end
  end
  return code
end

-- Writes the page, the remedy's program and the trace where they are asked for.
local function write_files(advice, given)
  if given.html then
    advice.memory:html(given.html)
  end
  if given.remedy then
    errors.call_core(core.file_write, device.context(), given.remedy, advice:remedy_program())
  end
  if given.xplane then
    projection.new(advice.memory._plan, { slice = advice.memory.slice }):save_xplane(given.xplane)
  end
end

local function print_text(advice, given)
  print(verdict_line(advice))
  if given.quiet then
    return
  end
  print("\n" .. tostring(advice))
  if given.viewer then
    print("\n" .. advice.memory:viewer())
  end
  if given.time then
    print("\n" .. time_text(advice))
  end
  if given.advice then
    print("\n" .. advice_text(advice))
  end
  print("\n" .. verdict_line(advice))
end

-- Runs the command; returns its exit code.
return function(...)
  local given, problem = parse { ... }
  if not given then
    io.stderr:write(USAGE)
    return fail(problem)
  elseif given.help then
    io.write(USAGE)
    return 0
  elseif not given.path then
    io.stderr:write(USAGE)
    return fail "which file?"
  end
  for _, name in ipairs { "cores", "batch" } do
    if given[name] and not given[name]:find "^%d+$" then
      return fail(("--%s must be a whole number, not %s"):format(name, given[name]))
    end
  end
  if given.chips then
    local added, message = pcall(chips.add_file, given.chips)
    if not added then
      return fail(tostring(message))
    end
  end
  local options = { chip = given.chip, cores = tonumber(given.cores), donate = given.donate,
    batch = tonumber(given.batch), exact = given.compiler or given.exact, times = given.time }
  local is_all = given.chip == "all"
  if is_all then
    options.chip = nil
    if given.viewer or given.html or given.remedy or given.xplane or given.advice
      or (given.time and not given.json) then
      return fail("--viewer, --advice, --time, --html, --xplane and --remedy are of one chip: name it in the place "
        .. "of all")
    end
  end
  local ok, advice = pcall(is_all and file.advise_all or file.advise, given.path, options)
  if not ok then
    return fail((tostring(advice):gsub("^advise: ", "")))
  end
  local written, message = pcall(write_files, advice, given)
  if not written then
    return fail(tostring(message))
  end
  if given.json then
    local tell = given.time and figures_with_time or figures
    print(json.encode(is_all and json.array(tables.map(advice, tell)) or tell(advice), { indent = 2 }))
  elseif is_all then
    print(table_of(advice))
  else
    print_text(advice, given)
  end
  return is_all and best(advice) or CODES[advice.verdict]
end
