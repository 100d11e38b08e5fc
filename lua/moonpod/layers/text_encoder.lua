-- text_encoder - what texts become: tokens, and their numbers.
--
-- `tokens`, `numbers`, `bucket` and `hash` have no upvalues and ask for nothing but Lua's own libraries: datasets run
-- them in Lua states of their threads.

local text_encoder = {}

-- The tokens of a text. how: standardize ("lower_and_strip_punctuation", "lower", "strip_punctuation", "none", or the
-- bytecode of a function of a text), split ("whitespace", "character", "none", or the bytecode of a function that gives
-- an array), functions (these functions by name, where they are there as such), ngrams (an array of lengths).
function text_encoder.tokens(how, text)
  local standardize, split = how.standardize, how.split
  how.functions = how.functions or {}
  local own = how.functions
  for _, name in ipairs { "standardize", "split" } do
    if how[name]:byte() == 27 then -- bytecode
      own[name] = own[name] or (rawget(_G, "loadstring") or load)(how[name])
    end
  end
  if standardize == "lower" or standardize == "lower_and_strip_punctuation" then
    text = text:lower()
  end
  if standardize == "strip_punctuation" or standardize == "lower_and_strip_punctuation" then
    text = text:gsub("[!\"#$%%&()*+,%-./:;<=>?@%[\\%]^_`{|}~']", "")
  elseif own.standardize then
    text = own.standardize(text)
    if type(text) ~= "string" then
      error("the function 'standardize' gave " .. type(text) .. ", where a string is needed", 0)
    end
  end
  local tokens = {}
  if split == "whitespace" then
    for token in text:gmatch "[^ \t\n\v\f\r]+" do
      tokens[#tokens + 1] = token
    end
  elseif split == "character" then
    for character in text:gmatch "[%z\1-\127\192-\255][\128-\191]*" do
      tokens[#tokens + 1] = character
    end
  elseif own.split then
    tokens = own.split(text)
    if type(tokens) ~= "table" then
      error("the function 'split' gave " .. type(tokens) .. ", where an array of strings is needed", 0)
    end
  else
    tokens[1] = text
  end
  if how.ngrams then
    local grams = {}
    for _, width in ipairs(how.ngrams) do
      for first = 1, #tokens - width + 1 do
        grams[#grams + 1] = table.concat(tokens, " ", first, first + width - 1)
      end
    end
    tokens = grams
  end
  return tokens
end

-- The numbers of tokens: an array. how: index (token -> number), oov (that of other tokens), unknown_count (nil, or of
-- how many numbers from oov on the hash of a token picks one, in the mode "int"; bucket_of as for bucket()), mode,
-- length (to which "int" is cut and filled up), depth (of the vectors of the other modes), idf (weights of numbers from
-- 0 on, at 1).
function text_encoder.numbers(how, tokens)
  local index, oov, mode, numbers = how.index, how.oov, how.mode, {}
  if mode == "int" then
    local length = how.length or #tokens
    for i = 1, length do
      local token = tokens[i]
      local number = token and index[token]
      if token and not number then
        number = oov
        if how.unknown_count then
          number = oov + (how.bucket_of or package.loaded["moonpod.text_bucket"])(token, how.unknown_count)
        end
      end
      numbers[i] = number or 0
    end
    return numbers
  end
  for i = 1, how.depth do
    numbers[i] = 0
  end
  for _, token in ipairs(tokens) do
    local number = index[token] or oov
    if number and number >= 0 then -- below 0 it has no place
      numbers[number + 1] = mode == "multi_hot" and 1 or numbers[number + 1] + 1
    end
  end
  for i = 1, how.idf and how.depth or 0 do
    numbers[i] = numbers[i] * (how.idf[i] or 0)
  end
  return numbers
end

-- The bucket of a text, in an array. how: count (of buckets), first (the number of the first), key (two numbers, or
-- nil), mask (the text that has number 0, or nil), bucket_of (the core's text_bucket; threads have it among their
-- modules).
function text_encoder.bucket(how, text)
  if text == how.mask then
    return { 0 }
  end
  local key = how.key or {}
  return { (how.bucket_of or package.loaded["moonpod.text_bucket"])(text, how.count, key[1], key[2]) + how.first }
end

-- The high and the low 32 bits of a text's hash, in an array. how: bucket_of.
function text_encoder.hash(how, text)
  return { (how.bucket_of or package.loaded["moonpod.text_bucket"])(text, 0) }
end

-- The numbers of a text.
function text_encoder.encode(how, text)
  return text_encoder.numbers(how, text_encoder.tokens(how, text))
end

-- Tokens by how often they came, those that came most first; of the same number the last in the order of bytes first.
function text_encoder.sorted(tally)
  local list = {}
  for token in pairs(tally) do
    list[#list + 1] = token
  end
  local function is_before(a, b) -- by bytes, whatever the locale
    for i = 1, math.min(#a, #b) do
      local x, y = a:byte(i), b:byte(i)
      if x ~= y then
        return x > y
      end
    end
    return #a > #b
  end
  table.sort(list, function(a, b)
    if tally[a] ~= tally[b] then
      return tally[a] > tally[b]
    end
    if type(a) == "number" then
      return a > b
    end
    return is_before(a, b)
  end)
  return list
end

return text_encoder
