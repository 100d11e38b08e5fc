-- Predictions of programs that nobody has asked a compiler about, frozen, then answered and judged:
--
--   ./dev bench blind freeze | answer --compiler PATH/libtpu.so | judge
--     [--set first|second|third|fourth|too_large] [--archive PATH] [--predictions PATH] [--answers PATH]
--     [--chips v3,v5e] [--programs A,B]
--   ./dev bench blind now [--set first|second|third|fourth] [--chips v3,v5e] [--programs A,B]
--   ./dev bench blind times --compiler PATH/libtpu.so | judge_times [--times PATH] [... as above]
--
-- `freeze` writes what `moonpod advise` says of each program and chip, with the commit, and never over a file that is
-- there: what is frozen stays. `answer` asks the compiler for each of these and goes on where it was cut off. `judge`
-- prints how many verdicts were wrong, and how near needs were. tests/golden/tpu_blind.py makes the archive.
--
-- `now` judges what the executable of today says of every program and chip that has an answer, of all sets where none
-- is named: a set whose misses became rules is blind no more, so this tells whether a change helps, not how good
-- plans are.
--
-- `times` asks the compiler what it estimates of each program's time, and goes on where it was cut off; `judge_times`
-- holds the projections of now to these: see times_judge.lua.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local judge = require "blind_judge"
local json = require "moonpod.base.json"
local times_judge = require "times_judge"
local tools = require "tools"

local quote, fail = tools.quote, tools.fail
local GOLDEN = here .. "/../golden/"
local CHIPS = "v3,v4,v5e,v5p,v6e,v7x"
local COLUMNS = { "program", "kind", "chip", "need", "limit", "least", "margin", "verdict", "named",
  "temporaries", "cause", "below" }
local ANSWERS = { "program", "chip", "fits", "need", "temporaries" }
local TIMES = { "program", "kind", "chip", "cycles", "kernels", "without", "loops", "flops", "bytes", "longest" }

-- Where a set's programs, predictions and answers are, and what its archive calls it.
local SETS = {
  first = { archive = "tpu_blind.tar.xz", named = "blind", predictions = "tpu_blind_predictions.csv",
    answers = "tpu_blind_answers.csv" },
  second = { archive = "tpu_blind_2.tar.xz", named = "second", predictions = "tpu_blind_2_predictions.csv",
    answers = "tpu_blind_2_answers.csv" },
  third = { archive = "tpu_blind_3.tar.xz", named = "third", predictions = "tpu_blind_3_predictions.csv",
    answers = "tpu_blind_3_answers.csv" },
  fourth = { archive = "tpu_blind_4.tar.xz", named = "fourth", predictions = "tpu_blind_4_predictions.csv",
    answers = "tpu_blind_4_answers.csv" },
  too_large = { archive = "tpu_blind.tar.xz", named = "too_large", predictions = "tpu_too_large_predictions.csv",
    answers = "tpu_too_large_answers.csv" },
}

local options = { archive = "", predictions = "", answers = "", times = GOLDEN .. "tpu_blind_times.csv", set = "",
  chips = CHIPS, programs = "", compiler = "" }
for at = 4, #arg, 2 do
  local key = arg[at]:match "^%-%-(%a+)$"
  if not key or not options[key] or not arg[at + 1] then
    fail("'%s' is none of %s, or has no value", arg[at], tools.names_of(options))
  end
  options[key] = arg[at + 1]
end
if options.set ~= "" and not SETS[options.set] then
  fail("'%s' is none of %s", options.set, tools.names_of(SETS))
end

-- Where the programs, predictions and answers of a set are: as the options say, else those of tests/golden.
local function files_of(set)
  local files = {}
  for key, name in pairs(SETS[set]) do
    files[key] = key == "named" and name or options[key] ~= "" and options[key] or GOLDEN .. name
  end
  return files
end

local files = files_of(options.set ~= "" and options.set or "first")

local function words(text)
  local set = {}
  for word in text:gmatch "[^,]+" do
    set[#set + 1], set[word] = word, true
  end
  return set
end

-- ---- tables in files ------------------------------------------------------------------------------------------------

-- The rows of a file, or nil without one. Its first line names the columns, which later sets may have more of; others
-- that begin with # are for people.
local function read(path)
  local file = io.open(path)
  if not file then
    return nil
  end
  local rows, columns = {}, {}
  for name in (file:read "l" or ""):gmatch "[%w_]+" do
    columns[#columns + 1] = name
  end
  for text in file:lines() do
    if text:sub(1, 1) ~= "#" then
      local row, at = {}, 0
      for value in (text .. ","):gmatch "([^,]*)," do
        at = at + 1
        row[columns[at] or at] = tonumber(value) or value
      end
      if at ~= #columns then
        fail("%s: '%s' has %d values where %d are wanted", path, text, at, #columns)
      end
      row.fits = row.fits == "yes"
      rows[#rows + 1] = row
    end
  end
  file:close()
  return rows
end

local function frozen()
  return read(files.predictions) or fail("nothing is frozen: there is no %s", files.predictions)
end

local function write_row(file, columns, row)
  local values = {}
  for i, name in ipairs(columns) do
    local value = row[name] == nil and "" or row[name]
    value = type(value) == "boolean" and (value and "yes" or "no") or tostring(value)
    values[i] = (value:gsub("[,\n]", ";"))
  end
  file:write(table.concat(values, ","), "\n")
  file:flush()
end

-- ---- programs -------------------------------------------------------------------------------------------------------

local folder = tools.capture("mktemp -d"):match "%S+"

local function unpack_programs()
  tools.capture(("tar -xf %s -C %s"):format(quote(files.archive), quote(folder)))
  local file = io.open(folder .. "/list.csv") or fail("%s has no list.csv", files.archive)
  local wanted, programs = words(options.programs), {}
  for text in file:lines() do
    local set, name, kind = text:match "^([^,]+),([^,]+),[^,]+,([^,]+)"
    if set == files.named and (#wanted == 0 or wanted[name]) then
      programs[#programs + 1] = { name = name, kind = kind, path = folder .. "/" .. name .. ".mlir" }
    end
  end
  file:close()
  return programs
end

-- A module's text without the places that it tells: then both it and the compiler tell lines of the text itself.
local function without_places(text)
  local parts, at = {}, 1
  text = ("\n" .. text):gsub("\n#loc[^\n]*", "")
  while true do
    local first, last = text:find(" loc(", at, true)
    if not first then
      parts[#parts + 1] = text:sub(at)
      return table.concat(parts)
    end
    parts[#parts + 1] = text:sub(at, first - 1)
    local depth = 1
    while depth > 0 do
      local place = text:find('[()"]', last + 1)
      local sign = text:sub(place, place)
      last = sign == '"' and text:find('"', place + 1, true) or place
      depth = depth + (sign == "(" and 1 or sign == ")" and -1 or 0)
    end
    at = last + 1
  end
end

-- The path of a program without places.
local function plain(program)
  local file = assert(io.open(program.path))
  local text = without_places(file:read "a")
  file:close()
  local path = folder .. "/plain.mlir"
  file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path
end

-- What the command says of a program: its JSON, or nil and the message.
local function advise(path, chip, more)
  local pipe = assert(io.popen(("%s advise %s --chip %s --json %s 2>%s"):format(quote(build .. "/moonpod"), quote(path),
    chip, more or "", quote(folder .. "/message"))))
  local text = pipe:read "a"
  local _, _, code = pipe:close()
  if code == 0 or code == 2 or code == 3 then
    return json.decode(text, { drop_null = true })
  end
  local message = io.open(folder .. "/message"):read "a"
  return nil, message
end

-- Bytes of temporaries at the peak that have an op with a line or a layer.
local function named_bytes(buffers)
  local sum = 0
  for _, buffer in ipairs(buffers) do
    if buffer.at_peak and buffer.use ~= "argument" and buffer.use ~= "output"
      and (buffer.location or buffer.scope) then
      sum = sum + buffer.padded_bytes
    end
  end
  return sum
end

-- What is said now of a program on a chip.
local function predict(program, chip)
  local memory, message = advise(program.path, chip)
  memory = memory or { need_bytes = 0, limit_bytes = 0, least_bytes = 0, margin = 0, margin_bytes = 0,
    verdict = "cannot_say", buffers = {}, temp_bytes = 0, doubt = "refused: " .. message }
  local relieved = memory.relieved_bytes or 0 -- what is left after the compiler has computed values again
  local need = relieved > 0 and relieved or memory.need_bytes
  return { program = program.name, kind = program.kind, chip = chip, need = need, limit = memory.limit_bytes,
    least = memory.least_bytes, verdict = memory.verdict,
    margin = memory.margin + memory.margin_bytes / math.max(1, need),
    below = (memory.margin_below or 0) + memory.margin_bytes / math.max(1, need), named = named_bytes(memory.buffers),
    temporaries = memory.temp_bytes, cause = memory.doubt }
end

local function freeze()
  if io.open(files.predictions) then
    fail("%s is there already: what is frozen stays", files.predictions)
  end
  local programs, commit = unpack_programs(), nil
  for _, fact in ipairs(tools.machine(here, build, 0)) do
    commit = fact[1] == "commit" and fact[2] or commit
  end
  local part = files.predictions .. ".part"
  local file = assert(io.open(part, "w"))
  file:write("# ", table.concat(COLUMNS, ","), "\n# frozen at commit ", commit, "\n")
  for _, program in ipairs(programs) do
    for _, chip in ipairs(words(options.chips)) do
      write_row(file, COLUMNS, predict(program, chip))
    end
  end
  file:close()
  assert(os.rename(part, files.predictions))
end

local function answer()
  if options.compiler == "" then
    fail "which compiler? --compiler PATH/libtpu.so"
  end
  local predictions, paths, done = frozen(), {}, {}
  for _, program in ipairs(unpack_programs()) do
    paths[program.name] = program.path
  end
  local before = read(files.answers)
  for _, one in ipairs(before or {}) do
    done[one.program .. one.chip] = true
  end
  local file = assert(io.open(files.answers, "a"))
  if not before then
    file:write("# ", table.concat(ANSWERS, ","), "\n")
  end
  local chips = words(options.chips)
  for _, one in ipairs(predictions) do
    if paths[one.program] and chips[one.chip] and not done[one.program .. one.chip] then
      local memory, message = advise(paths[one.program], one.chip, "--exact --compiler " .. quote(options.compiler))
      local compiled = memory and memory.compiled
      if compiled and compiled.need then
        write_row(file, ANSWERS, { program = one.program, chip = one.chip, fits = compiled.fits, need = compiled.need,
          temporaries = compiled.temporaries > 0 and compiled.temporaries
            or math.max(0, compiled.need - memory.argument_bytes - memory.output_bytes + memory.alias_bytes) })
      else
        io.stderr:write(("%s on %s: %s\n"):format(one.program, one.chip, message or "no answer"))
      end
    end
  end
  file:close()
end

-- ---- times ----------------------------------------------------------------------------------------------------------

-- "17:240000;23:120000": lines of the module and the cycles that kernels of theirs take.
local function longest_text(list)
  local parts = {}
  for i, kernel in ipairs(list) do
    parts[i] = ("%d:%.0f"):format(kernel.line, kernel.cycles)
  end
  return table.concat(parts, " ")
end

local function ask_times()
  if options.compiler == "" then
    fail "which compiler? --compiler PATH/libtpu.so"
  end
  local before, done = read(options.times), {}
  for _, one in ipairs(before or {}) do
    done[one.program .. one.chip] = true
  end
  local file = assert(io.open(options.times, "a"))
  if not before then
    file:write("# ", table.concat(TIMES, ","), "\n")
  end
  for _, program in ipairs(unpack_programs()) do
    for _, chip in ipairs(words(options.chips)) do
      if not done[program.name .. chip] then
        local advice, message = advise(plain(program), chip, "--time --exact --compiler " .. quote(options.compiler))
        local time = advice and advice.time.compiled
        if time and time.cycles > 0 then
          write_row(file, TIMES, { program = program.name, kind = program.kind, chip = chip, kernels = time.kernels,
            cycles = ("%.0f"):format(time.cycles), without = time.without, loops = time.loops,
            flops = ("%.0f"):format(time.flops), bytes = ("%.0f"):format(time.bytes),
            longest = longest_text(time.longest) })
        else
          io.stderr:write(("%s on %s: %s\n"):format(program.name, chip, message or "no estimate"))
        end
      end
    end
  end
  file:close()
end

local function judge_times()
  local answers, rows = {}, {}
  for _, one in ipairs(read(options.times) or fail("there are no answers: no %s", options.times)) do
    answers[one.program .. one.chip] = one
  end
  for _, program in ipairs(unpack_programs()) do
    for _, chip in ipairs(words(options.chips)) do
      local answer = answers[program.name .. chip]
      if answer then
        local advice, message = advise(plain(program), chip, "--time")
        rows[#rows + 1] = times_judge.row(answer, advice and advice.time or { not_known = message })
      end
    end
  end
  print(times_judge.text(rows))
end

-- ---- judging --------------------------------------------------------------------------------------------------------

local function judge_frozen()
  print(judge.text(judge.figures(frozen(), read(files.answers) or {})))
end

local function judge_now()
  for _, set in ipairs(options.set ~= "" and { options.set } or { "first", "second", "third", "fourth" }) do
    files = files_of(set)
    local answers = read(files.answers) or fail("there are no answers: no %s", files.answers)
    local chips, predictions = words(options.chips), {}
    for _, program in ipairs(unpack_programs()) do
      for _, answer in ipairs(answers) do
        if answer.program == program.name and chips[answer.chip] then
          predictions[#predictions + 1] = predict(program, answer.chip)
        end
      end
    end
    print(("%s set, %d of %d answers"):format(set, #predictions, #answers))
    print(judge.misses(predictions, answers))
    print(judge.text(judge.figures(predictions, answers)))
  end
end

local commands = { freeze = freeze, answer = answer, times = ask_times, judge_times = judge_times,
  judge = judge_frozen, now = judge_now }
local command = commands[arg[3]] or fail("'%s' is none of %s", tostring(arg[3]), tools.names_of(commands))
command()
os.execute("rm -r " .. quote(folder))
