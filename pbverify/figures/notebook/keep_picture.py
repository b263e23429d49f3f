"""Keep a picture of a report's start page: run this module with PAGE and TARGET.

PAGE is the `index.html` of a report, TARGET a PNG. It needs Chromium. The picture has a palette of
128 colours, so that it stays small.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile

from PIL import Image

from pbverify.errors import InputError

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
SIZE = 1200, 900
COLOURS = 128


def browser() -> str | None:
    """The first browser of the list that is installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def keep_picture(page: pathlib.Path, target: pathlib.Path) -> None:
    """Photograph the first screen of a page."""
    found = browser()
    if found is None or not page.is_file():
        raise InputError("a page, and Chromium", "page", str(page))
    with tempfile.TemporaryDirectory() as folder:
        shot = pathlib.Path(folder) / "shot.png"
        size = f"--window-size={SIZE[0]},{SIZE[1]}"
        profile = f"--user-data-dir={folder}/profile"
        command = [found, *FLAGS, size, profile, f"--screenshot={shot}", page.resolve().as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        with Image.open(shot) as picture:
            small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
            small.save(target, optimize=True)


if __name__ == "__main__":
    keep_picture(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
