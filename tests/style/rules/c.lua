-- What C in core/, lua/bind and repl keeps to.

local house = require "house"

-- Files that may look at single ops (`case POD_OP_`): each reader of the op table.
local op_readers = {
  "^core/graph/", "^core/exchange/", "^core/grad/", "^core/replicate/", "^core/ir/", "^core/compile/",
  "^core/kernels/reference/", "^core/tpu/", "^core/advisor/",
}

-- Words that core/ must not call, outside of those folders.
local forbidden = {
  { words = { "abort", "exit", "printf", "fprintf", "vprintf", "perror", "puts", "putchar", "sigaction" },
    except = {} },
  -- processes of their own
  { words = { "_exit", "signal" }, except = { "^core/backends/pjrt/nurse%.c$", "^core/backends/mpi/watcher%.c$" } },
  { words = { "malloc", "calloc", "realloc", "free", "strdup", "strndup", "aligned_alloc",
              "posix_memalign" }, except = { "^core/base/" } },
  -- What starts programs or loads libraries stands behind doors that refuse sandboxes: pod_context_is_guest().
  { words = { "fork", "posix_spawn", "posix_spawnp", "execv", "execvp", "execve", "system", "popen", "uv_spawn",
              "dlopen", "uv_dlopen" },
    except = { "^core/backends/", "^core/kernels/openblas%.c$", "^core/service/libraries%.c$",
               "^core/service/local%.c$" } },
}

local function the_library_is_a_guest()
  for path, file in pairs(house.source) do
    if path:find "^core/" then
      for number, line in ipairs(file.code) do
        for _, rule in ipairs(forbidden) do
          for _, word in ipairs(rule.words) do
            local at = line:find("%f[%w_]" .. word .. "%s*%(")
            local before = at and line:sub(1, at - 1)
            -- A member or a parameter may have such a name.
            if at and not before:find "[.>]%s*$" and not house.matches_any(path, rule.except) then
              house.finding(path, number, "core/ must not call %s()", word)
            end
          end
        end
      end
    end
  end
end

-- Says whether a line belongs to a declaration that goes on or ends in it.
local function in_declaration(line)
  return line ~= nil and (line:find "^%s*POD_API" or line:find "^%s+[%w_]" or line:find "^%s*#%s*define X")
end

-- A declaration is documented by the comment right before it; it may share one with a run of declarations, or
-- stand right after the type that it gives.
local function public_functions_are_documented()
  for path, file in pairs(house.source) do
    if path:find "^core/include/" then
      for number, line in ipairs(file.lines) do
        if line:find "^%s*POD_API" then
          local last = number
          while not file.lines[last]:find ";" and file.lines[last + 1] do last = last + 1 end
          local above, below = file.lines[number - 1] or "", file.lines[last + 1] or ""
          local getter = file.lines[number - 2] and file.lines[number - 2]:find ";%s*$" and
            line:find "^POD_API [%w_ ]+%*?%s*pod_[%w_]+%(const pod_[%w_]+ %*[%w_]+%);$"
          if not above:find "%*/%s*$" and not in_declaration(above) and not in_declaration(below) and
             not getter then
            house.finding(path, number, "a public function without a comment")
          end
        end
      end
    end
  end
end

-- The names that public headers declare for export, as the preprocessor leaves them: lists of functions included.
local function declared_symbols()
  local declared = {}
  local headers = {}
  for path in pairs(house.source) do
    headers[#headers + 1] = path:match "^core/include/(.*%.h)$"
  end
  table.sort(headers)
  for i, header in ipairs(headers) do headers[i] = ('#include "%s"'):format(header) end
  local command = ("cd %s && printf '%%s\\n' %s | cc -E -P -x c -Icore/include - 2>/dev/null"):format(
    house.quote(house.root), house.quote(table.concat(headers, "\n")))
  local text = table.concat(house.lines_of(command), " ")
  for declaration in text:gmatch '__attribute__%(%(visibility%("default"%)%)%)([^;]*);' do
    declaration = declaration:gsub("__attribute__%s*%b()", "")
    local name = declaration:match "([%w_]+)%s*%(" or declaration:match "([%w_]+)%s*%[?%]?%s*$"
    if name then declared[name] = true end
  end
  return declared
end

-- What a library that counts what runs (./dev coverage) exports of gcc's own.
local function is_of_gcov(name)
  return name:find "^__gcov_" ~= nil or name == "mangle_path"
end

-- The library exports what the public headers declare, and nothing else; kind A is the name of their version.
local function exported_symbols_are_declared()
  local library = house.build .. "/libmoonpod.so"
  local file = io.open(library, "rb")
  if not file then
    house.finding("libmoonpod.so", 0, "the library is not built")
    return
  end
  file:close()
  local declared = declared_symbols()
  for _, line in ipairs(house.lines_of("nm -D --defined-only " .. house.quote(library))) do
    local kind, name = line:match "(%a) ([^%s@]+)%S*%s*$"
    if name and kind ~= "A" and not declared[name] and not is_of_gcov(name) then
      house.finding("libmoonpod.so", 0, "exports %s, which no public header declares", name)
    end
    if name then declared[name] = nil end
  end
  for name in pairs(declared) do
    house.finding("libmoonpod.so", 0, "does not export %s, which a public header declares", name)
  end
end

-- Compiles a header alone in each language it must be readable in.
local function compile_alone(path)
  for _, how in ipairs { "cc -x c -std=c99", "cc -x c -std=c11", "c++ -x c++ -std=c++17" } do
    local output = house.lines_of(([[cd %s && command -v %s >/dev/null && printf '#include "%s"\n' |
      %s -fsyntax-only -Wall -Wextra -pedantic -Icore/include - 2>&1]]):format(
      house.quote(house.root), how:match "%S+", path:match "^core/include/(.*)$", how))
    if output[1] then house.finding(path, 0, "%s: %s", how, output[1]) end
  end
end

local function public_headers_stand_alone()
  local standard = { ["stdbool.h"] = true, ["stddef.h"] = true, ["stdint.h"] = true }
  for path, file in pairs(house.source) do
    if path:find "^core/include/" then
      for number, line in ipairs(file.lines) do
        local system = line:match "^%s*#%s*include%s*<([^>]+)>"
        if system and not standard[system] then
          house.finding(path, number, "a public header includes <%s>", system)
        end
      end
      compile_alone(path)
    elseif path:find "^core/" then
      for number, line in ipairs(file.lines) do
        if line:find '^%s*#%s*include%s*[<"]l?[ua]*uxlib%.h' or
           line:find '^%s*#%s*include%s*[<"]lua' then
          house.finding(path, number, "core/ must not know Lua")
        end
      end
    end
  end
end

local function ops_are_read_where_they_may_be()
  for path, file in pairs(house.source) do
    if not house.matches_any(path, op_readers) then
      for number, line in ipairs(file.code) do
        if line:find "case%s+POD_OP_" then
          house.finding(path, number, "looks at single ops; the op table is the only list (see op_readers)")
        end
      end
    end
  end
end

local function unfinished_work_is_not_left()
  for path, file in pairs(house.source) do
    for number, line in ipairs(file.lines) do
      for _, word in ipairs { "TODO", "FIXME", "XXX" } do
        if line:find("%f[%w]" .. word .. "%f[%W]") and not line:find(word .. "%(#%d+%)") then
          house.finding(path, number, "%s without the number of an issue", word)
        end
      end
    end
  end
end

local function intrinsics_stand_in_files_named_by_family()
  for path, file in pairs(house.source) do
    if path:find "^core/" and not path:find "_avx2%.[ch]$" and not path:find "_avx512%.[ch]$" and
       not path:find "_avx512bf16%.[ch]$" and not path:find "_amx%.[ch]$" then
      for number, line in ipairs(file.code) do
        if line:find "#%s*include%s*<[%a]*intrin%.h>" then
          house.finding(path, number, "intrinsics belong in a file named by its CPU family")
        end
      end
    end
  end
end

-- Where a lua_State stays in a struct, and until when.
local kept_states = {
  ["lua/bind/copied_values.h"] = "while one call copies", ["lua/bind/dataset_access.h"] = "between enter and leave",
  ["lua/bind/graph_copy.c"] = "while one call copies", ["lua/bind/lua_iterator.c"] = "between enter and leave",
  ["lua/bind/lua_run.c"] = "while one call runs", ["lua/bind/lua_sandbox.c"] = "the sandbox's own",
  ["lua/bind/pattern_match.h"] = "while one call matches", ["lua/bind/sandbox.h"] = "while a run is under way",
  ["lua/bind/sandbox_host.c"] = "while one call runs", ["lua/bind/sandbox_state.h"] = "the sandbox's own",
}

-- A coroutine that a struct still has when it is over is memory of others.
local function states_are_not_kept()
  for path, file in pairs(house.source) do
    for number, line in ipairs(path:find "^lua/bind/" and not kept_states[path] and file.code or {}) do
      if line:find "^%s+lua_State %*[%w_]+[;,]" then
        house.finding(path, number, "keeps a lua_State, which may be over by then: see kept_states")
      end
    end
  end
end

-- Functions of the binding that lua/moonpod does not call: who does.
local called_by_tools_alone = {
  set = "specs, of buffers", verify = "specs, of graphs",
  asking_patterns = "repl/patterns.c",
}

-- Names that tables of pod_lua_function and luaL_Reg give, with the place of each.
local function bound_functions()
  local bound = {}
  for path, file in pairs(house.source) do
    local inside = false
    for number, line in ipairs(path:find "^lua/bind/.*%.c$" and file.lines or {}) do
      inside = inside or line:find "^%s*static const pod_lua_function [%w_]+%[%] ="
        or line:find "^static const luaL_Reg [%w_]+%[%] ="
      for name in line:gmatch(inside and '{"([%w_]+)",' or "%z") do bound[name] = { path, number } end
      inside = inside and not line:find "};"
    end
  end
  return bound
end

-- binding_calls.txt says which spec calls each function, as record_calls.lua has noted.
local function bound_functions_are_called()
  local bound, called = bound_functions(), {}
  for number, line in ipairs(house.split(house.read "tests/style/binding_calls.txt")) do
    local name, spec = line:match "^(%S+) (%S+)$"
    local file = spec and io.open(house.root .. "/" .. spec)
    if file then file:close() end
    if name and not (bound[name] and file) then
      house.finding("tests/style/binding_calls.txt", number, "%s or %s is gone", name, spec)
    elseif name then
      called[name] = true
    end
  end
  for name, place in pairs(bound) do
    if not called[name] then
      house.finding(place[1], place[2], "no spec is known to call %s: see tests/style/record_calls.lua", name)
    end
  end
end

-- Says whether code names a function of the binding: as a method, as a field, or as text that is called by.
local function calls_bound(code, name)
  return code:find(("[.:]%s%%f[^%%w_]"):format(name)) or code:find(('"%s"'):format(name), 1, true)
end

local function bound_functions_have_a_use()
  local texts = {}
  for _, path in ipairs(house.files({ "lua/moonpod", "repl" }, { "*.lua" })) do
    texts[#texts + 1] = house.read(path):gsub("%-%-[^\n]*", "")
  end
  local code = table.concat(texts, "\n")
  for name, place in pairs(bound_functions()) do
    local used = calls_bound(code, name)
    if not used and not called_by_tools_alone[name] then
      house.finding(place[1], place[2], "nothing in lua/moonpod calls %s", name)
    elseif used and called_by_tools_alone[name] then
      house.finding("tests/style/rules/c.lua", 0, "%s is called by lua/moonpod, too", name)
    end
  end
end

-- Public functions that neither the binding nor an example calls: what a host of C does with them.
local elementwise = "Lua reaches every op of elements by pod_graph_elementwise()"
local plan = "a plan as a host reads it; the binding reads pod_memory_facts, which have the same"
local for_hosts_of_c = {
  ["builders.h"] = elementwise,
  pod_bf16_from_f32 = "writes elements of 16 bits", pod_f16_from_f32 = "writes elements of 16 bits",
  pod_element_bits = "sizes of elements that no pod_dtype is", pod_node_element = "elements that no pod_dtype is",
  pod_example_find = "reads what pod_example_decode() gave", pod_node_is_valid = "finds the call that failed",
  pod_program_planned_bytes = "asks for the memory of a run before the run",
  pod_slice_from_sizes = "slices by numbers; scripts name them",
  pod_tpu_plan_certainty = plan, pod_tpu_plan_step = plan,
  pod_tpu_plan_step_count = plan,
}

-- Adds the names in a text to a set.
local function add_names(names, text)
  for name in text:gmatch "[%a_][%w_]*" do names[name] = true end
end

-- The names that the binding, the REPL, examples and the examples at the heads of public headers use.
local function reached_names()
  local names = {}
  for path, file in pairs(house.source) do
    if path:find "^lua/bind/" or path:find "^repl/" then
      add_names(names, table.concat(file.code, "\n"))
    elseif path:find "^core/include/" then
      for _, line in ipairs(file.lines) do
        add_names(names, line:match "^ %*     (.*)$" or "")
        if line:find("*/", 1, true) then break end
      end
    end
  end
  for _, path in ipairs(house.files({ "examples" }, { "*.c", "*.h" })) do add_names(names, house.read(path)) end
  return names
end

local function public_functions_have_a_use()
  local reached, header_of = reached_names(), {}
  for path, file in pairs(house.source) do
    local name = path:match "^core/include/moonpod/(.*)$"
    for word in table.concat(name and file.code or {}, "\n"):gmatch "[%a_][%w_]*" do header_of[word] = name end
  end
  for name in pairs(declared_symbols()) do
    local reason = for_hosts_of_c[name]
    if not reached[name] and not reason and not for_hosts_of_c[header_of[name]] then
      house.finding("core/include/moonpod/" .. (header_of[name] or "?"), 0, "nothing that is not C calls %s, " ..
        "nor an example: wire it, make it internal, or say in rules/c.lua what a host does with it", name)
    elseif reached[name] and reason then
      house.finding("tests/style/rules/c.lua", 0, "%s needs no reason", name)
    end
    for_hosts_of_c[name] = nil
  end
  for name in pairs(for_hosts_of_c) do
    if name:find "^pod_" then house.finding("tests/style/rules/c.lua", 0, "%s is gone", name) end
  end
end

-- Numbers of Lua become numbers of C in one file, each within a range that is said; what has none is not counted with.
local raw_numbers = { "lua_tointeger", "lua_tointegerx", "lua_tonumber", "lua_tonumberx", "luaL_checkinteger",
  "luaL_optinteger", "luaL_checknumber", "luaL_optnumber", "luaL_checkint", "luaL_optint", "luaL_checklong",
  "lua_rawlen" }

local function find_raw_numbers(path, file)
  for number, line in ipairs(file.code) do
    if line:find "newuserdata%([^,]*,.*%*%s*sizeof" or line:find "newuserdata%([^,]*,.*%w %* " then
      house.finding(path, number, "makes a block by a product: pod_lua_new_array() looks whether it fits")
    end
    for _, word in ipairs(raw_numbers) do
      if line:find("%f[%w_]" .. word .. "%s*%(") and not line:find "sizeof%(pod_lua_small_box%)" then
        house.finding(path, number, "calls %s(): lua/bind/arguments.c converts, within a range", word)
      end
    end
  end
end

-- Sums, differences and products of a variable that has whatever Lua gave, up to the end of its function.
local function find_unchecked_arithmetic(path, file)
  local given = {}
  for number, line in ipairs(file.code) do
    given = line:find "^}" and {} or given
    for name in pairs(given) do
      local word = "%f[%w_]" .. name .. "%f[^%w_]"
      if line:find(word .. "%s*[-+*][^>]") or line:find("[-+*]%s*" .. word) or line:find("<<%s*" .. word) then
        house.finding(path, number, "counts with '%s', which may be any number: use core/base/checked.h, or ask for "
          .. "a range", name)
      end
    end
    if line:find "pod_lua_check_any" then
      local name = line:match "([%w_]+)%s*=[^=]"
      if name and not line:find("%." .. name) and not line:find("%->" .. name) then
        given[name] = true
      end
    end
  end
end

local function numbers_of_lua_are_checked()
  for path, file in pairs(house.source) do
    if path:find "^lua/bind/.*%.c$" and path ~= "lua/bind/arguments.c" then
      find_raw_numbers(path, file)
      find_unchecked_arithmetic(path, file)
    end
    for number, line in ipairs(path ~= "core/base/checked.h" and file.code or {}) do
      if line:find "__builtin_%a+_overflow" then
        house.finding(path, number, "checked arithmetic is that of core/base/checked.h")
      end
    end
  end
end

-- pod_input_stage_next() and pod_input_stage_pass_over() look whether to go on, so loops over elements end.
local function elements_come_by_one_door()
  for path, file in pairs(house.source) do
    for number, line in ipairs(path:find "^core/input/" and path ~= "core/input/stage.c" and file.code or {}) do
      if line:find "kind%->next%(" or line:find "kind%->pass_over%(" then
        house.finding(path, number, "elements come by pod_input_stage_next(), which looks whether to go on")
      end
    end
  end
end

-- Who starts threads: each takes a place for one in the account of its context (core/base/thread.h).
local starts_threads = { ["core/base/system/on_posix.c"] = "is how",
  ["core/base/system/on_windows.c"] = "is how", ["notebooks/kernel/threads.c"] = "is a program",
  ["repl/diverted.c"] = "is a program" }

-- What is taken beside the allocators of states and contexts, which count: of the binding a little, with each userdata;
-- of the core what other libraries take, whose size somebody has looked at.
local takes_memory = { ["lua/bind/dataset_callbacks.c"] = "a struct that other threads free, with each source",
  ["lua/bind/lua_dataset.c"] = "one of a state, which other threads free",
  ["lua/bind/guard.c"] = "a pointer for each handle that is closed", ["lua/bind/tpu.c"] = "a struct with each plan",
  ["lua/bind/lua_compiled.c"] = "a chunk, for one call", ["lua/bind/lua_context.c"] = "a ring with each context",
  ["lua/bind/lua_sandbox.c"] = "is how", ["lua/bind/sandbox_limits.c"] = "is how",
  ["lua/bind/worker.c"] = "sandboxes refuse it", ["core/base/context_new.c"] = "is how",
  ["core/formats/jpeg.c"] = "takes as much from its context meanwhile; 10 KB of a decoder do not count",
  ["core/formats/jpeg_write.c"] = "30 bytes a column, no more than the block it fills",
  ["core/formats/png.c"] = "12 KB of a decoder do not count" }

local function takes_beside(line)
  return line:find "%f[%w_][mcre]+alloc%s*%(" or line:find "%f[%w_]strn?dup%s*%(" or line:find "%f[%w_]tjInit%a+%("
    or line:find "%f[%w_]libdeflate_alloc" or line:find "%f[%w_]z_stream%s+[%w_]+%s*=%s*{"
    or line:find "%f[%w_]mmap%s*%("
end

local function threads_and_memory_have_an_account()
  for path, file in pairs(house.source) do
    local text = table.concat(file.code, "\n")
    local takes = text:find "pod_threads_take%s*%(" and text:find "pod_threads_give_back%s*%("
    for number, line in ipairs(file.code) do
      if not starts_threads[path] and (line:find "%f[%w_]%a+_thread_create%a*%s*%(" or line:find "thrd_create") then
        house.finding(path, number, "starts a thread: pod_thread_start() does")
      elseif line:find "%f[%w_]pod_thread_start%s*%(" and not path:find "%.h$" and not takes
        and not starts_threads[path] then
        house.finding(path, number, "starts a thread without pod_threads_take() and pod_threads_give_back()")
      elseif (path:find "^lua/bind/" or path:find "^core/") and not takes_memory[path] and takes_beside(line) then
        house.finding(path, number, "takes memory beside every account: see takes_memory")
      end
    end
  end
end

return {
  { "threads and memory have an account", threads_and_memory_have_an_account },
  { "states of Lua are not kept", states_are_not_kept },
  { "numbers of Lua are checked", numbers_of_lua_are_checked },
  { "functions of the binding are called by specs", bound_functions_are_called },
  { "functions of the binding have a use", bound_functions_have_a_use },
  { "public functions have a use", public_functions_have_a_use },
  { "the library is a guest", the_library_is_a_guest },
  { "public functions are documented", public_functions_are_documented },
  { "exported symbols are those that headers declare", exported_symbols_are_declared },
  { "public headers stand alone", public_headers_stand_alone },
  { "ops are read only by the readers of the op table", ops_are_read_where_they_may_be },
  { "no unfinished work is left", unfinished_work_is_not_left },
  { "intrinsics stand in files named by family", intrinsics_stand_in_files_named_by_family },
  { "elements come by one door", elements_come_by_one_door },
}
