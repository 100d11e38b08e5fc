-- handles - what each handle of the core has, whatever its class: a text of its own, open and closed, and methods that
-- refuse what is no handle of theirs.

local handles = dofile "tests/fuzz/api_handles.lua"

describe("a handle", function()
  local scratch, made = os.tmpname(), {}
  setup(function()
    os.remove(scratch)
    assert(os.execute(("mkdir -p '%s'"):format(scratch)))
    for name, make in pairs(handles.makers(scratch)) do
      made[name] = make()
    end
  end)
  teardown(function() os.execute(("rm -rf '%s'"):format(scratch)) end)

  it("says what it is, open and closed", function()
    for name, handle in pairs(made) do
      for _ = 1, 2 do
        assert.matches("^moonpod%.[%w_]+[^%c]*$", tostring(handle), name)
        pcall(handle.close, handle)
      end
    end
  end)

  it("has methods that refuse others", function()
    for class, methods in pairs(handles.classes()) do
      for _, fn in pairs(methods) do
        for _, other in pairs(made) do
          local own = debug.getmetatable(other).__name == class or class:find "buffer" ~= nil -- small ones are buffers
          assert.is_true(own or not pcall(fn, other, 1, 2 ^ 53), class)
        end
        assert.is_false((pcall(fn)))
        assert.is_false((pcall(fn, io.stdout)))
      end
    end
  end)
end)
