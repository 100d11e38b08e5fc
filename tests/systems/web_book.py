"""Runs the first tutorial of the book with buttons (./dev docs --live) in Chromium, as a file and from a server of its
own, and prints what its page came to: lines of TAP, and how many tests passed. With a folder behind SITE there are
pictures of it, at 390 and 1,280 pixels.

web_book.py SITE [PICTURES]   77 where there is no Chromium, or no such book
"""

import os
import queue
import shutil
import subprocess
import sys
import tempfile

import web_page

PAGE = "tutorials/first-network.html"
PATIENCE = 400  # seconds until the page has told all

# Clicks the last button, which runs the blocks above as well; tells what they told, or what each width shows.
TRY = """
<script>
if (location.hash)
  document.body.append(Object.assign(new Image(), { src: `http://127.0.0.1:${location.search.slice(1)}/held` }));
(async function () {
  const port = location.search.slice(1), tell = line => port &&
    fetch(`http://127.0.0.1:${port}/`, { method: "POST", mode: "no-cors", body: line });
  const wait = () => new Promise(done => setTimeout(done, 100));
  while (!document.querySelector("button.run")) await wait();
  const buttons = Array.from(document.querySelectorAll("button.run")), last = buttons[buttons.length - 1];
  last.click();
  while (!buttons.some(one => one.textContent === "Stop")) await wait();
  while (last.textContent !== "Run again" && !buttons.every(one => /^Run/.test(one.textContent))) await wait();
  const told = Array.from(document.querySelectorAll(".told"), one => one.textContent).join("\\n");
  const charts = document.querySelectorAll(".told img[data-chart]").length;
  const pictures = document.querySelectorAll(".told img").length, tests = [
    ["each block of the tutorial runs", last.textContent === "Run again", told],
    ["the training tells its epochs", /Epoch 3\\/3[^]*accuracy: 0\\.[78]/.test(told), told],
    ["it has a chart that was drawn as it trained", charts === 1, charts],
    ["plots are shown", pictures === 4, pictures],
    ["an accuracy is reached", Number((/(0\\.\\d+) of 10,000/.exec(told) || [])[1]) > 0.75, told]];
  for (const [i, [what, holds, seen]] of tests.entries())
    await tell(`${holds ? "ok" : "not ok"} ${i + 1} - ${what}${holds ? "" : `: ${seen}`}`);
  const passed = tests.filter(one => one[1]).length;
  await tell(`${passed} passed, ${tests.length - passed} failed`);
})();
</script>
"""


def picture(site, width, folder, home):
    port = web_page.serve(site, queue.Queue())
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}",
                    f"--window-size={width},9000", "--timeout=120000",
                    f"--screenshot={os.path.join(folder, f'book-{width}.png')}", f"file://{site}/{PAGE}?{port}#held"],
                   env={**os.environ, "HOME": home}, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)


def main():
    if not shutil.which("chromium") or not os.path.exists(os.path.join(sys.argv[1], "live/moonpod.js")):
        sys.exit(77)
    all_passed = all_failed = 0
    with tempfile.TemporaryDirectory() as home:
        site = os.path.join(home, "site")
        shutil.copytree(sys.argv[1], site)
        with open(os.path.join(site, PAGE), "a", encoding="utf-8") as file:
            file.write(TRY)
        for kind in "file", "http":
            told = queue.Queue()
            port = web_page.serve(site, told)
            base = f"file://{site}" if kind == "file" else f"http://127.0.0.1:{port}"
            print(f"# {kind}:")
            passed, failed = web_page.look(f"{base}/{PAGE}?{port}", told, home, 1, PATIENCE)
            all_passed, all_failed = all_passed + passed, all_failed + failed
        for width in (390, 1280) if len(sys.argv) > 2 else ():
            picture(site, width, sys.argv[2], home)
    print(f"{all_passed} passed, {all_failed} failed")
    sys.exit(all_failed > 0)


main()
