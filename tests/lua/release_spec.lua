-- ./dev release: what it asks of a checkout. With MOONPOD_LONG one is made twice, and compared.

local executable = dofile "tests/lua/support/executable.lua"
local files = dofile "tests/lua/support/files.lua"

local is_long = os.getenv "MOONPOD_LONG"

describe("a release", function()
  local copy = files.temporary()

  local function release(options)
    return executable.shell(("%s/tests/tools/release %s %s"):format(copy, copy, options))
  end

  setup(function()
    assert(executable.shell("git clone -q . " .. copy) == "")
    executable.shell(("cp tests/tools/release %s/tests/tools"):format(copy))
  end)

  teardown(function()
    os.execute("rm -rf " .. copy)
  end)

  it("is refused where something is not committed, written down, or new", function()
    local version = files.read(copy .. "/CHANGELOG.md"):match "\n## %[(%d+%.%d+%.%d+)%]"
    local file = assert(io.open(copy .. "/CHANGELOG.md", "w"))
    assert(file:write(("# Changelog\n\n## [Unreleased]\n\n- A line.\n\n## [%s]\n"):format(version)))
    file:close()
    executable.shell(("git -C %s tag v%s"):format(copy, version))
    local text, code = release "--tests ''"
    assert.equal(1, code)
    for _, what in ipairs { "the tree is clean", "CHANGELOG.md has a date for " .. version,
      "CHANGELOG.md says what is in " .. version, "nothing is unreleased", version .. " is not tagged" } do
      assert.is_truthy(text:find("not ok - " .. what, 1, true), text)
    end
    executable.shell(("git -C %s tag -d v%s; git -C %s checkout -q CHANGELOG.md"):format(copy, version, copy))
  end)

  if is_long then
    it("has the same bytes when it is made again, elsewhere", function()
      executable.shell(("git -C %s -c user.name=t -c user.email=t@t commit -qam test"):format(copy))
      local text, code = release "--tests '' --twice"
      assert.equal(0, code, text)
      assert.is_truthy(text:find("ok - packages made again from the tarball have the same bytes", 1, true), text)
      assert.is_truthy(text:find "moonpod_[%d.]+_amd64%.deb", text)
      assert.equal("", (executable.shell(("git -C %s tag"):format(copy))))
    end)
  end
end)
