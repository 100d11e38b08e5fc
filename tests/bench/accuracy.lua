-- `./dev bench accuracy [w1] [w3] [--peer torch] [--python PATH] [--seeds N]`: what models have learnt after a few
-- epochs, ours and PyTorch's with the same settings, over several seeds: W1 after 5 epochs, W3 after 2.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"
local quote, capture, number_in = tools.quote, tools.capture, tools.number_in

local EPOCHS = { w1 = 5, w3 = 2 }
local names, seeds, peer, python = {}, 3, nil, nil
local at = 3
while arg[at] do
  local word, value = arg[at], arg[at + 1]
  if EPOCHS[word] then
    names[#names + 1] = word
  elseif word == "--seeds" then
    seeds = tools.whole_number(word, value)
  elseif word == "--peer" and value == "torch" then
    peer = value
  elseif word == "--python" and value then
    python = value
  else
    tools.fail("unknown argument '%s'; there are w1, w3 and the options --seeds N, --peer torch, --python PATH", word)
  end
  at = at + (EPOCHS[word] and 1 or 2)
end
if #names == 0 then
  names = { "w1", "w3" }
end
if peer then
  python = python or tools.find_python(build, peer)
end

-- The mean accuracy, and the accuracies as text.
local function train(command)
  local sum, list = 0, {}
  for seed = 1, seeds do
    local accuracy = number_in(capture(command .. " " .. seed), "accuracy")
    sum, list[seed] = sum + accuracy, ("%.4f"):format(accuracy)
  end
  return sum / seeds, table.concat(list, " ")
end

for _, name in ipairs(names) do
  for _, precision in ipairs { "bf16", "fp32" } do
    local settings = ("%s %s %d"):format(name, precision, EPOCHS[name])
    local ours, list = train(("%s %s %s"):format(quote(build .. "/moonpod"), quote(here .. "/train.lua"), settings))
    local line = ("%s %s after %d epochs: accuracy %.4f (%s)"):format(name, precision, EPOCHS[name], ours, list)
    if peer then
      local theirs, their_list = train(("%s %s %s"):format(quote(python), quote(here .. "/peers/accuracy_torch.py"),
        settings))
      line = line .. ("; %s %.4f (%s); ours is %+.2f points"):format(peer, theirs, their_list, 100 * (ours - theirs))
    end
    print(line)
    io.stdout:flush()
  end
end
