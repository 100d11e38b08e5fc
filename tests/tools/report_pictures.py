#!/usr/bin/env python3
"""Makes docs/guides/profiling/*.png: all views of a report, light and dark, wide and narrow, as Chromium draws them
without a network. Needs Chromium and Pillow:

    build/release/moonpod tests/tools/report_pictures.lua build/report
    python3 tests/tools/report_pictures.py build/report/report.html docs/guides/profiling
"""

import io
import pathlib
import re
import subprocess
import sys
import tempfile

from PIL import Image

SIZES = {"wide": (1280, 900, 0.5, 2), "narrow": (390, 844, 0.6, 6)}  # pixels, how much smaller, views in a row
DARK = ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"]


def picture(report, view, width, height, dark, home):
    shot = pathlib.Path(home) / "shot.png"
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--user-data-dir={home}", "--proxy-server=127.0.0.1:1", "--virtual-time-budget=3000",
                    *(DARK if dark else []), f"--window-size={width},{height}", f"--screenshot={shot}",
                    f"file://{report}#{view}"], check=True, env={"HOME": home, "PATH": "/usr/bin:/bin"},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return Image.open(io.BytesIO(shot.read_bytes())).convert("RGB")


def main():
    report, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    views = re.findall(r'<section id="(\w+)"', report.read_text())
    with tempfile.TemporaryDirectory() as home:
        for name, (width, height, scale, columns) in SIZES.items():
            for dark in (False, True):
                w, h = int(width * scale), int(height * scale)
                rows = -(-len(views) // columns)
                page = Image.new("RGB", (columns * (w + 8) - 8, rows * (h + 8) - 8), "gray")
                for i, view in enumerate(views):
                    one = picture(report, view, width, height, dark, home).resize((w, h), Image.LANCZOS)
                    page.paste(one, (i % columns * (w + 8), i // columns * (h + 8)))
                page.quantize(256).save(folder / f"{name}-{'dark' if dark else 'light'}.png", optimize=True)


main()
