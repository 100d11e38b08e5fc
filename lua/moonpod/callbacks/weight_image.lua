-- weight_image - weights as pictures, as Keras' callback for TensorBoard shows them.

local weight_image = {}

-- The sizes that are not 1.
local function squeezed(shape)
  local sizes = {}
  for _, size in ipairs(shape) do
    sizes[#sizes + 1] = size ~= 1 and size or nil
  end
  return sizes
end

-- A tensor as pictures (k, height, width, channels): a vector is a column, a matrix lies, of three axes the last ones
-- are pictures. Nil where it cannot be shown.
function weight_image.of(value)
  local sizes = squeezed(value.shape)
  local rank = #sizes
  if rank == 0 or rank > 4 or value:size() == 0 then
    return nil
  end
  local t = value:reshape(sizes)
  if rank == 1 then
    return t:reshape { 1, sizes[1], 1, 1 }
  elseif rank == 2 then
    if sizes[1] > sizes[2] then
      t, sizes = t:transpose { 1, 0 }, { sizes[2], sizes[1] }
    end
    return t:reshape { 1, sizes[1], sizes[2], 1 }
  elseif rank == 3 then
    return t:transpose({ 2, 0, 1 }):reshape { sizes[3], sizes[1], sizes[2], 1 }
  end
  return (sizes[4] == 3 or sizes[4] == 4) and t or nil
end

return weight_image
