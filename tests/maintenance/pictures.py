"""Pictures for documents: pages of the sample class in headless Chromium. `make pictures` takes them.

.venv/bin/python -m tests.maintenance.pictures build/demo/attention
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from tests.support.devtools import CHROMIUM, FLAGS

PLACE = Path(__file__).parents[2] / "docs/pictures"
WIDTH, COLOURS = 1100, 64
# The page, and its first and last row of pixels in the picture.
SHOWN = {"report": ("david/index.html", 915, 1545), "class": ("index.html", 0, 1210)}


def taken(address: str, top: int, end: int, out: Path) -> None:
    """Write a picture of a page between two rows of pixels, in few colours."""
    assert CHROMIUM, "there is no Chromium"
    flags = [flag for flag in FLAGS if not flag.startswith("--window-size")]
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder, "shot.png")
        command = [CHROMIUM, *flags, f"--window-size={WIDTH},{end}", f"--user-data-dir={folder}/profile"]
        subprocess.run(
            [*command, f"--screenshot={shot}", address], check=True, capture_output=True, timeout=60
        )
        with Image.open(shot) as picture:
            picture.convert("RGB").crop((0, top, WIDTH, end)).quantize(COLOURS).save(out, optimize=True)


if __name__ == "__main__":
    pages = Path(sys.argv[1]).resolve()
    PLACE.mkdir(parents=True, exist_ok=True)
    for name, (page, top, end) in SHOWN.items():
        taken(f"file://{pages}/{page}", top, end, PLACE / f"{name}.png")
