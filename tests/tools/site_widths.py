"""Measures each page of the book's site in a browser: site_widths.py FOLDER WIDTH... writes a line "PAGE WIDTH WHAT"
for what is cut or wider than the page, and last how many pages were measured. A frame as wide as a screen loads a page
after the other, from files, without a network.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body><pre id="told"></pre><script>
const pages = %s, widths = %s, told = [];
let at = 0;
const frame = document.createElement("iframe");
frame.style.height = "900px";
document.body.append(frame);
function text(node) { return node.textContent.trim().slice(0, 60).replace(/\\s+/g, " "); }
function measure(page, width) {
  const document = frame.contentDocument, root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) told.push(`${page} ${width} the page is ${root.scrollWidth} wide`);
  for (const node of document.querySelectorAll("main pre, main .table, main img, .landing section"))
    if (node.scrollWidth > node.clientWidth + 1)
      told.push(`${page} ${width} ${node.localName} is cut: ${node.scrollWidth} > ${node.clientWidth}: ${text(node)}`);
}
function next() {
  if (at === pages.length * widths.length) {
    told.push(`${pages.length} pages measured`);
    document.getElementById("told").textContent = told.join("\\n");
    return;
  }
  const page = pages[Math.floor(at / widths.length)], width = widths[at %% widths.length];
  at += 1;
  frame.style.width = width + "px";
  frame.onload = () => { measure(page, width); next(); };
  frame.src = "file://%s/" + page + "?" + width;
}
next();
</script>"""


def main():
    folder, widths = os.path.abspath(sys.argv[1]), [int(width) for width in sys.argv[2:]]
    pages = sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder)
                   for name in names if name.endswith(".html"))
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "measure.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HARNESS % (json.dumps(pages), json.dumps(widths), folder))
        told = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}",
                               "--proxy-server=127.0.0.1:1", "--allow-file-access-from-files",
                               "--virtual-time-budget=100000000", "--window-size=1400,1000", "--dump-dom",
                               f"file://{path}"], capture_output=True, text=True, check=True,
                              env={**os.environ, "HOME": home}).stdout
    text = re.search(r'<pre id="told">(.*?)</pre>', told, re.S).group(1)
    print(text.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))


main()
