--[[
moonpod texts.lua SOURCE FOLDER [COMMAND=FILE...] - writes the manual page and what shells complete, from what
`moonpod --help` prints: its options and commands are written down nowhere else. SOURCE is docs/man/moonpod.1.in; FOLDER
gets moonpod.1, moonpod.bash, _moonpod and moonpod.fish. What options a command has stands in the text that its file
prints for --help; the module, which prints that, may not be built yet.
]]

local source, folder = arg[1], arg[2]

local function fail(format, ...)
  io.stderr:write("texts.lua: ", format:format(...), "\n")
  os.exit(1)
end

local function read(file)
  local text = file:read "a"
  file:close()
  return text
end

local function write(name, text)
  local file = assert(io.open(folder .. "/" .. name, "w"))
  assert(file:write(text))
  assert(file:close())
end

-- ---- what --help says ----

-- Options: { names = { "-h", "--help" }, value = "stat" or nil, joined = "when" of --color=when, help = }.
local function read_option(words, help)
  local option = { names = {}, help = help }
  for word in words:gmatch "[^,]+" do
    local name, value = word:match "^%s*(%-[%w-]*)[ =]?(.-)%s*$"
    if not name then
      fail("--help has an option that is none: '%s'", words)
    end
    option.joined = option.joined or (word:find "=" and name:sub(1, 2) == "--") or false
    option.value = option.value or (value ~= "" and value) or nil
    option.names[#option.names + 1] = name
  end
  return option
end

local function read_help(text)
  local found = { usages = {}, options = {}, first = {}, commands = {} }
  for line in text:gmatch "[^\n]+" do
    local words, help = line:match "^  (%-.-)  +(%S.*)$"
    local usage = line:match "^usage: (.*)$" or line:match "^       (moonpod .*)$"
    if words then
      local option = read_option(words, help)
      found.options[#found.options + 1] = option
      found.first[option.names[1]] = found.first[option.names[1]] or option
    elseif usage then
      local synopsis, what = usage:match "^(.-)   +(%S.*)$"
      synopsis = synopsis or usage
      found.usages[#found.usages + 1] = synopsis
      local command = synopsis:match "^moonpod ([a-z]+)"
      if command then
        found.commands[#found.commands + 1] = { name = command, synopsis = synopsis, help = what or synopsis }
      end
    elseif line:find "^%s+%S" and #found.options > 0 then -- a help that goes on
      local last = found.options[#found.options]
      last.help = last.help .. " " .. line:match "^%s*(.*)$"
    end
  end
  if #found.options < 5 or #found.usages == 0 then
    fail("what --help prints was not understood:\n%s", text)
  end
  return found
end

-- The options of a command, from the usage in its file: an array as that of --help.
local function read_command(name, path)
  local usage = read(assert(io.open(path))):match("\n(usage: moonpod " .. name .. ".-)%]%]")
  local options = {}
  for option, value, help in (usage or ""):gmatch "\n  (%-%-?[%w-]+) ?(%u*) +(%l[^\n]*)" do
    options[#options + 1] = read_option(option .. " " .. value, help)
  end
  if #options == 0 then
    fail("%s: the usage of '%s' was not understood", path, name)
  end
  return options
end

-- ---- the manual page ----

local function roff(text)
  return (text:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("^([.'])", "\\&%1"))
end

local function manual(found, version)
  local synopsis, options, commands = {}, {}, {}
  for i, usage in ipairs(found.usages) do
    synopsis[#synopsis + 1] = (i > 1 and ".br\n" or "") .. ".B moonpod\n" .. roff(usage:match "^moonpod ?(.*)$")
  end
  local function add(to, option)
    local names = {}
    for _, name in ipairs(option.names) do names[#names + 1] = "\\fB" .. roff(name) .. "\\fR" end
    local value = option.value and (option.joined and "=" or " ") .. "\\fI" .. roff(option.value) .. "\\fR" or ""
    to[#to + 1] = (".TP\n%s%s\n%s"):format(table.concat(names, ", "), value, roff(option.help))
  end
  for _, option in ipairs(found.options) do add(options, option) end
  for _, command in ipairs(found.commands) do
    commands[#commands + 1] = (".TP\n.B %s\n%s"):format(roff(command.synopsis), roff(command.help))
    if #command.options > 0 then
      commands[#commands + 1] = ".RS"
      for _, option in ipairs(command.options) do add(commands, option) end
      commands[#commands + 1] = ".RE"
    end
  end
  local parts = { VERSION = version, SYNOPSIS = table.concat(synopsis, "\n"), OPTIONS = table.concat(options, "\n"),
    COMMANDS = table.concat(commands, "\n") }
  return (read(assert(io.open(source))):gsub("@(%u+)@", parts))
end

-- ---- completions ----

-- Options for shells, to which -l mod and -l g=mod are one.
local function each_once(found)
  local options = {}
  for _, option in ipairs(found.options) do
    if found.first[option.names[1]] == option then options[#options + 1] = option end
  end
  return ipairs(options)
end

local function quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- The values that a help names, of those options that have a few: "auto, always or never".
local function values_of(option)
  local values = {}
  if option.joined then
    local list = option.help:match "(%l+, %l+ or %l+)"
    for word in (list or ""):gsub(" or ", ", "):gmatch "%l+" do values[#values + 1] = word end
  end
  return values
end

local function bash(found)
  local words = {}
  for _, option in each_once(found) do
    local values = values_of(option)
    for _, name in ipairs(option.names) do
      if #values > 0 then
        for _, value in ipairs(values) do words[#words + 1] = name .. "=" .. value end
      elseif name:find "%w" then
        words[#words + 1] = name .. (option.joined and "=" or "")
      end
    end
  end
  local commands, cases = {}, {}
  for _, command in ipairs(found.commands) do
    commands[#commands + 1] = command.name
    local names = {}
    for i, option in ipairs(command.options) do names[i] = option.names[1] end
    cases[#cases + 1] = ('    %s) options="%s" files= ;;'):format(command.name, table.concat(names, " "))
  end
  return (([=[
# What bash completes of moonpod's command line. Written by cmake/texts.lua.
_moonpod()
{
    local word=${COMP_WORDS[COMP_CWORD]} line=${COMP_LINE:0:COMP_POINT} options="OPTIONS" files='!*.lua'
    COMPREPLY=()
    [ "$COMP_CWORD" = 1 ] || case ${COMP_WORDS[1]} in
CASES
    esac
    case ${line##*[[:space:]]} in
    --*=*) COMPREPLY=($(compgen -W "$options" -- "${line##*[[:space:]]}"))
        [[ $COMP_WORDBREAKS != *=* ]] || COMPREPLY=("${COMPREPLY[@]#*=}")
        return ;;
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -X "$files" -- "$word") $(compgen -d -- "$word"))
        [ "$COMP_CWORD" != 1 ] || COMPREPLY+=($(compgen -W "COMMANDS" -- "$word")) ;;
    esac
}
complete -o filenames -F _moonpod moonpod
]=]):gsub("OPTIONS", table.concat(words, " ")):gsub("COMMANDS", table.concat(commands, " "))
    :gsub("CASES", (table.concat(cases, "\n"))))
end

local IS_FILE = { FILE = "_files", OUT = "_files", PAGE = "_files", PATH = "_files" }

local function zsh(found)
  local lines = { "#compdef moonpod", "# What zsh completes of moonpod's command line. Written by cmake/texts.lua.", "",
    "if (( CURRENT > 2 )); then", "  case $words[2] in" }
  for _, command in ipairs(found.commands) do
    lines[#lines + 1] = ("  %s) shift words; (( CURRENT-- )); _arguments -S \\"):format(command.name)
    for _, option in ipairs(command.options) do
      lines[#lines + 1] = "    " .. quote(option.names[1] .. "[" .. option.help:gsub("[%[%]]", "\\%0"):gsub(":", "\\:")
        .. "]" .. (option.value and ":" .. option.value .. ":" .. (IS_FILE[option.value] or "") or "")) .. " \\"
    end
    lines[#lines + 1] = "    '*:argument:_files'; return ;;"
  end
  lines[#lines + 1] = "  esac\nfi\n_arguments -S \\"
  for _, option in each_once(found) do
    local help = option.help:gsub("[%[%]]", "\\%0"):gsub(":", "\\:")
    local values = values_of(option)
    local action = not option.value and "" or ":" .. option.value:gsub("[^%w ]", " ") .. ":" ..
      (#values > 0 and "(" .. table.concat(values, " ") .. ")" or option.value:find "^[A-Z]*$" and "_files" or "")
    for _, name in ipairs(option.names) do
      if name:find "%w" then
        local word = name .. (option.joined and "=" or "")
        lines[#lines + 1] = "  " .. quote(word .. "[" .. help .. "]" .. action) .. " \\"
      end
    end
  end
  local commands = {}
  for _, command in ipairs(found.commands) do commands[#commands + 1] = command.name end
  lines[#lines + 1] = "  " .. quote("1:script or command:{ _files -g \"*.lua(-.)\"; _files -/; compadd " ..
    table.concat(commands, " ") .. " }") .. " \\"
  lines[#lines + 1] = "  '*:argument:_files'"
  return table.concat(lines, "\n") .. "\n"
end

local function fish(found)
  local lines = { "# What fish completes of moonpod's command line. Written by cmake/texts.lua." }
  for _, option in each_once(found) do
    local line = "complete -c moonpod"
    for _, name in ipairs(option.names) do
      if name:find "^%-%w$" then line = line .. " -s " .. name:sub(2)
      elseif name:find "^%-%-%w" then line = line .. " -l " .. name:sub(3) end
    end
    if line:find " %-[sl] " then
      local values = values_of(option)
      if option.value then line = line .. " -r" end
      if #values > 0 then line = line .. " -f -a " .. quote(table.concat(values, " ")) end
      lines[#lines + 1] = line .. " -d " .. quote(option.help)
    end
  end
  for _, command in ipairs(found.commands) do
    lines[#lines + 1] = ("complete -c moonpod -n __fish_use_subcommand -a %s -d %s"):format(command.name,
      quote(command.help))
    for _, option in ipairs(command.options) do
      local name = option.names[1]
      lines[#lines + 1] = ("complete -c moonpod -n '__fish_seen_subcommand_from %s' -%s %s%s -d %s"):format(
        command.name, #name == 2 and "s" or "l", name:match "%w.*", option.value and " -r" or "", quote(option.help))
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

local program = arg[-1]
local function ask(option)
  return read(assert(io.popen(quote(program) .. " " .. option)))
end

local found = read_help(ask "--help")
for _, command in ipairs(found.commands) do
  command.options = {}
  for i = 3, #arg do
    local name, path = arg[i]:match "^(%l+)=(.*)$"
    command.options = name == command.name and read_command(name, path) or command.options
  end
end
write("moonpod.1", manual(found, ask "--version":match "moonpod ([%d.]+)"))
write("moonpod.bash", bash(found))
write("_moonpod", zsh(found))
write("moonpod.fish", fish(found))
