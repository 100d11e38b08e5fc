"""Types at the prompt of sessions while a run in the background prints, on pyte's terminal, and holds what is seen to a
model: the lines that were written, whole and in order, above the entry; the entry with its cursor; below it what is
chosen from, or where the run is.

    prompt_sessions.py PROGRAM (SEED COUNT)...

Each session draws its terminal and its script from a seed. Keys and output are given at the same time, and then the
screen must come to be what the model says. Prints what differs, and how many sessions there were."""

import fcntl
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time
import unicodedata

import pyte
from wcwidth import wcwidth

# Seconds: a busy machine is waited for, and only what never comes takes so long.
PATIENCE = 60

SETUP = """
local pod = require "moonpod"
local warnings = require "moonpod.base.warnings"
zebra_one, zebra_two, zebra_three = 1, 2, 3
local told = 0
local function obey()
  local file = io.open(("%s/do.%%d"):format(told + 1))
  if file then
    told = told + 1
    local text = file:read "*a"
    file:close()
    assert(load(text, "=do", "t", setmetatable({ warn = warnings.warn }, { __index = _G })))()
  end
end
local model = pod.models.sequential({ pod.layers.dense(1, { input_shape = { 1 } }) }, { name = "busy" })
model:compile { optimizer = "sgd", loss = "mse" }
model:fit(pod.ones { 1, 1 }, pod.ones { 1, 1 }, { epochs = 1e9, background = true, verbose = 0,
  callbacks = { pod.callbacks.lambda { on_epoch_end = obey } } })
"""


def cells_of(text):
    """A list of characters with the marks that stand on them, each with its width."""
    cells = []
    for character in text:
        width = wcwidth(character)
        if width == 0 and cells:
            cells[-1] = (unicodedata.normalize("NFC", cells[-1][0] + character), cells[-1][1])
        else:
            cells.append((character, width))
    return cells


def wrapped(text, columns):
    """The rows of a line as a terminal wraps it."""
    rows, used = [""], 0
    for character, width in cells_of(text):
        if used + width > columns:
            rows.append("")
            used = 0
        rows[-1] += character
        used += width
    return rows


class Above:
    """The lines that were written above the entry."""

    def __init__(self, columns):
        self.columns = columns
        self.done, self.open, self.column = [], [], 0

    def write(self, text):
        for character in text:
            if character == "\n":
                self.done += self.open_rows() or [""]
                self.open, self.column = [], 0
            elif character == "\r":
                self.column = 0
            elif character == "\t":
                before = wrapped("".join(self.open[:self.column]), self.columns)[-1]
                used = sum(width for _, width in cells_of(before)) % self.columns
                self.write(" " * min(8 - used % 8, self.columns - used))
            elif wcwidth(character) == 0:
                self.open[self.column - 1] += character  # of which none is wide
            else:
                width = wcwidth(character)
                self.open[self.column:self.column + width] = [character, ""][:width]
                self.column += width

    def end(self):
        """What comes begins another line."""
        if self.open:
            self.write("\n")

    def open_rows(self):
        rows = wrapped("".join(self.open), self.columns) if self.open else []
        return [unicodedata.normalize("NFC", row).rstrip() for row in rows]

    def rows(self):
        return self.done + self.open_rows()


class Screen(pyte.HistoryScreen):
    """Pyte breaks a full row before a mark, too; terminals put the mark on the row's last character."""

    def draw(self, data):
        for character in data:
            if wcwidth(character) == 0 and self.cursor.x == self.columns:
                row = self.buffer[self.cursor.y]
                last = row[self.columns - 1]
                row[self.columns - 1] = last._replace(data=unicodedata.normalize("NFC", last.data + character))
            else:
                super().draw(character)


class Entry:
    """What is typed."""

    def __init__(self):
        self.text, self.cursor = [], 0
        self.menu, self.typed = None, None
        self.search = None

    def insert(self, text):
        cells = [character for character, _ in cells_of(text)]
        self.text[self.cursor:self.cursor] = cells
        self.cursor += len(cells)

    def line_start(self):
        at = self.cursor
        while at > 0 and self.text[at - 1] != "\n":
            at -= 1
        return at

    def line_end(self):
        at = self.cursor
        while at < len(self.text) and self.text[at] != "\n":
            at += 1
        return at

    def erase(self, start, end):
        del self.text[start:end]
        self.cursor = start

    def rows(self, columns, prompt, hint=""):
        """The rows, and the cursor's row and column; a hint stands behind the text."""
        rows, used, place = [prompt], len(prompt), None
        for i, character in enumerate(self.text + [""] + list(hint)):
            width = 1 if character in ("", "\n") else wcwidth(character[0])
            if i == self.cursor:
                if used + width > columns:
                    rows.append("")
                    used = 0
                place = (len(rows) - 1, used)
            if character == "\n":
                rows.append(">> ")
                used = 3
            elif character != "":
                if used + width > columns:
                    rows.append("")
                    used = 0
                rows[-1] += character
                used += width
        return rows, place


class Session:
    def __init__(self, program, seed):
        self.random = random.Random(seed)
        self.columns = self.random.choice([30, 40, 40, 57, 80])
        self.lines = self.random.choice([16, 24, 40])
        self.folder = tempfile.mkdtemp(prefix="moonpod-prompt-")
        self.screen = Screen(self.columns, self.lines, history=200000, ratio=0.01)
        self.stream = pyte.ByteStream(self.screen)
        self.above, self.entry = Above(self.columns), Entry()
        self.done, self.log, self.histories, self.gone = 0, [], [], []
        setup = self.folder + "/setup.lua"
        with open(setup, "w") as file:
            file.write(SETUP % self.folder)
        environment = {"HOME": self.folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
                       "MOONPOD_HISTORY": "off", "MOONPOD_CACHE": "off"}
        for name in ("LUA_PATH", "LUA_CPATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                environment[name] = os.environ[name]
        self.colours = self.random.choice(["always", "never"])
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", self.lines, self.columns, 0, 0))
            os.execve(program, [program, "-E", "-i", "--color=" + self.colours, setup], environment)
        self.begin()

    def begin(self):
        """Waits for the prompt; what stands above it is where the model begins."""
        until = time.monotonic() + PATIENCE
        while not any(row.startswith(">") for row in self.rows()):
            if time.monotonic() > until:
                raise AssertionError("no prompt came:\n" + "\n".join(self.rows()))
            self.read(0.05)
        self.above.done = [row for row in self.rows() if not row.startswith(">") and not self.is_status(row)]
        while self.above.done and self.above.done[-1] == "":
            self.above.done.pop()

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- what is seen ----

    def read(self, seconds):
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            self.stream.feed(os.read(self.terminal, 1 << 16))
        except OSError as error:
            raise AssertionError("the session has ended") from error
        return True

    def row_text(self, row):
        return unicodedata.normalize("NFC", "".join(row[x].data for x in range(self.columns))).rstrip()

    def rows(self):
        for i in range(len(self.gone), len(self.screen.history.top)):
            self.gone.append(self.row_text(self.screen.history.top[i]))
        return self.gone + [self.row_text(self.screen.buffer[y]) for y in range(self.lines)]

    @staticmethod
    def is_status(row):
        return re.match(r"busy: epoch \d+/|$", row) is not None

    def hint(self):
        """What the newest entry that begins with the text goes on with."""
        text = "".join(self.entry.text)
        if (self.colours == "never" or self.entry.menu is not None or self.entry.search is not None
                or len(text.encode()) < 2 or self.entry.cursor < len(self.entry.text)):
            return ""
        found = (one[len(text):] for one in reversed(self.histories) if one.startswith(text))
        return next(found, "")

    def differs(self):
        """What is not as the model says; None: nothing."""
        prompt = "> " if self.entry.search is None else "(reverse-i-search)`%s': " % self.entry.search[0]
        above = self.above.rows()
        rows, (row, column) = self.entry.rows(self.columns, prompt, self.hint())
        expected = above + [unicodedata.normalize("NFC", one).rstrip() for one in rows]
        seen = self.rows()
        if seen[:len(expected)] != expected:
            for i, one in enumerate(expected):
                if i >= len(seen) or one != seen[i]:
                    return "row %d is %r, and should be %r" % (i, seen[i] if i < len(seen) else None, one)
        below = [one for one in seen[len(expected):] if one != ""]
        if self.entry.menu is not None:
            names = " ".join(below).split()
            if sorted(names) != sorted(self.entry.menu):
                return "below there is %r, and should be the menu %r" % (below, self.entry.menu)
        elif not all(self.is_status(one) for one in below) or len(below) > 1:
            return "below there is %r" % below
        at = (len(self.screen.history.top) + self.screen.cursor.y, self.screen.cursor.x)
        if at != (len(above) + row, column):
            return "the cursor is at %s, and should be at %s" % (at, (len(above) + row, column))
        return None

    def settle(self):
        until = time.monotonic() + PATIENCE
        while True:
            while self.read(0):
                pass
            difference = self.differs()
            if difference is None:
                return
            if time.monotonic() > until:
                raise AssertionError("%s\nlast: %s\n%s" % (difference, self.log[-12:], "\n".join(self.rows()[-30:])))
            self.read(0.02)

    # ---- what is done ----

    def type(self, keys):
        self.log.append(keys)
        data = keys.encode()
        while data:
            data = data[os.write(self.terminal, data[:1000]):]
            self.read(0)

    def obey(self, chunk, text):
        """Has the callback do something that writes a text."""
        self.log.append(chunk)
        self.done += 1
        name = "%s/do.%d" % (self.folder, self.done)
        with open(name + ".part", "w") as file:
            file.write(chunk)
        os.rename(name + ".part", name)
        self.above.write(text)

    def words(self, most):
        pieces = ["loss", "0.25", "epoch 8/60", "größe", "日本", "e\u0301", "😀", "=", "...", "accuracy"]
        return " ".join(self.random.choice(pieces) for _ in range(self.random.randint(1, most)))

    def output(self):
        kind = self.random.randrange(10)
        text = self.words(4) if self.random.random() < 0.7 else self.words(30)
        if kind < 2:
            self.obey("print(%s, 7)" % quoted(text), text + "\t7\n")
        elif kind == 2:
            self.obey("io.write(%s, '\\n')" % quoted(text), text + "\n")
        elif kind == 3:
            self.obey("io.stderr:write(%s, '\\n')" % quoted(text), text + "\n")
        elif kind == 4:
            self.obey("os.execute('echo programs write, too')", "programs write, too\n")
        elif kind == 5:
            self.obey("warn('%%s', %s)" % quoted(text), "moonpod: warning: %s (do:1)\n" % text)
        elif kind == 6 and len(self.above.open) < self.columns:
            text = text.translate({ord(wide): "ab" for wide in "日本😀"})[:20]
            self.obey("io.write(%s) io.flush()" % quoted(text), text)
        elif kind == 7 and len(self.above.open) < self.columns:
            text = "\r%d%% of it" % self.random.randrange(1000)
            self.obey("io.write(%s) io.flush()" % quoted(text), text)
        elif kind == 8:
            count = self.random.choice([1, 30, 30, 2000 if self.random.random() < 0.1 else 3])
            self.obey("for i = 1, %d do print('line', i) end" % count,
                      "".join("line\t%d\n" % i for i in range(1, count + 1)))
        else:
            self.obey("io.write('\\27[1m', %s, '\\27[0m\\n')" % quoted(text), text + "\n")

    def leave_menus(self):
        """A key that is no Tab takes the menu away; in a search all but letters end it."""
        self.entry.menu = self.entry.typed = None
        self.entry.search = None

    def key(self):
        entry, kind = self.entry, self.random.randrange(13)
        if entry.search is not None and kind in (0, 1, 2, 3, 4, 5, 9):
            kind = 6
        if kind < 5:
            self.leave_menus()
            text = self.random.choice(["a", "loss", " ", "größe", "日", "e\u0301", "x = 1 ", "_", "1"])
            if len(entry.text) < 120:
                self.type(text)
                entry.insert(text)
        elif kind == 5:
            self.leave_menus()
            text = self.random.choice(["pasted", "two\nlines", "日本 = 2", "one\n\nthree"])
            if len(entry.text) < 120:
                self.type("\033[200~%s\033[201~" % text)
                entry.insert(text)
        elif kind == 6:
            self.leave_menus()
            self.type("\033[D")
            entry.cursor = max(entry.cursor - 1, 0)
        elif kind == 7:
            self.leave_menus()
            self.type("\033[C\001")
            entry.cursor = min(entry.cursor + 1, len(entry.text))
            entry.cursor = entry.line_start()
        elif kind == 8:
            self.leave_menus()
            self.type("\001\005")
            entry.cursor = entry.line_end()
        elif kind == 9:
            self.leave_menus()
            self.type("\177")
            entry.erase(max(entry.cursor - 1, 0), entry.cursor)
        elif kind == 10:
            self.leave_menus()
            self.type("\001\013")
            start, end = entry.line_start(), entry.line_end()
            entry.erase(start, end + 1 if start == end and end < len(entry.text) else end)
        elif kind == 11:
            self.complete()
        else:
            self.look_back()

    def complete(self):
        """The names that begin with `zebra_` are shown and taken in turn. Words of the entry would be among them, and
        in a text files are looked for."""
        entry = self.entry
        if entry.menu is None and re.search('zebr|"', "".join(entry.text)):
            return
        if entry.menu is None:
            self.leave_menus()
            self.type("\005 zebr\t")
            entry.cursor = entry.line_end()
            entry.insert(" zebra_")
            entry.menu, entry.typed = ["zebra_one", "zebra_three", "zebra_two"], -1
        else:
            self.type("\t")
            chosen = 0 if entry.typed < 0 else (entry.typed + 1) % 3
            size = len("zebra_") if entry.typed < 0 else len(entry.menu[entry.typed])
            entry.erase(entry.cursor - size, entry.cursor)
            entry.insert(entry.menu[chosen])
            entry.typed = chosen

    def look_back(self):
        """Searches the history, or gives it up: the text is what it was."""
        entry = self.entry
        if entry.search is None and self.histories:
            self.leave_menus()
            self.type("\022uni")
            entry.search = ("uni", entry.text, entry.cursor)
            entry.text = list(self.histories[-1])
            entry.cursor = len(entry.text)
        elif entry.search is not None:
            self.type("\007")
            entry.text = entry.search[1]
            entry.cursor = len(entry.text)
            entry.search = None

    def enter(self):
        """Drops the entry, and runs another."""
        self.settle()
        self.leave_menus()
        if self.entry.text:
            self.end_entry("\033[C\003")
        self.settle()
        text = 'print "uni %d"' % self.random.randrange(1000)
        self.type(text)
        self.entry.insert(text)
        self.settle()
        self.histories.append(text)
        self.end_entry("\r")
        self.above.write(text[7:-1] + "\n")
        self.settle()

    def end_entry(self, keys):
        self.entry.cursor = len(self.entry.text)
        rows, _ = self.entry.rows(self.columns, "> ")
        self.above.end()
        for row in rows:
            self.above.write(row + "\n")
        self.type(keys)
        self.entry = Entry()

    def run(self):
        for _ in range(self.random.randint(5, 15)):
            for _ in range(self.random.randint(1, 4)):
                (self.key if self.random.random() < 0.6 else self.output)()
            self.settle()
            if self.random.random() < 0.1:
                self.enter()


def quoted(text):
    return '"%s"' % text.replace("\r", "\\r")


def main():
    program, given = sys.argv[1], [int(one) for one in sys.argv[2:]]
    failures = 0
    for seed in (first + i for first, count in zip(given[::2], given[1::2]) for i in range(count)):
        session = None
        try:
            session = Session(program, seed)
            session.run()
        except AssertionError as error:
            failures += 1
            print("seed %d, %s: %s" % (seed, session and (session.columns, session.lines), error))
        finally:
            if session:
                session.close()
    print("%d sessions, %d differ" % (sum(given[1::2]), failures))
    sys.exit(failures > 0)


main()
