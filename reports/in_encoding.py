"""Text for a console whose encoding lacks some characters, as those of Windows do."""

import contextlib
import unicodedata


def in_encoding(text: str, encoding: str) -> str:
    """The text; for each character that does not exist in this encoding a similar one, or a question mark."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_similar_character(character, encoding) for character in text)
    return text


def _similar_character(character: str, encoding: str) -> str:
    for candidate in (character, unicodedata.normalize("NFKD", character)[0]):
        with contextlib.suppress(UnicodeEncodeError):
            candidate.encode(encoding)
            return candidate
    return "?"
