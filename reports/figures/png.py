"""Write small pictures as PNG (ISO/IEC 15948), in base64: a pixel for each value of a matrix."""

import base64
import struct
import zlib
from collections.abc import Iterable, Sequence

PALETTE, WITH_ALPHA = 3, 6  # the kinds of colour that the format has numbers for


def with_palette(rows: Iterable[bytes], width: int, palette: bytes) -> str:
    """A picture whose pixels are numbers of colours.

    Args:
        rows: a byte for each pixel.
        width: the pixels of a row.
        palette: three bytes for each colour: red, green and blue.
    """
    return _png(list(rows), width, PALETTE, [(b"PLTE", palette)])


def with_alpha(rows: Iterable[bytes], width: int) -> str:
    """A picture whose pixels have four bytes each: red, green, blue and alpha."""
    return _png(list(rows), width, WITH_ALPHA, [])


def _png(rows: Sequence[bytes], width: int, kind: int, further: list[tuple[bytes, bytes]]) -> str:
    header = struct.pack(">IIBBBBB", width, len(rows), 8, kind, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    chunks = [(b"IHDR", header), *further, (b"IDAT", pixels), (b"IEND", b"")]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )
    return base64.b64encode(data).decode()
