"""One docstring, two languages: what follows a line that begins with `fr:` is the French text.

An exercise's own texts stand in its three files, each beside its translation; so adding an exercise
touches nothing else.
"""

import inspect
import textwrap
from typing import Literal

Language = Literal["en", "fr"]
_FRENCH = "fr:"


def said(docstring: str | None, language: Language = "en") -> str:
    """A docstring's text in one language; in English where the other is missing."""
    english, french = _both(docstring)
    return french if language == "fr" and french else english


def line(docstring: str | None, language: Language = "en") -> str:
    """The same on one line."""
    return " ".join(said(docstring, language).split())


def _both(docstring: str | None) -> tuple[str, str]:
    lines = inspect.cleandoc(docstring or "").split("\n")
    start = next((n for n, text in enumerate(lines) if text.startswith(_FRENCH)), len(lines))
    first, *rest = [*lines[start:], ""]
    french = [first.removeprefix(_FRENCH).strip(), textwrap.dedent("\n".join(rest))]
    return "\n".join(lines[:start]).strip(), "\n".join(french).strip()
