-- Counts under views, and casts: a compiled function gives what its ops give one by one, wherever it is called from.

local pod = require "moonpod"

-- 0 for the elements of the first row of [rows, columns], 1 for the second, in one axis.
local function rows_of(rows, columns)
    return pod.reshape(pod.iota({ rows, columns }, 0, "float32"), { -1 })
end

describe("an iota that is flattened", function()
    local expected = { -1, -1, -1, 1, 1, 1 }

    it("counts rows in a compiled function", function()
        local function f(a)
            return pod.cos(a) * (rows_of(2, 3) * 2 - 1)
        end
        assert.same(expected, f(pod.tensor(0.0)):totable())
        assert.same(expected, pod.func(f)(pod.tensor(0.0)):totable())
    end)

    it("counts rows in a layer, called, predicted and trained", function()
        local model = pod.models.sequential {
            pod.layers.lambda(function(x)
                return x + pod.exp(x:mean()) * (rows_of(2, 3) * 2 - 1)
            end),
        }
        local x = pod.zeros { 1, 6 }
        assert.same({ expected }, model(x):totable())
        assert.same({ expected }, model:predict(x):totable())
        model:compile { loss = "mean_squared_error" }
        assert.equal(0, model:evaluate(x, pod.tensor { expected }, { verbose = 0 }))
    end)

    it("rotates pictures of a map as those of a batch", function()
        local picture = pod.cast(pod.arange(16):reshape(4, 4, 1), "float32")
        local function turned(dataset)
            return dataset:map(function(image)
                return pod.image.random_rotation(image, { 0.25, 0.25 })
            end, { seed = 3 })
        end
        local alone
        for image in turned(pod.data.from_tensors(picture)):iter() do
            alone = image:reshape(16):totable()
        end
        local rounded = {}
        for i, value in ipairs(alone) do
            rounded[i] = math.floor(value + 0.5)
        end
        -- A quarter of a turn: columns become rows.
        local clockwise = { 12, 8, 4, 0, 13, 9, 5, 1, 14, 10, 6, 2, 15, 11, 7, 3 }
        local counter = { 3, 7, 11, 15, 2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12 }
        assert.same(rounded[1] == 12 and clockwise or counter, rounded)
    end)
end)

describe("a cast to bfloat16 and back", function()
    it("rounds an operand of a product on either side", function()
        local x = pod.tensor { { 1, 0 }, { 0, 1 } }:cast "float32"
        local w = pod.tensor { { 1.001, 2.003 }, { 3.007, 1.013 } }
        local expected = w:cast("bfloat16"):cast("float32"):totable()
        local function right(a, b)
            return a:matmul(b:cast("bfloat16"):cast("float32"))
        end
        local function left(a, b)
            return b:cast("bfloat16"):cast("float32"):matmul(a)
        end
        assert.same(expected, right(x, w):totable())
        assert.same(expected, left(x, w):totable())
        assert.same(expected, pod.func(right)(x, w):totable())
        assert.same(expected, pod.func(left)(x, w):totable())
        assert.are_not.same(expected, w:totable())
    end)
end)
