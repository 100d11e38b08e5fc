"""Reads values from JSON texts, a line each, as Python's json does, and writes them its way: escaped to ASCII, or not,
with and without spaces. tests/lua/json_spec.lua reads that again. Usage: json_texts.py IN OUT"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as lines, open(sys.argv[2], "w", encoding="utf-8") as out:
    for number, line in enumerate(lines):
        value = json.loads(line)
        text = json.dumps(value, ensure_ascii=number % 2 == 0, indent=3 if number % 3 == 0 else None)
        out.write(json.dumps(text) + "\n")
