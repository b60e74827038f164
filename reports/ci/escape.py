"""Text that a workflow's log, a summary or a release's page shows: nothing in it acts on whoever shows it.

A runner reads a line of a log as a command if it begins with `::`, blanks left out, or has `##[` anywhere.
GitHub makes links of addresses, names and numbers in Markdown, but not in code.
"""

import re
import secrets

from reports import words

# All controls but tab and newline, and what turns the reading direction.
_ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKUP = re.compile(r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]""")


def clean(text: str, limit: int = words.MESSAGE_LIMIT) -> str:
    """The same words without controls, with one kind of line end, and no longer than about `limit`."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", _ACTS.sub("", words.bounded(text, limit)))


def line(text: str, limit: int = words.MESSAGE_LIMIT) -> str:
    """The same on one line."""
    return " ".join(clean(text, limit).split())


def command(kind: str, message: str, **properties: str | int) -> str:
    """A workflow command on a line of its own: `::error file=a.py,line=3,title=Heads::message`.

    What is empty in `properties` is left out.
    """
    named = ((name, clean(str(value)).strip()) for name, value in properties.items())
    given = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in named if value)
    return f"::{kind}{' ' if given else ''}{given}::{_escaped(clean(message).strip(), '')}"


def _escaped(text: str, more: str) -> str:
    for sign in f"%\r\n{more}":  # the percent sign first, since it begins what stands for the others
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def unheard(text: str) -> str:
    """The text, so that no runner reads a command in it, whoever prints it and on whatever line."""
    return text.replace("::", ": :").replace("##[", "## [")


def stopped(text: str) -> str:
    """The text between two lines that make the runner take no commands from it."""
    token = f"softmark-{secrets.token_hex(16)}"  # whoever wrote the text must not be able to end it
    return f"::stop-commands::{token}\n{text.rstrip(chr(10))}\n::{token}::\n"


def inline(text: str) -> str:
    """Our own text in a line or a table of Markdown: it is shown as it stands."""
    return _MARKUP.sub(lambda sign: f"\\{sign[0]}", line(text))  # a sign behind a backslash is always itself


def block(text: str) -> str:
    """Anybody's text as a block of code in Markdown."""
    text = clean(text).strip("\n")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}\n"


def fitting(blocks: list[str], limit: int) -> tuple[str, int]:
    """As many of the blocks as have room in so many bytes of UTF-8, and how many have none."""
    kept: list[str] = []
    size = 0
    for number, each in enumerate(blocks):
        size += len(each.encode())
        if size > limit:
            return "".join(kept), len(blocks) - number
        kept.append(each)
    return "".join(kept), 0
