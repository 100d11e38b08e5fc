describe("the specs", function()
  it("run under the Lua that was asked for", function()
    local wanted = os.getenv "MOONPOD_SPECS_RUN_BY"
    if not wanted then
      pending "./dev test tells which"
    elseif wanted == "luajit" then
      assert.is_table(jit) -- luacheck: ignore
    else
      assert.is_nil(rawget(_G, "jit"))
      -- the executable runs them where a sanitizer is linked into it
      assert.equal(wanted:match "^lua(%d%.%d)$" or "5.4", _VERSION:match "%d.%d")
    end
  end)
end)
