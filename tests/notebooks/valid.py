"""valid.py NOTEBOOK...: nbformat finds each valid, and writes it as it is."""
import sys

import nbformat

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    if nbformat.writes(notebook) + "\n" != text:
        sys.exit(f"{path}: nbformat writes it otherwise")
print(f"{len(sys.argv) - 1} notebooks are valid")
