"""Zips that are the same bytes each time."""

import io
import zipfile
from collections.abc import Mapping

RUNS = "#!"  # how a file begins that is to be run
_ALWAYS = (1980, 1, 1, 0, 0, 0)  # the first time that a zip knows


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files by name as a zip; scripts may be executed."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as packed:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _ALWAYS)
            entry.create_system = 3  # Unix, whose rights follow
            entry.external_attr = (0o100000 | mode(data)) << 16
            packed.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def mode(data: bytes) -> int:
    """The rights of a file with these bytes."""
    return 0o755 if data.startswith(RUNS.encode()) else 0o644
