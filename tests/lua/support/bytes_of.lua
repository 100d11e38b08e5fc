-- bytes_of - the bytes of all weights of a model, as one text: equal where the weights are.

return function(model)
  local parts = {}
  for i, weight in ipairs(model:get_weights()) do
    parts[i] = weight:data()
  end
  return table.concat(parts, "|")
end
