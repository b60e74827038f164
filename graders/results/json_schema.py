"""Write frozen data as JSON that names its schema, and read it back; or as bytes, between our processes."""

import functools
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from graders.language import tr, translatable

if TYPE_CHECKING:  # importing it takes time, and many commands neither write nor read JSON
    import msgspec

SHOWN = 60  # characters of another schema's name
T = TypeVar("T")
_FIRST_KEY = re.compile(r'\s*\{\s*"schema"\s*:\s*"([^"\\]*)"\s*[,}]')


@dataclass(frozen=True)
class _NamesSchema:
    schema: str


def to_json_text(value: Any) -> str:
    """The text: keys in a fixed order, one line per key, ends with a newline."""
    import msgspec

    data = msgspec.to_builtins(value, builtin_types=(datetime,))
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False, default=_text_of_moment) + "\n"


def from_json_text(text: str, kind: type[T], schema: str) -> T:
    """The value in a text.

    Raises:
        ValueError: the text is not of this schema.
    """
    import msgspec

    try:
        # The schema first: a file of another schema lacks fields, and to name one of them would mislead. Our
        # own files begin with it, so that few are read twice.
        first = _FIRST_KEY.match(text)
        named = first[1] if first else _decoder(_NamesSchema).decode(text).schema
        value = _decoder(kind).decode(text) if named == schema else None
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error
    # Of a key that is there twice, the last one counts.
    if value is None or getattr(value, "schema", schema) != schema:
        message = translatable("not of schema {schema}, which this version of softmark reads, but of {named}")
        raise ValueError(tr(message, schema=schema, named=ascii(named[:SHOWN])))
    return value


def to_bytes(value: Any) -> bytes:
    """Frozen data as bytes, for another process of softmark: no file holds them."""
    import msgspec

    return msgspec.msgpack.encode(value)


def from_bytes(data: bytes, kind: type[T]) -> T:
    """The value that `to_bytes` has written."""
    hashable: Any = kind
    value: T = _make_unpacker(hashable).decode(data)
    return value


@functools.cache
def _make_unpacker(kind: Any) -> Any:
    import msgspec

    return msgspec.msgpack.Decoder(kind)


def _decoder(kind: type[T]) -> "msgspec.json.Decoder[T]":
    hashable: Any = kind
    decoder: msgspec.json.Decoder[T] = _make_decoder(hashable)
    return decoder


@functools.cache
def _make_decoder(kind: Any) -> Any:
    import msgspec

    return msgspec.json.Decoder(kind)


def _text_of_moment(at: datetime) -> str:
    """A moment in ISO 8601.

    Before there were time zones, offsets had seconds, which the format of dates in the internet (RFC 3339)
    cannot write.
    """
    offset = at.utcoffset()
    return (at.astimezone(UTC) if offset and offset.seconds % 60 else at).isoformat()
