"""Zips that are the same bytes each time."""

import io
import zipfile
from collections.abc import Mapping

RUNS = "#!"  # the beginning of a script
ZIPPED = b"PK\x03\x04"  # the beginning of a zip
_ALWAYS = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can hold


def make_zip(files: Mapping[str, bytes]) -> bytes:
    """Files by name as a zip; scripts are executable in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _ALWAYS)
            entry.create_system = 3  # Unix: the next line sets its permissions
            entry.external_attr = (0o100000 | mode(data)) << 16
            packed = data.startswith(ZIPPED)  # it would become no smaller
            archive.writestr(entry, data, zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def mode(data: bytes) -> int:
    """The permissions of a file with these bytes."""
    return 0o755 if data.startswith(RUNS.encode()) else 0o644
