-- What installations and packages have beside the library and the module: the manual page, completions, metadata.

local executable = require "tests.lua.support.executable"
local elf = require "tests.lua.support.elf"
local read = require("tests.lua.support.files").read

local quote, shell = executable.quote, executable.shell
local build = os.getenv "MOONPOD_BUILD"
local texts = build .. "/texts"

local function is_sanitized()
  return not read(build .. "/CMakeCache.txt"):find "\nMOONPOD_SANITIZE:[^\n]*=\n"
end

-- The options that --help lists, "-e" and "--color" and so on.
local function options()
  local found = {}
  for words in shell(quote(build .. "/moonpod") .. " --help"):gmatch "\n  (%-[^\n]-)  " do
    for name in words:gmatch "%-%-?%w[%w-]*" do
      found[#found + 1] = name
    end
  end
  assert.is_true(#found > 8)
  return found
end

describe("the manual page", function()
  it("has each option that --help lists", function()
    if is_sanitized() then
      return
    end
    local page = shell(("gzip -dc %s/moonpod.1.gz"):format(quote(texts)))
    for _, name in ipairs(options()) do
      assert.is_not_nil(page:find("\\fB" .. name:gsub("%-", "\\-") .. "\\fR", 1, true), name)
    end
    assert.is_nil(page:find "@%u+@")
  end)
end)

describe("completions", function()
  -- What bash offers where a line ends with `words`.
  local function offers(words)
    return shell(([[bash -c 'source %s/moonpod.bash; COMP_WORDBREAKS="$COMP_WORDBREAKS="; COMP_WORDS=(moonpod %s)
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE="moonpod %s" COMP_POINT=${#COMP_LINE}
      _moonpod; printf "%%s\n" "${COMPREPLY[@]}"']]):format(texts, words, words))
  end

  it("offer each option that --help lists", function()
    if is_sanitized() then
      return
    end
    local fish = read(texts .. "/moonpod.fish")
    local zsh = read(texts .. "/_moonpod")
    for _, name in ipairs(options()) do
      local text = offers(name)
      assert.is_not_nil(("\n" .. text):find("\n" .. name, 1, true), name .. ": " .. text)
      assert.is_not_nil(zsh:find("'" .. name, 1, true), name)
      assert.is_not_nil(fish:find((#name == 2 and " -s " or " -l ") .. name:match "%w.*", 1, true), name)
    end
    assert.are.equal("advise\n", offers "advi")
    assert.is_not_nil(offers("--color=a"):find "auto\nalways\n")
    assert.are.equal("--chip\n--chips\n", offers "advise --ch")
    assert.are.equal("--allow-errors\n", offers "notebook run --al")
    for _, command in ipairs { "advise", "notebook" } do
      local usage = shell(quote(build .. "/moonpod") .. " " .. command .. " --help")
      for name in usage:gmatch "\n  (%-[%w-]+)" do
        assert.is_not_nil(offers(command .. " " .. name):find(name, 1, true), command .. " " .. name)
        assert.is_not_nil(fish:find("_from " .. command .. "' " .. (#name == 2 and "-s " or "-l ")
          .. name:match "%w.*", 1, true), command .. " " .. name)
        assert.is_not_nil(zsh:find("    '" .. name .. "[", 1, true), command .. " " .. name)
      end
    end
  end)
end)

describe("./dev package", function()
  it("makes packages in which lintian finds nothing", function()
    if not os.getenv "MOONPOD_LONG" then
      return
    end
    local text, code = shell "./dev package"
    assert.are.equal(0, code, text)
    for _, name in ipairs { "libmoonpod0", "libmoonpod-dev", "lua-moonpod", "moonpod" } do
      assert.is_not_nil(text:find("\n?" .. name:gsub("%-", "%%-") .. "_[%d.]+_%w+%.deb"), text)
    end
    local spec = shell "dpkg-deb --fsys-tarfile build/packages/moonpod_*.deb | \
      tar -xO ./usr/share/jupyter/kernels/moonpod/kernel.json"
    assert.is_not_nil(spec:find('"/usr/bin/moonpod-kernel"', 1, true), spec)
    local folder = os.tmpname() .. ".d"
    for path in shell(([[for one in build/packages/*.deb; do dpkg-deb -x "$one" %s; done
      find %s -type f \( -path '*/bin/*' -o -name '*.so*' \)]]):format(folder, folder)):gmatch "[^\n]+" do
      assert.are.same({}, elf.weaknesses(path), path)
    end
    shell("rm -rf " .. folder)
  end)
end)
