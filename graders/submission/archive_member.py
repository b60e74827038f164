"""What a zip and a tar have in common: members with a name, a size and bytes."""

import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)


@dataclass(kw_only=True)
class Member:
    """A member of an archive, as the archive describes it.

    Attributes:
        name: its path, with slashes.
        size: its bytes, which may be a lie.
        source: gives its next so many bytes; in a tar only until the next member is asked for.
        written: when it was written, by the clock of whoever packed it.
        is_folder: whether it is a folder.
        is_plain: whether it is a file, and no link or device.
        is_locked: whether a password locks it.
        is_odd: whether it is packed in a way that is not accepted.
    """

    name: str
    size: int
    source: Callable[[int], bytes]
    written: float | None = None
    is_folder: bool = False
    is_plain: bool = True
    is_locked: bool = False
    is_odd: bool = False
    _seen: bytes = field(default=b"", init=False, repr=False)

    def peek(self, size: int) -> bytes:
        """Its first so many bytes, which `read` gives again."""
        self._seen = self._seen or self.source(size)
        return self._seen

    def read(self, size: int) -> bytes:
        """Its first so many bytes."""
        return self._seen + self.source(max(0, size - len(self._seen)))
