"""Looks at each page of the book's site in a browser: a frame loads a page after the other, from files, without a
network, and is as wide as one screen, then as another. Writes a line "PAGE WIDTH WHAT" for each fault, and last how
many pages were looked at.

site_pages.py widths FOLDER WIDTH...  what is cut, or wider than the page
site_pages.py access FOLDER WIDTH...  what axe-core (the package axe-core-python) finds of the rules for screen readers,
                                      keyboards and contrast, each page light and dark
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body><pre id="told"></pre><script>
const pages = %s, widths = %s, themes = %s, told = [];
const frame = document.createElement("iframe");
frame.style.height = "900px";
document.body.append(frame);
function text(node) { return node.textContent.trim().slice(0, 60).replace(/\\s+/g, " "); }
async function look(document, tell) {
  %s
}
(async function () {
  for (const page of pages)
    for (const theme of themes) {
      frame.style.width = widths[0] + "px";
      await new Promise(done => {
        frame.onload = done;
        frame.src = "file://%s/" + page + "?theme=" + theme;
      });
      for (const width of widths) {
        frame.style.width = width + "px";
        frame.contentWindow.dispatchEvent(new Event("resize")); // what a screen would tell by itself, later
        try {
          await look(frame.contentDocument, what => told.push(`${page} ${width} ${theme}: ${what}`));
        } catch (error) {
          told.push(`${page} ${width} ${theme}: ${error}`);
        }
      }
    }
  told.push(`${pages.length} pages looked at`);
  document.getElementById("told").textContent = told.join("\\n");
})();
</script>"""

WIDTHS = """
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) tell(`the page is ${root.scrollWidth} wide`);
  for (const node of document.querySelectorAll("main pre, main .table, main img, .landing section"))
    if (node.scrollWidth > node.clientWidth + 1)
      tell(`${node.localName} is cut: ${node.scrollWidth} > ${node.clientWidth}: ${text(node)}`);"""

ACCESS = """
  if (!frame.contentWindow.axe) await new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = "file://%s";
    script.onload = done;
    script.onerror = () => fail("axe-core is not there");
    document.head.append(script);
  });
  const { violations } = await frame.contentWindow.axe.run(document, { resultTypes: ["violations"] });
  for (const rule of violations)
    for (const node of rule.nodes)
      tell(`${rule.id}: ${rule.help}: ${node.html.slice(0, 120).replace(/\\s+/g, " ")}`);"""


def axe():
    import axe_core_python
    return pathlib.Path(axe_core_python.__file__).parent / "axe.min.js"


def main():
    what, folder, widths = sys.argv[1], os.path.abspath(sys.argv[2]), [int(width) for width in sys.argv[3:]]
    looks = {"widths": lambda: WIDTHS, "access": lambda: ACCESS % axe()}[what]()
    themes = {"widths": ["light"], "access": ["light", "dark"]}[what]
    pages = sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder)
                   for name in names if name.endswith(".html"))
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "look.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HARNESS % (json.dumps(pages), json.dumps(widths), json.dumps(themes), looks, folder))
        told = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}",
                               "--proxy-server=127.0.0.1:1", "--allow-file-access-from-files",
                               "--virtual-time-budget=100000000", "--window-size=1400,1000", "--dump-dom",
                               f"file://{path}"], capture_output=True, text=True, check=True,
                              env={**os.environ, "HOME": home}).stdout
    text = re.search(r'<pre id="told">(.*?)</pre>', told, re.S).group(1)
    print(text.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))


main()
