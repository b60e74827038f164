"""Sanitise text from students, so that it is safe to print, to store and to show in a page.

Escape sequences, control characters and bidirectional overrides are removed; lone surrogates become U+FFFD;
long lines and long texts are cut, with a note of how many characters are missing.
"""

import re
import unicodedata

from graders.language import tr

LINE_LIMIT = 2_000
TEXT_LIMIT = 20_000

# ECMA-48 escape sequences are removed first and as a whole, so that no "[31m" is left behind.
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
# C0 and C1 controls except tab and newline; directional overrides and isolates; surrogates.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
# Windows opens a device where a name is one of these, whatever follows a dot.
_DEVICE = re.compile("(con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?=\\s*(?:[.]|$))", re.IGNORECASE)
_NOT_IN_ID = re.compile(r"[^\w .@+=,()-]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def safe_text(text: str, limit: int = TEXT_LIMIT, line_limit: int = LINE_LIMIT) -> str:
    """Remove everything that acts on a terminal or page, and cut to about `limit` characters."""
    whole = len(text)
    text = text[: limit * 2].replace("\r\n", "\n").replace("\r", "\n")
    text = _SURROGATE.sub("\ufffd", _UNSAFE.sub("", _ESCAPE.sub("", text)))
    text = "\n".join(_cut(line, line_limit) for line in text.split("\n"))
    if len(text) > limit or whole > limit * 2:
        text = f"{text[:limit]}\n{_more(whole - limit)}"
    return text


def composed(text: str) -> str:
    """A text with each accent in its letter (NFC), as macOS does not write the names of files."""
    return unicodedata.normalize("NFC", text)


def safe_id(name: str) -> str:
    """A folder name for every file system: at most 100 characters, no separators, no dot or space at an end.

    Names of devices get an underscore: `CON` is `CON_`, and `aux.py` is `aux_.py`.
    """
    clean = _NOT_IN_ID.sub("_", composed(name)).strip(" .")[:100]
    # File systems count bytes, and a Chinese character takes three.
    clean = clean.encode()[:200].decode("utf-8", "ignore").strip(" .") or "_"
    return _DEVICE.sub(r"\1_", clean, count=1) if _DEVICE.match(clean) else clean


def is_safe_id(name: str) -> bool:
    """Whether a name is as `safe_id` makes them, whatever its length up to that of a file's name."""
    fits = 0 < len(name.encode("utf-8", "replace")) <= 255
    return fits and name == name.strip(" .") and not _NOT_IN_ID.search(name) and not _DEVICE.match(name)


def _cut(line: str, limit: int) -> str:
    return line if len(line) <= limit else f"{line[:limit]} {_more(len(line) - limit)}"


def _more(count: int) -> str:
    return tr("[... {n} more characters]", n=count)
