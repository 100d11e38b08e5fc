-- The example at the head of each public header compiles.

local root = arg and arg.root or "."

-- What examples have besides what they make.
local prelude = [[
#include <stdio.h>
#include "moonpod/%s"
#include "moonpod/builders.h"
#include "moonpod/exchange.h"
#include "moonpod/image.h"
#include "moonpod/program.h"

int main(int argument_count, char **texts)
{
    pod_context *context = NULL;
    pod_error error;
    pod_status status = POD_OK;
    const char *text = texts[0], *bytes = text;
    size_t length = (size_t)argument_count, size = length;
    pod_buffer *images = NULL, *labels = NULL, *buffer = NULL, *arguments[1] = {NULL}, *results[1];
    pod_run_report report;
    pod_infeed infeed;
    (void)context, (void)error, (void)status, (void)text, (void)bytes, (void)length, (void)size;
    (void)images, (void)labels, (void)buffer, (void)arguments, (void)results, (void)report, (void)infeed;
    {
%s    }
    return 0;
}
]]
-- Of one header alone.
local given = {
  ["advise.h"] = '#include "moonpod/tpu.h"\nstatic pod_tpu_plan *plan;\nstatic pod_graph *graph;\n',
  ["compatibility.h"] = '#include "moonpod/graph.h"\nstatic pod_graph *graph;\n',
  ["events.h"] = '#include "moonpod/events.h"\nstatic pod_event_writer *writer;\n',
  ["exported.h"] = '#include <stdint.h>\nstatic float pixels[784], scores[10];\nstatic int64_t rows = 1;\n',
  ["profile.h"] = '#include "moonpod/profile.h"\nstatic pod_program *program;\nstatic pod_profile *profile;\n',
  ["program.h"] = '#include "moonpod/graph.h"\nstatic pod_graph *graph;\n',
  ["project.h"] = '#include "moonpod/tpu.h"\nstatic pod_tpu_plan *plan;\n',
  ["service.h"] = '#include "moonpod/dataset.h"\nstatic pod_dataset *batches;\n',
  ["tpu.h"] = '#include "moonpod/graph.h"\nstatic pod_graph *graph;\n',
}

local function lines_of(command)
  local pipe, lines = assert(io.popen(command)), {}
  for line in pipe:lines() do
    lines[#lines + 1] = line
  end
  return lines, pipe:close()
end

-- The indented lines of the first comment.
local function example_of(path)
  local lines = {}
  for line in io.lines(path) do
    lines[#lines + 1] = line:match "^ %*    (  ?.*)$"
    if line:find("*/", 1, true) then
      break
    end
  end
  return #lines > 0 and table.concat(lines, "\n") .. "\n"
end

describe("the example of a public header", function()
  local count = 0
  for _, path in ipairs((lines_of(("ls '%s'/core/include/moonpod/*.h"):format(root)))) do
    local name, example = path:match "[^/]+$", example_of(path)
    if example then
      count = count + 1
      it("compiles: " .. name, function()
        local source = os.tmpname()
        local file = assert(io.open(source, "w"))
        file:write((given[name] or ""), (prelude:format(name, example)))
        file:close()
        local said, compiled = lines_of(("cc -std=gnu11 -Wall -Wextra -Wno-unused-variable -Werror -fsyntax-only " ..
          "-x c -I'%s/core/include' %s 2>&1"):format(root, source))
        os.remove(source)
        assert.is_true(compiled, table.concat(said, "\n"))
      end)
    end
  end

  it("is there in most", function()
    assert.is_true(count >= 10, count)
  end)
end)
