"""Escape text for a workflow's log, a summary or a release page.

A runner takes a line of a log as a command if it begins with `::` after blanks, or contains `##[`. GitHub
turns addresses, names and numbers into links in Markdown, but not in code.
"""

import re
import secrets

from reports import words

# All control characters but tab and newline, and those that change the direction of the text.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKUP = re.compile(r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]""")


def clean(text: str, limit: int = words.MESSAGE_LIMIT) -> str:
    """Remove control characters, unify line ends, and cut the text at about `limit` characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", _CONTROLS.sub("", words.cut_text(text, limit)))


def one_line(text: str, limit: int = words.MESSAGE_LIMIT) -> str:
    """The same as `clean`, on one line."""
    return " ".join(clean(text, limit).split())


def command(kind: str, message: str, **properties: str | int) -> str:
    """A workflow command on a line of its own: `::error file=a.py,line=3,title=Heads::message`.

    Empty `properties` are left out.
    """
    cleaned = ((name, clean(str(value)).strip()) for name, value in properties.items())
    pairs = ",".join(f"{name}={_percent_encode(value, ':,')}" for name, value in cleaned if value)
    return f"::{kind}{' ' if pairs else ''}{pairs}::{_percent_encode(clean(message).strip(), '')}"


def _percent_encode(text: str, reserved: str) -> str:
    for sign in f"%\r\n{reserved}":  # the percent sign first, since escapes begin with it
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def without_commands(text: str) -> str:
    """Break up the command markers in a text, so that no runner finds a command in it."""
    return text.replace("::", ": :").replace("##[", "## [")


def stop_commands(text: str) -> str:
    """Put a text between two lines that make the runner ignore commands in it."""
    token = f"softmark-{secrets.token_hex(16)}"  # random: the text must not be able to contain the end marker
    return f"::stop-commands::{token}\n{text.rstrip(chr(10))}\n::{token}::\n"


def escape_markdown(text: str) -> str:
    """Escape our own text for a line or a table of Markdown."""
    return _MARKUP.sub(lambda sign: f"\\{sign[0]}", one_line(text))


def code_block(text: str) -> str:
    """Any text, also a student's, as a block of code in Markdown."""
    text = clean(text).strip("\n")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}\n"


def take_fitting(blocks: list[str], limit: int) -> tuple[str, int]:
    """Join the first blocks that fit in `limit` bytes of UTF-8; and the number of the others."""
    kept: list[str] = []
    size = 0
    for number, text in enumerate(blocks):
        size += len(text.encode())
        if size > limit:
            return "".join(kept), len(blocks) - number
        kept.append(text)
    return "".join(kept), 0
