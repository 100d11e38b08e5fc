-- python - the syntax tree of a Python file, as Python's own parser has it.

local device = require "moonpod.tensor.device"
local schema = require "moonpod.base.schema"
local texts = require "moonpod.base.texts"

local python = {}

-- Prints the tree, the lines and the comments as JSON. Numbers are told as they are written.
local PROGRAM = [==[
import ast, io, json, sys, tokenize
source = open(sys.argv[1], "rb").read()
try:
    tree = ast.parse(source)
    text = source.decode(tokenize.detect_encoding(io.BytesIO(source).readline)[0])
    def plain(node):
        if isinstance(node, list):
            return [plain(one) for one in node]
        if isinstance(node, ast.Constant):
            kind = type(node.value).__name__
            value = node.value if kind in ("str", "bool") else None
            if kind in ("int", "float"):
                value = ast.get_source_segment(text, node).replace("_", "")
            return dict(value=value, kind=kind, line=node.lineno, last=node.end_lineno, **{"is": "Constant"})
        if isinstance(node, ast.AST):
            fields = {name: plain(value) for name, value in ast.iter_fields(node) if name != "ctx"}
            if hasattr(node, "lineno"):
                fields.update(line=node.lineno, last=node.end_lineno)
            fields["is"] = type(node).__name__
            return fields
        return node
    comments = [[one.start[0], one.string[1:], one.line.lstrip().startswith("#")]
        for one in tokenize.generate_tokens(io.StringIO(text).readline) if one.type == tokenize.COMMENT]
    json.dump({"tree": plain(tree), "lines": text.splitlines(), "comments": comments}, sys.stdout)
except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError, tokenize.TokenError) as fault:
    json.dump({"fault": str(fault), "line": getattr(fault, "lineno", None)}, sys.stdout)
]==]

local ANSWER = schema.object { fault = schema.optional(schema.text), tree = schema.optional(schema.object {}),
  lines = schema.optional(schema.list_of(schema.text)),
  comments = schema.optional(schema.list_of(schema.list_of(schema.any))) }

-- The tree { is = "Module", body }, the lines of the file and its comments { line, text, whether it stands alone }; or
-- nil and why not.
function python.parse(path)
  if not io.popen then
    return nil, "a sandbox starts no program, and Python's parser is one"
  end
  device.locate("/usr/bin/python3", "moonpod port") -- a host that keeps to one folder runs no programs
  local pipe = io.popen(("python3 -I -c %s %s 2>&1"):format(texts.shell_word(PROGRAM), texts.shell_word(path)))
  local answer = pipe and pipe:read "*a" or ""
  if pipe then
    pipe:close()
  end
  local ok, found = pcall(schema.read, answer, ANSWER, "what python3 printed")
  if not ok and answer:find "not found%s*$" then
    return nil, "Python 3 reads the script, and is not there: apt-get install python3"
  elseif not ok then
    return nil, ("python3 did not read it: %s"):format(answer:match "([^\n]*)%s*$")
  elseif found.fault then
    return nil, ("it is no Python 3: %s"):format(found.fault)
  end
  return found
end

return python
