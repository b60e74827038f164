"""Decode the bytes of a module to text: in the encoding that it declares, or in that in which it is written.

Python refuses what is not UTF-8 and does not say so. It is handed in all the same: the shell of Windows
writes UTF-16, older editors write Windows-1252, and an accent in a comment is no reason to read nothing.
"""

import codecs
import io
import json
import re
import tokenize

from graders.language import tr, translatable

# Decoding these takes time quadratic in the length, and no source file uses them.
_NOT_FOR_SOURCE = frozenset({"idna", "punycode"})
_MARKED = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # UTF-32's marks begin with these as well
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=]")
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f]")

_OTHER = translatable("{name} is in the encoding {encoding}. Save it with the encoding UTF-8.")
_NONE = translatable(
    "{name} is not in the encoding that it names, and was read as {encoding}. "
    "Save it with the encoding UTF-8."
)


class NoText(ValueError):
    """The bytes are in no encoding that a text has."""


def decode_source(name: str, data: bytes) -> tuple[str, str | None]:
    """The text of a module, and a sentence about its encoding where Python would refuse it.

    Raises:
        NoText: the bytes are no text.
    """
    if data.startswith(_MARKED) or b"\0" in data[:4]:
        return _wide(name, data)
    declared = _declared(data)
    if declared is not None:
        try:
            return data.decode(declared), None
        except (UnicodeError, LookupError, ValueError):
            pass  # text in another encoding, or a codec that is none of texts
    text, encoding = decode_narrow(data)
    return text, tr(_NONE if _names_encoding(data) else _OTHER, name=name, encoding=encoding)


def decode_narrow(data: bytes) -> tuple[str, str]:
    """The text of bytes as UTF-8 or, where they are not, as older editors write it; and the encoding's name.

    Raises:
        NoText: the bytes are no text.
    """
    for encoding, name in (("utf-8-sig", "UTF-8"), ("cp1252", "Windows-1252"), ("latin-1", "Latin-1")):
        try:
            text = data.decode(encoding)
        except UnicodeError:
            continue
        if name != "UTF-8" and _NO_TEXT.search(text):
            break
        return text, name
    raise NoText


def _wide(name: str, data: bytes) -> tuple[str, str]:
    """The text of bytes with two or four bytes for each sign."""
    encoding = json.detect_encoding(data)
    try:
        return data.decode(encoding), tr(_OTHER, name=name, encoding=encoding[:6].upper())
    except UnicodeError:
        raise NoText from None


def _declared(data: bytes) -> str | None:
    """The encoding in which Python reads these bytes; None where it would refuse them."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        known = codecs.lookup(encoding).name
    except (SyntaxError, LookupError, ValueError):
        return None
    return None if known in _NOT_FOR_SOURCE else encoding


def _names_encoding(data: bytes) -> bool:
    return any(map(_COOKIE.match, data.split(b"\n", 2)[:2]))
