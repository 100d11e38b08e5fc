-- What a commit says of itself: a subject "area: what" of 60 columns, a blank line, a body of 120.

local house = require "house"

-- The last commit before the rule. A clone that does not reach back to it is read as far as it goes.
local BEFORE = "a3718daf8d34e1999909387c05638ede1f80b337"

local SUBJECT, BODY = 60, 120

local function git(arguments)
  return house.lines_of(("git -C %s %s 2>/dev/null"):format(house.quote(house.root), arguments))
end

-- The commits of a range, newest first: an array of { id =, lines = }.
local function read_log(range)
  local list = {}
  for _, line in ipairs(git("log --no-merges --format='commit %h%n%B%x1e' " .. range)) do
    local id = line:match "^commit (%x+)$"
    if id and (not list[#list] or list[#list].ended) then
      list[#list + 1] = { id = id, lines = {} }
    elseif line:find "\30" then
      list[#list].ended = true
    else
      table.insert(list[#list].lines, line)
    end
  end
  return list
end

-- The commits to read; LINT_COMMITS=all: of a history that does not have that commit, too, all.
local function commits()
  if git("cat-file -t " .. BEFORE)[1] == "commit" then return read_log(BEFORE .. "..HEAD") end
  local all = os.getenv "LINT_COMMITS" == "all" or git("rev-parse --is-shallow-repository")[1] == "true"
  return all and read_log "HEAD" or {}
end

-- Calls found(line, what) for all that is wrong with a message.
local function read_message(lines, found)
  local subject = lines[1] or ""
  if not subject:find "^[%l][%w_/, .-]*: %S" then found(1, 'the subject is not "area: what"') end
  if (utf8.len(subject) or #subject) > SUBJECT then found(1, ("a subject of more than %d columns"):format(SUBJECT)) end
  if lines[2] and lines[2] ~= "" then found(2, "no blank line below the subject") end
  for number = 3, #lines do
    if (utf8.len(lines[number]) or 0) > BODY then found(number, ("more than %d columns"):format(BODY)) end
  end
end

local function commits_say_what_they_do()
  for _, commit in ipairs(commits()) do
    read_message(commit.lines, function(line, what) house.finding("commit " .. commit.id, line, "%s", what) end)
  end
end

return {
  { "commits say what they do", commits_say_what_they_do },
}
