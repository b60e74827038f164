"""A message between processes: a line of JSON, then bytes. Nothing in it is ever unpickled."""

import json
from collections.abc import Mapping
from typing import Any

HEADER_BYTES = 1 << 16


def pack(header: Mapping[str, Any], body: bytes = b"") -> bytes:
    """The message."""
    return json.dumps(header).encode() + b"\n" + body


def unpack(message: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the bytes of a message.

    Raises:
        ValueError: it is no message, or its header is too long.
    """
    end = message.find(b"\n", 0, HEADER_BYTES)
    if end < 0:
        raise ValueError("no header")
    try:
        header: Any = json.loads(message[:end])
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(header, dict):
        raise ValueError("the header is no object")
    return header, message[end + 1 :]
