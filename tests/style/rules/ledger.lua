-- How large rooms and folders are: at most what tests/style/ledger.txt says, and a commit that raises that says why.

local house = require "house"
local ledger = require "ledger"

local function rooms_are_as_large_as_the_ledger_says()
  ledger.check(ledger.count(house.root), house.read(ledger.PATH), function(format, ...)
    house.finding(ledger.PATH, 0, format, ...)
  end)
end

-- Reads as far back as a clone goes.
local function what_is_raised_has_a_reason()
  local log = house.lines_of(("git -C %s log --no-merges -p -U0 --format='commit %%h%%n%%B' -- %s 2>/dev/null"):format(
    house.quote(house.root), ledger.PATH))
  local commits = {}
  for _, line in ipairs(log) do
    local id = line:match "^commit (%x+)$"
    if id then commits[#commits + 1] = { id = id, lines = {}, text = "" } end
    local commit = commits[#commits]
    table.insert(commit.lines, line)
    commit.text = commit.text .. line .. "\n"
  end
  for _, commit in ipairs(commits) do
    for _, name in ipairs(ledger.raised(commit.lines)) do
      if not commit.text:find("\nledger: " .. name .. ": ", 1, true) then
        house.finding("commit " .. commit.id, 0, 'raises the number of %s without a line "ledger: %s: why"', name, name)
      end
    end
  end
end

return {
  { "rooms are as large as the ledger says", rooms_are_as_large_as_the_ledger_says },
  { "what the ledger raises has a reason", what_is_raised_has_a_reason },
}
