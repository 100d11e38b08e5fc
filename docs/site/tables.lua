-- tables - tables of pages whose cells know what stands above them: a phone shows them one below the other.

local tables = {}

-- The table with the heading of each cell as its attribute data-head.
function tables.with_heads(html)
  local heads = {}
  for head in (html:match "<thead>(.-)</thead>" or ""):gmatch "<th[^>]*>(.-)</th>" do
    heads[#heads + 1] = head:gsub("<[^>]*>", ""):gsub('"', "&quot;")
  end
  return (html:gsub("<tr.-</tr>", function(row)
    local at = 0
    return (row:gsub("<td", function(cell)
      at = at + 1
      return ('%s data-head="%s"'):format(cell, heads[at] or "")
    end))
  end))
end

return tables
