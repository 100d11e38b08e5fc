"""What people do with the zip for Windows: unpacks it into a folder, runs what lies there by wine, and prints lines of
TAP and how many passed.

windows.py BUILD   the folder of ./dev build --for windows
"""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(sys.argv[1])
WINE = os.path.join(ROOT, "tests/tools/wine")
PATIENCE = 600  # seconds of a program, on a machine that does other things as well
LONG = os.environ.get("MOONPOD_LONG")
passed = failed = 0


def check(what, holds, seen=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    print(f"{'ok' if holds else 'not ok'} {passed + failed} - {what}" + ("" if holds else f": {seen!r}"), flush=True)


def of_windows(path):
    return "Z:" + path.replace("/", "\\")


def run(*words, at="/", patience=PATIENCE, **environment):
    """Returns what a program printed, both streams, with ends of lines as here."""
    # What the machine has set for Lua is no matter of a Windows.
    own = {name: value for name, value in os.environ.items() if not name.startswith("LUA_")}
    done = subprocess.run([WINE, *words], cwd=at, env={**own, **environment}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=patience)
    return done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")


# A training and a file, by the path that a script is given.
SCRIPT = """
local path = (...) .. "/model.safetensors"
pod.random.set_seed(1)
local model = pod.models.sequential { pod.layers.dense(3, { input_shape = { 2 } }) }
model:compile { optimizer = "sgd", loss = "mse" }
model:train_on_batch(pod.random.normal { 4, 2 }, pod.random.normal { 4, 3 })
local row = pod.tensor { { 1, 2 } }
local first = model:predict_on_batch(row)
model:save(path)
local second = pod.models.load(path):predict_on_batch(row)
assert((first - second):abs():max():item() == 0, "the model is another one")
print "the same"
"""


def paths(program, folder):
    script = os.path.join(folder, "ein Skript für alle.lua")
    with open(script, "w") as file:
        file.write(SCRIPT)
    long = folder
    while len(long) < 300:
        long = os.path.join(long, "ein recht langer Name mit Blänks")
    for what, where in {"blanks and umlauts": os.path.join(folder, "Mein Ördner"), "300 characters": long}.items():
        os.makedirs(where, exist_ok=True)
        said = run(program, of_windows(script), of_windows(where))
        check(f"a path with {what}", "the same" in said and os.path.exists(os.path.join(where, "model.safetensors")),
              said)
    said = run(program, of_windows(script), "Z:\\sys\\kernel")
    check("what cannot be written to is named, once", "model.safetensors" in said and "the same" not in said and
          said.count("moonpod:") == 1, said)
    crlf = os.path.join(folder, "crlf.lua")
    with open(crlf, "wb") as file:
        file.write(SCRIPT.replace("\n", "\r\n").encode() + b"print(#[[a\r\nb]]) -- \r\n")
    said = run(program, of_windows(crlf), of_windows(folder))
    check("a script with ends of lines of Windows", said == "the same\n3\n", said)
    said = run(program, of_windows(os.path.join(folder, "keine Datei.lua")))
    check("a script that is not there", "keine Datei.lua" in said, said)


class Console:
    """A console of wine's, which has the code page 437, with a program on it."""

    def __init__(self, *words, **environment):
        self.heard = b""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(WINE, ["wine", *words], {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                                               **environment})

    def until(self, pattern, patience=PATIENCE):
        """Reads until a pattern was written; returns what it matched, or nothing."""
        ends = time.monotonic() + patience
        while True:
            seen = re.sub(rb"\x1b\[\d*C", b" ", self.heard)  # wine draws one character at a time
            seen = re.sub(rb"\x1b\[[?0-9;]*[A-Za-z]", b"", seen)
            found = re.search(pattern, seen, re.DOTALL)
            if found:
                self.heard = seen[found.end():]  # the next prompt may have come along
                return found
            if time.monotonic() > ends or not select.select([self.terminal], [], [], 1)[0]:
                if time.monotonic() > ends:
                    return None
                continue
            try:
                self.heard += os.read(self.terminal, 65536)
            except OSError:
                return None

    def type(self, text):
        os.write(self.terminal, text)

    def end(self):
        try:
            ended, status = os.waitpid(self.process, os.WNOHANG)
            if not ended:
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
        finally:
            os.close(self.terminal)


def console(program, folder):
    home = of_windows(folder).replace("\\", "/")
    one = Console(program, MOONPOD_HISTORY=home + "/Eingaben/history")
    check("a session begins", one.until(rb"Ctrl-D ends.*> "), one.heard)
    one.type(b"1+1")
    one.until(rb"1\+1")
    one.type(b"\x1b[D\x1b[D0\r")
    check("a line is edited", one.until(rb"\n11\r"), one.heard)
    one.until(rb"> ")
    one.type(b"print(utf8.char(252, 1078) .. '!')\r")
    check("a console of code page 437 shows all letters", one.until("\nüж!\r".encode()), one.heard)
    one.until(rb"> ")
    one.type(b"while true do end\r")
    one.until(rb"end")
    time.sleep(1)  # the loop runs, or will be found before it does
    one.type(b"\x03")
    check("Ctrl-C ends what runs", one.until(rb"interrupted!.*> "), one.heard)
    one.type(b"2 * 21\r")
    check("and the session goes on", one.until(rb"\n42\r"), one.heard)
    one.until(rb"> ")
    one.type(b"\x1b[A\x1b[A\r")
    check("what was entered comes again", one.until(rb"interrupted!|while true do end"), one.heard)
    time.sleep(1)
    one.type(b"\x03")
    one.until(rb"interrupted!.*> ")
    one.type(b"\x04")
    time.sleep(2)
    one.end()
    history = os.path.join(folder, "Eingaben/history")
    kept = open(history).read() if os.path.exists(history) else "no file"
    check("entries are kept in a file", "2 * 21\n" in kept, kept)


def hosts(folder):
    for name in "frames.exe", "windows_host.exe", "luajit.exe", "lua51.dll":
        shutil.copy(os.path.join(BUILD, name), folder)
    said = run(os.path.join(folder, "frames.exe"), "60", "20", "4", at=folder)
    weights = re.search(r"weights \w+", said)
    trained = re.search(r"steps of training in (\d+) of them", said)
    check("a host in C trains within frames", weights and trained and int(trained[1]) > 1, said)
    root = of_windows(folder).replace("\\", "/")
    said = run(os.path.join(folder, "luajit.exe"), of_windows(ROOT + "/examples/embed_frames/policy.lua"), EPOCHS="20",
               SLICE="1", LUA_PATH=f"{root}/lua/?.lua;{root}/lua/?/init.lua", LUA_CPATH=f"{root}/lua5.1/?.dll")
    check("LuaJIT trains in slices to the same bits", weights and weights[0] in said, (said, weights and weights[0]))
    native = os.path.join(ROOT, "build/release/moonpod")
    if os.path.exists(native):
        here = subprocess.run([native, ROOT + "/examples/embed_frames/policy.lua"], capture_output=True, text=True,
                              env={**os.environ, "EPOCHS": "20", "SLICE": "1"}).stdout
        check("which are those of Linux on this machine", weights and weights[0] in here, here)
    said = run(os.path.join(folder, "windows_host.exe"), LONG and "1000" or "40", root, at=folder, patience=1500)
    print("".join(f"{line}\n" for line in said.splitlines() if line.startswith("#")), end="")
    check("contexts and states come and go", said.endswith("6 passed, 0 failed\n"), said)


def main():
    archive = [name for name in os.listdir(BUILD) if name.endswith("-windows-x86_64.zip")]
    check("there is one zip", len(archive) == 1, archive)
    with tempfile.TemporaryDirectory(prefix="Übungen mit moonpod ") as home:
        with zipfile.ZipFile(os.path.join(BUILD, archive[0])) as file:
            file.extractall(home)
        folder = os.path.join(home, archive[0][:-4])
        program = os.path.join(folder, "moonpod.exe")
        said = run(program, "-e", "print(require 'moonpod'.device.context and 'found')", at=home)
        check("what was unpacked finds all that it needs", "not found" not in said, said)
        said = run(program, "doctor", at=home)
        check("moonpod doctor tells what Windows has not", re.search("not here +plugins of PJRT, MPI", said), said)
        paths(program, home)
        console(program, home)
        hosts(folder)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
