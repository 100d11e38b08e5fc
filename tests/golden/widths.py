#!/usr/bin/env python3
"""Writes repl/editor/widths.def: the columns that characters take on a terminal, of Python's Unicode data.

    python3 tests/golden/widths.py > repl/editor/widths.def

Nothing: marks that stand on what is before them, and what has no shape. Two: what East Asian Width calls wide. Those
that are not in either list take one.
"""

import unicodedata


def width(code):
    character = chr(code)
    category = unicodedata.category(character)
    if code == 0xAD:  # the soft hyphen is shown
        return 1
    if category in ("Mn", "Me", "Cf") or 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF:
        return 0
    if category != "Cn" and unicodedata.east_asian_width(character) in "WF":
        return 2
    # Planes of ideographs: also what is not given out yet.
    if 0x20000 <= code <= 0x2FFFD or 0x30000 <= code <= 0x3FFFD or 0x3400 <= code <= 0x4DBF or 0x4E00 <= code <= 0x9FFF:
        return 2
    return 1


def ranges(wanted):
    found, first = [], None
    for code in range(0xA0, 0x110000):
        if not 0xD800 <= code <= 0xDFFF and width(code) == wanted:
            if first is None:
                first = code
            last = code
        elif first is not None:
            found.append((first, last))
            first = None
    if first is not None:
        found.append((first, last))
    return found


print("/* Written by tests/golden/widths.py: do not edit. Characters from first to last, of Unicode "
      f"{unicodedata.unidata_version}. */")
entries = sorted([(a, b, 0) for a, b in ranges(0)] + [(a, b, 2) for a, b in ranges(2)])
line = ""
for first, last, columns in entries:
    entry = f"{'WIDE' if columns else 'NONE'}({first:X}, {last:X})"
    if len(line) + len(entry) + 1 > 118:
        print(line)
        line = ""
    line += (" " if line else "") + entry
print(line)
