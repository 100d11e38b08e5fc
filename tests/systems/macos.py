"""Looks into what was linked for macOS, which nothing here runs: what is loaded, what is exported, and whether each
name that is asked for is there. Prints lines of TAP and how many passed.

macos.py BUILD MACHINE   the folder of ./dev build --for macos-MACHINE; arm64 or x86_64
"""

import os
import re
import struct
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CPUS = {"arm64": 0x0100000C, "x86_64": 0x01000007}
EXECUTABLE, LIBRARY = 2, 6
SYSTEM = "/usr/lib/libSystem.B.dylib"
# Kinds of load commands, as <mach-o/loader.h> has them.
SYMTAB, LOAD_DYLIB, ID_DYLIB, SIGNATURE, RPATH, BUILD_VERSION = 0x2, 0xC, 0xD, 0x1D, 0x8000001C, 0x32
passed = failed = 0


def check(what, holds, seen=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    print(f"{'ok' if holds else 'not ok'} {passed + failed} - {what}" + ("" if holds else f": {seen!r}"))


class Image:
    """A file of machine code: its header, its load commands, its symbols."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        magic, self.cpu, _, self.kind, count = struct.unpack_from("<5I", data)
        assert magic == 0xFEEDFACF, f"{path} is no 64-bit Mach-O file"
        self.loads, self.rpaths, self.name, self.signed, self.least = [], [], None, False, None
        self.exports, self.wants, self.may_lack = set(), set(), set()
        at = 32
        for _ in range(count):
            command, size = struct.unpack_from("<2I", data, at)
            if command in (LOAD_DYLIB, ID_DYLIB, RPATH):
                start = struct.unpack_from("<I", data, at + 8)[0]
                text = data[at + start:at + size].split(b"\0")[0].decode()
                if command == ID_DYLIB:
                    self.name = text
                else:
                    (self.loads if command == LOAD_DYLIB else self.rpaths).append(text)
            elif command == SIGNATURE:
                self.signed = True
            elif command == BUILD_VERSION:
                platform, least = struct.unpack_from("<2I", data, at + 8)
                self.least = (platform, least >> 16)
            elif command == SYMTAB:
                self.read_symbols(data, *struct.unpack_from("<4I", data, at + 8))
            at += size

    def read_symbols(self, data, symbols, count, strings, _):
        for at in range(symbols, symbols + 16 * count, 16):
            text, kind, _, description = struct.unpack_from("<IBBH", data, at)
            if kind & 0xE0 or not kind & 1 or kind & 0x10:  # of a debugger, or not seen from outside
                continue
            name = data[strings + text:data.index(b"\0", strings + text)].decode()
            if kind & 0x0E:
                self.exports.add(name)
            else:
                (self.may_lack if description & 0x40 else self.wants).add(name)


def public_names():
    """The functions of the public headers, as C's names are written there."""
    folder = os.path.join(ROOT, "core/include/moonpod")
    text = "".join(open(os.path.join(folder, name)).read() for name in os.listdir(folder) if name.endswith(".h"))
    return {f"_{name}" for name in re.findall(r"^POD_API .*?[ *](pod_[a-z0-9_]+)\(", text, re.MULTILINE)}


def main():
    build, machine = sys.argv[1:]
    library = Image(os.path.join(build, "libmoonpod.dylib"))
    module = Image(os.path.join(build, "lua/moonpod/core.so"))
    program = Image(os.path.join(build, "moonpod"))
    ours, public = "@rpath/libmoonpod.0.dylib", public_names()
    for name, image in ("library", library), ("module", module), ("program", program):
        kind = EXECUTABLE if image is program else LIBRARY
        check(f"the {name} is for {machine}", (image.cpu, image.kind) == (CPUS[machine], kind), (image.cpu, image.kind))
        check(f"the {name} runs on macOS 11", image.least == (1, 11), image.least)
        check(f"the {name} is signed, as 64-bit ARM wants it", image.signed or machine != "arm64")
        wanted = {SYSTEM} if image is library else {SYSTEM, ours}
        check(f"the {name} loads nothing but the system and ours", set(image.loads) == wanted, image.loads)
    check("the library is found beside who loads it", library.name == ours and
          "@loader_path" in program.rpaths and "@loader_path/../.." in module.rpaths, (program.rpaths, module.rpaths))
    own = {name for name in library.exports if not name.startswith("__")}
    check("the library exports the public functions, and nothing else", own == public,
          sorted(own ^ public)[:20])
    lua = {name for name in module.wants if name.startswith("_lua")}
    check("the program has all that the module asks of Lua", lua and lua <= program.exports,
          sorted(lua - program.exports))
    check("and all that modules of others may ask", {"_luaL_ref", "_luaL_unref", "_lua_rawsetp"} <= program.exports)
    for name, image in ("module", module), ("program", program):
        pods = {one for one in image.wants if one.startswith("_pod_")}
        check(f"the library has all that the {name} asks of it", pods and pods <= library.exports,
              sorted(pods - library.exports))
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
