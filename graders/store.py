"""Results on disk: OUT/<id>/result.json, each written whole or not at all."""

import os
import re
import tempfile
from pathlib import Path

from graders.result import Result, to_json


def write(out: Path, result: Result) -> Path:
    """Write a result to its folder under `out`, and return the folder."""
    folder = out / result.submission.id
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "result.json", to_json(result).encode())
    return folder


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that under its name there is the whole of it or what was there before."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def safe_id(name: str) -> str:
    """A name that can be a folder everywhere: no separators, no leading dot, at most 100 characters."""
    clean = re.sub(r"[^\w .@+=,()-]", "_", name).strip(" .")[:100]
    # File systems count bytes, and a Chinese character has three.
    return clean.encode()[:200].decode("utf-8", "ignore").strip(" .") or "_"
