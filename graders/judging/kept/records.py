"""Files of records: each a key, a text of JSON and numbers as safetensors, with a digest that shows damage.

Nothing in them can be run. A file that was cut or changed gives the records before the damage, and no error.
"""

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass

HEAD = b"softmark kept work 1\n"
_LENGTHS = struct.Struct(">QQQ16s")  # of the key, the text and the numbers, then their digest


@dataclass(frozen=True)
class Record:
    """What is kept under one key: a packed value, as `graders/answer_key/pack.py` has it."""

    text: bytes
    numbers: bytes
    digest: bytes

    @classmethod
    def of(cls, text: bytes, numbers: bytes) -> "Record":
        """The record of a packed value."""
        return cls(text, numbers, digest_of(text, numbers))

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return len(self.text) + len(self.numbers)

    @property
    def is_whole(self) -> bool:
        """Whether it is as it was written."""
        return digest_of(self.text, self.numbers) == self.digest


def digest_of(text: bytes, numbers: bytes) -> bytes:
    """By this, damage is seen; whoever makes it anew can write anything."""
    return hashlib.sha256(b"%d:%b%b" % (len(text), text, numbers)).digest()[:16]


def read_records(data: bytes) -> dict[str, Record]:
    """The records of a file, as far as it is one."""
    found: dict[str, Record] = {}
    if not data.startswith(HEAD):
        return found
    at = len(HEAD)
    while at + _LENGTHS.size <= len(data):
        *lengths, digest = _LENGTHS.unpack_from(data, at)
        at += _LENGTHS.size
        if at + sum(lengths) > len(data):
            break
        key, text, numbers = (data[at + sum(lengths[:n]) : at + sum(lengths[: n + 1])] for n in range(3))
        found[key.decode("utf-8", "replace")] = Record(text, numbers, digest)
        at += sum(lengths)
    return found


def write_records(records: Mapping[str, Record]) -> bytes:
    """The bytes of a file of records."""
    parts = [HEAD]
    for key, record in records.items():
        name = key.encode()
        parts.append(_LENGTHS.pack(len(name), len(record.text), len(record.numbers), record.digest))
        parts += (name, record.text, record.numbers)
    return b"".join(parts)
