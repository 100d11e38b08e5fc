"""Looks at each page of the book's site in a browser, from files, without a network, as wide as one screen and then as
another. Writes a line "PAGE WIDTH THEME: WHAT" for each fault as soon as it is found, and last how many pages were
looked at.

site_pages.py widths FOLDER WIDTH... [PAGE...]  what is cut, or wider than the page; also on paper (A4)
site_pages.py access FOLDER WIDTH... [PAGE...]  what axe-core (the package axe-core-python) finds of the rules for
                                      screen readers, keyboards and contrast, each page light, and dark, where colors
                                      alone differ, of those for contrast
site_pages.py keys FOLDER WIDTH... [PAGE...]  what keys do not get to: Tab goes through all that can be clicked, once
                                      and in order, each in sight and marked, and Shift+Tab back; the search takes
                                      "/", letters, arrows, Escape, Tab and Enter
site_pages.py pictures BEFORE AFTER OUT WIDTH...  pictures of what a reader sees first, of two sites, and index.html,
                                      which has them beside each other: for eyes
"""

import base64
import concurrent.futures
import fcntl
import itertools
import json
import os
import pathlib
import sys
import tempfile
import time

TOLD = """(async function () {
  const told = [], tell = what => told.push(what);
  const text = node => node.textContent.trim().slice(0, 60).replace(/\\s+/g, " ");
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); // it is as wide as it shall be
  %s
  return told;
})()"""

WIDTHS = """
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) tell(`the page is ${root.scrollWidth} wide`);
  for (const node of document.querySelectorAll("main pre, main .table, main img, .landing section"))
    if (node.scrollWidth > node.clientWidth + 1)
      tell(`${node.localName} is cut: ${node.scrollWidth} > ${node.clientWidth}: ${text(node)}`);"""

ACCESS = """
  const only = location.search === "?theme=dark" ? { runOnly: ["color-contrast"] } : {};
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...only });
  for (const rule of violations)
    for (const node of rule.nodes)
      tell(`${rule.id}: ${rule.help}: ${node.html.slice(0, 120).replace(/\\s+/g, " ")}`);"""

# What Tab has to get to, in order; where it is, and whether a reader sees that.
STOPS = """(function () {
  const box = node => node.getClientRects()[0];
  stops = Array.from(document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex], iframe"))
    .filter(node => node.tabIndex >= 0 && !node.disabled && box(node) && node.checkVisibility());
  where = function () {
    const node = document.activeElement, at = stops.indexOf(node), wrong = [];
    if (node === document.body) return { at: -1 };
    if (at < 0) return { at, wrong: ["none of those that are clicked"], name: node.outerHTML.slice(0, 80) };
    const { left, top, width, height } = box(node), style = getComputedStyle(node);
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!seen || !(node.contains(seen) || seen.contains(node))) wrong.push("out of sight or covered");
    if (!node.matches(":focus-visible") || style.outlineStyle === "none" || !parseFloat(style.outlineWidth))
      wrong.push("not marked");
    return { at, wrong, name: node.outerHTML.slice(0, 80).replace(/\\s+/g, " ") };
  };
  return stops.length;
})()"""

# What is typed into the search, and the page that is meant.
SOUGHT = "EarlyStopping", "early_stopping.html"


# What readers see first; a name that had no page of its own once had a place on one.
PICTURED = {"landing": ["index.html"], "layer": ["reference/layers/dense.html", "reference/layers.html#podlayersdense"],
            "keras": ["tutorials/keras.html"], "memory": ["tutorials/tpu-memory.html"],
            "differences": ["reference/differences.html"]}

# Pixels between the margins that Chromium gives A4.
PAPER = 717


class Browser:
    """A Chromium that is asked by its protocol of developers' tools, over two pipes."""

    def __init__(self, home):
        asked, self.asks = os.pipe()
        self.answers, answered = os.pipe()
        # It reads from 3 and writes to 4, which may be ends of these pipes.
        ends = asked, answered, *(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (asked, answered))
        self.process = os.posix_spawnp(
            "chromium", ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}",
                         "--proxy-server=127.0.0.1:1", "--remote-debugging-pipe", "about:blank"],
            {**os.environ, "HOME": home},
            file_actions=[(os.POSIX_SPAWN_DUP2, ends[2], 3), (os.POSIX_SPAWN_DUP2, ends[3], 4),
                          (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
        for end in ends:
            os.close(end)
        self.numbers, self.rest, self.session = itertools.count(1), b"", {}
        page = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.ask("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]}
        self.ask("Page.enable")
        self.ask("Page.bringToFront") # frames are drawn there alone

    def read(self):
        while b"\0" not in self.rest:
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise EOFError("the browser ended")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, then=None, **parameters):
        """What a command answers, once the event THEN has come, too."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters, **self.session}
        os.write(self.asks, json.dumps(message).encode() + b"\0")
        result, is_seen = None, then is None
        while result is None or not is_seen:
            message = self.read()
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                result = message["result"]
            is_seen = is_seen or message.get("method") == then
        return result

    def evaluate(self, script):
        answer = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "a script failed"))
        return answer["result"].get("value")

    def widen(self, width):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)

    def open(self, path, theme, anchor=""):
        self.ask("Emulation.setEmulatedMedia", media="")
        self.ask("Page.navigate", then="Page.loadEventFired", url=f"{path.as_uri()}?theme={theme}#{anchor}")

    def press(self, key, text="", modifiers=0):
        code = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40}.get(key, 0)
        if key == "Enter":
            text = "\r"
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=text,
                     modifiers=modifiers)

    def print(self):
        """Shows the page as it is printed, between the margins of A4."""
        self.evaluate("""addEventListener("resize", event => event.stopImmediatePropagation(), true);
            dispatchEvent(new Event("beforeprint"))""")
        self.ask("Emulation.setEmulatedMedia", media="print")
        self.widen(PAPER)

    def close(self):
        os.close(self.asks)
        os.waitpid(self.process, 0)
        os.close(self.answers)


SHIFT = 8


def tab_through(browser, modifiers=0):
    """Presses Tab until it has gone around; yields what is wrong."""
    count, reached = browser.evaluate(STOPS), []
    order = list(range(count)) if not modifiers else list(range(count))[::-1]
    for _ in range(count + 1):
        browser.press("Tab", modifiers=modifiers)
        place = browser.evaluate("where()")
        if place["at"] == -1 and "wrong" not in place or place["at"] in reached:
            break
        reached.append(place["at"])
        yield from (f"{wrong}: {place['name']}" for wrong in place["wrong"])
    for missed in sorted(set(order) - set(reached)):
        yield "not reached: " + browser.evaluate(f"stops[{missed}].outerHTML.slice(0, 80)")
    if not set(order) - set(reached) and reached != order:
        yield f"not in order: {reached}"


def type_search(browser):
    """Searches by keys alone; yields what is wrong."""
    focused = "document.activeElement.id || document.activeElement.getAttribute('href') || ''"
    found = "found.hidden ? [] : Array.from(found.querySelectorAll('a'), link => link.getAttribute('href'))"
    browser.evaluate("document.activeElement.blur()")
    browser.press("/", "/")
    for letter in SOUGHT[0]:
        browser.press(letter, letter)
    links = browser.evaluate(f"""(async function () {{
      for (let i = 0; i < 500 && !({found}).length; i++) await new Promise(done => setTimeout(done, 10));
      return {found};
    }})()""")
    if not links or not links[0].endswith(SOUGHT[1]):
        yield f"the search finds {links[:1]}"
        return
    for keys, expected in ((["ArrowDown"], links[0]), (["ArrowDown"], links[1]), (["ArrowUp", "ArrowUp"], "search"),
                           (["ArrowDown", "Escape"], "search")):
        for key in keys:
            browser.press(key)
        if browser.evaluate(focused) != expected:
            yield f"{' '.join(keys)} in the search leads to '{browser.evaluate(focused)}', not to '{expected}'"
    if browser.evaluate(found):
        yield "Escape does not close what was found"
    browser.press("s", "s")
    for _ in range(len(browser.evaluate(found)) + 1):
        browser.press("Tab")
    if browser.evaluate(found):
        yield "what was found stays open when Tab has gone through it"
    browser.press("/", "/")
    browser.evaluate("search.value = ''")
    for letter in SOUGHT[0]:
        browser.press(letter, letter)
    browser.press("Enter")
    for _ in range(100):
        time.sleep(0.05)
        try:
            if browser.evaluate("location.pathname").endswith(SOUGHT[1]):
                return
        except RuntimeError:
            pass # it is between two pages
    yield "Enter in the search does not follow what is first"


def by_keys(browser):
    return *tab_through(browser), *tab_through(browser, SHIFT), *type_search(browser)


def look(what, folder, pages, widths):
    """Looks at pages, one after the other; says which."""
    import_axe, script, themes = "", WIDTHS if what == "widths" else "", ["light"]
    if what == "access":
        import axe_core_python
        axe = pathlib.Path(axe_core_python.__file__).parent / "axe.min.js"
        import_axe, script, themes = axe.read_text(encoding="utf-8") + "; null", ACCESS, ["light", "dark"]
    with tempfile.TemporaryDirectory() as home:
        browser = Browser(home)
        for page in pages:
            told = []
            for theme in themes:
                browser.widen(widths[0])
                browser.open(folder / page, theme)
                browser.evaluate(import_axe)
                for width in widths:
                    browser.widen(width)
                    told += (f"{page} {width} {theme}: {fault}\n" for fault in browser.evaluate(TOLD % script))
                    if what == "keys":
                        browser.ask("Page.navigate", then="Page.loadEventFired", url="about:blank")
                        browser.open(folder / page, theme) # anew: the search has followed a link
                        told += (f"{page} {width}: {fault}\n" for fault in by_keys(browser))
            if what == "widths":
                browser.print()
                told += (f"{page} printed: {fault}\n" for fault in browser.evaluate(TOLD % script))
            sys.stdout.write("".join(told))
            sys.stdout.flush()
        browser.close()


def pictures(before, after, out, widths):
    """Takes a picture of each page that readers see first, as wide as each screen."""
    out.mkdir(parents=True, exist_ok=True)
    rows = ["<!DOCTYPE html><meta charset='utf-8'><title>Before and after</title>"]
    with tempfile.TemporaryDirectory() as home:
        browser = Browser(home)
        for (name, places), width in itertools.product(PICTURED.items(), widths):
            rows.append(f"<h2>{name}, {width}</h2><p>")
            for when, site in (("before", before), ("after", after)):
                place, _, anchor = next(each for each in places if (site / each.split("#")[0]).exists()).partition("#")
                browser.widen(width)
                browser.open(site / place, "light", anchor)
                browser.evaluate(TOLD % "")
                picture = f"{name}-{width}-{when}.png"
                (out / picture).write_bytes(base64.b64decode(browser.ask("Page.captureScreenshot")["data"]))
                rows.append(f"<img src='{picture}' alt='{when}' style='max-width: 48%; border: 1px solid'>")
        browser.close()
    (out / "index.html").write_text("\n".join(rows), encoding="utf-8")
    print(f"{len(PICTURED) * len(widths) * 2} pictures: {out}/index.html")


def main():
    if sys.argv[1] == "pictures":
        return pictures(*(pathlib.Path(folder).absolute() for folder in sys.argv[2:5]),
                        [int(width) for width in sys.argv[5:]])
    what, folder = sys.argv[1], pathlib.Path(sys.argv[2]).absolute()
    widths = [int(width) for width in sys.argv[3:] if width.isdecimal()]
    pages = ([pathlib.Path(page) for page in sys.argv[3 + len(widths):]]
             or sorted(path.relative_to(folder) for path in folder.rglob("*.html")))
    browsers = min(os.cpu_count(), 4, len(pages))
    with concurrent.futures.ThreadPoolExecutor(browsers) as pool:
        list(pool.map(lambda first: look(what, folder, pages[first::browsers], widths), range(browsers)))
    print(f"{len(pages)} pages looked at")


main()
