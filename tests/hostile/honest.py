"""What an honest student hands in, and the ordinary ways to pack it."""

import warnings
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.support.notebooks import notebook

RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"

Member = tuple[str | zipfile.ZipInfo, str | bytes]


def packed(folder: Path, *members: Member, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A zip of these members, in this order and under these names, whatever they are."""
    path = folder / "work.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w", method) as archive:
        warnings.simplefilter("ignore")  # about duplicate names
        for name, content in members:
            archive.writestr(name, content)
    return path


def with_right(folder: Path, *cells: str | dict[str, Any]) -> Path:
    """A notebook whose first cell is right, with these cells after it."""
    path = folder / "work.ipynb"
    path.write_bytes(notebook(RIGHT, *cells))
    return path


def files(folder: Path, contents: Iterable[tuple[str, str | bytes]]) -> Path:
    """A folder with these files."""
    for name, content in contents:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder
