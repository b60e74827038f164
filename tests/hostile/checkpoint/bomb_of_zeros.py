"""An archive that unpacks to a thousand times its size.

ends: bad or lost
says: memory
"""

import zipfile
from pathlib import Path

import torch


def make(folder: Path) -> Path:
    small, path = folder / "small.pt", folder / "minigpt.pt"
    torch.save({"weight": torch.zeros(1 << 26)}, small)
    with (
        zipfile.ZipFile(small) as given,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed,
    ):
        for info in given.infolist():
            packed.writestr(info.filename, given.read(info))
    small.unlink()
    return path
