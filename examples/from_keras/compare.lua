-- Runs the programs of this folder in Keras and in Moonpod with some seeds, and prints mean and deviation of what they
-- print in the end, about data that was kept apart, and how many standard errors the means are apart. Where these are
-- more than three, the program differs, and this ends with 1. What each run printed goes to the standard error.
--
--   moonpod examples/from_keras/compare.lua [seeds=5] [folder=build/from_keras] [program]
--
-- Keras is that of $KERAS_PYTHON, else of build/peers (./dev peers makes it), else of python3. It runs on
-- $KERAS_BACKEND, else on JAX; programs with a tape of TensorFlow run on that, which has to be installed there, too.

local seeds, folder, only = ...
seeds, folder = tonumber(seeds or 5), folder or "build/from_keras"
local here = (arg and arg[0] or ""):match "^.*/" or ""

local function exists(path)
  local file = io.open(path)
  return file ~= nil and file:close()
end

local peers = here .. "../../build/peers/bin/python"
local python = os.getenv "KERAS_PYTHON" or exists(peers) and peers or "python3"
local moonpod = arg[-1] or "moonpod"

-- What a program prints in the end: the numbers behind each label.
local PROGRAMS = {
  { name = "tabular", { "mean error", "test mae: ([%d.]+)" }, { "within 10 %", "within 10 %%: ([%d.]+)" } },
  { name = "pictures", { "accuracy", "accuracy: ([%d.]+)%s*$" } },
  { name = "reviews", { "accuracy", "test accuracy: ([%d.]+)" } },
  { name = "segmentation", { "overlap", "overlap: ([%d.]+)%s*$" } },
  { name = "siamese", { "accuracy", "test loss: [%d.]+, accuracy: ([%d.]+)" } },
  { name = "vae", { "loss", "test loss: ([%d.]+)" } },
  { name = "gan", { "off", "off: ([%d.]+)" }, { "spread", "spread: ([%d.]+)" } },
  { name = "gpt", { "bits a character", "bits a character: ([%d.]+)" } },
  { name = "graph", { "accuracy", "accuracy: ([%d.]+)" }, { "without the graph", "without the graph: ([%d.]+)" } },
  { name = "recommender", { "off", "off: ([%d.]+)" } },
  { name = "translation", { "whole dates", "whole dates: ([%d.]+)" } },
  { name = "detection", { "found", "found: ([%d.]+)" }, { "of those told", "of those told: ([%d.]+)" } },
  { name = "cart_pole", { "steps stood", "in the end: ([%d.]+)" } },
}

local WHOSE = { "Keras", "Moonpod" }
local MOST_APART = 3
local differ = 0

local function run(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local function mean_and_deviation(values)
  local sum, squares = 0, 0
  for _, value in ipairs(values) do
    sum = sum + value
  end
  local mean = sum / #values
  for _, value in ipairs(values) do
    squares = squares + (value - mean) ^ 2
  end
  return mean, math.sqrt(squares / math.max(#values - 1, 1))
end

-- Python, with what Keras runs a program on.
local function keras_for(path)
  local file = assert(io.open(path))
  local backend = file:read("*a"):find "import tensorflow" and "tensorflow" or os.getenv "KERAS_BACKEND" or "jax"
  file:close()
  return ("KERAS_BACKEND=%s TF_CPP_MIN_LOG_LEVEL=3 %s"):format(backend, python)
end

-- Adds what a run printed to the values of a program.
local function collect(program, values, text, command, whose)
  for _, row in ipairs(program) do
    local number = tonumber(text:match(row[2]))
    if not number then
      error(("%s printed no %s:\n%s"):format(command, row[1], text:sub(-2000)), 0)
    end
    values[row[1]] = values[row[1]] or {}
    table.insert(values[row[1]], number)
    io.stderr:write(("%s %d, %s: %s %g\n"):format(program.name, #values[row[1]], row[1], whose, number))
  end
end

if not exists(folder .. "/ratings.csv") then
  io.write(run(("%s %sdata.lua '%s'"):format(moonpod, here, folder)))
end
print("| program | | Keras | Moonpod | apart |\n| --- | --- | --- | --- | --- |")
for _, program in ipairs(PROGRAMS) do
  local found = { {}, {} }
  local is_wanted = not only or only == program.name
  local keras = keras_for(here .. program.name .. ".py")
  for seed = 1, is_wanted and seeds or 0 do
    local arguments = (" %s%s.%%s '%s' %d"):format(here, program.name, folder, seed)
    for i, command in ipairs { keras .. arguments:format "py", moonpod .. arguments:format "lua" } do
      collect(program, found[i], run(command), command, WHOSE[i])
    end
  end
  for i, row in ipairs(is_wanted and program or {}) do
    local means, deviations, cells = {}, {}, {}
    for j = 1, 2 do
      means[j], deviations[j] = mean_and_deviation(found[j][row[1]])
      cells[j] = ("%.4f ± %.4f"):format(means[j], deviations[j])
    end
    local off = math.abs(means[1] - means[2])
    local apart = off == 0 and 0 or off / math.sqrt((deviations[1] ^ 2 + deviations[2] ^ 2) / seeds)
    local is_other = seeds > 1 and apart > MOST_APART
    cells[3] = ("%.1f%s"):format(apart, is_other and ": differs" or "")
    differ = differ + (is_other and 1 or 0)
    print(("| %s | %s | %s |"):format(i == 1 and "`" .. program.name .. "`" or "", row[1], table.concat(cells, " | ")))
  end
  io.stdout:flush()
end
os.exit(differ == 0, true)
