"""Which language softmark speaks, and what it says in it.

A sentence in code is English and stands in `tr`; its French is in the catalogue (`locale/`), which
`make messages` keeps. A docstring has two languages itself: what follows a line that begins with `fr:` is the
French text. So an exercise's own texts stand in its three files, each beside its translation.
"""

import contextlib
import functools
import gettext
import inspect
import math
import os
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from graders.locations import CATALOGUES

Language = Literal["en", "fr"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
_FRENCH = "fr:"
_SIGNS = {"fr": str.maketrans({",": "\u202f", ".": ","})}
_spoken: Language = "en"


def speak(language: Language) -> None:
    """From now on, everything is said in this language."""
    global _spoken
    _spoken = language


def spoken() -> Language:
    """The language that is spoken."""
    return _spoken


@contextlib.contextmanager
def speaking(language: Language) -> Iterator[None]:
    """This language for a while."""
    before = _spoken
    speak(language)
    try:
        yield
    finally:
        speak(before)


def usual() -> Language:
    """The language of the locale, as far as softmark speaks it; else English."""
    asked = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "fr" if next((name for name in asked if name), "").startswith("fr") else "en"


def tr(text: str, /, **values: object) -> str:
    """A sentence in the language that is spoken, with values for its `{names}`, if it has any."""
    said = _catalogue(_spoken).gettext(text)
    return said.format(**values) if values else said


def trn(singular: str, plural: str, count: float, /, **values: object) -> str:
    """The same in the singular or the plural, by the rules of the language; `{n}` is the number."""
    # A language's rule is about whole numbers: of 1.5 the plural is English, the singular French.
    whole = int(count) if math.isfinite(count) and (count == int(count) or _spoken == "fr") else 2
    said = _catalogue(_spoken).ngettext(singular, plural, whole)
    return said.format(**{"n": number(round(count, 2), ".12g"), **values})


def translations(language: Language) -> Mapping[str, str]:
    """Every sentence of the catalogue as code has it, with what is said for it; none for English."""
    # gettext has no other way to ask; a plural's sentences have a number beside them.
    catalogue: dict[object, str] = getattr(_catalogue(language), "_catalog", {})
    return {key[0] if isinstance(key, tuple) else str(key): said for key, said in catalogue.items() if key}


def translatable(text: str) -> str:
    """Mark a sentence for the catalogue that `tr` will be given where it is said."""
    return text


def number(value: float, form: str = "") -> str:
    """A number as the language writes it: `format(value, form)`, with its signs."""
    return format(value, form).translate(_SIGNS.get(_spoken, {}))


def said(docstring: str | None, language: Language = "en") -> str:
    """A docstring's text in one language; in English where the other is missing."""
    english, french = _both(docstring)
    return french if language == "fr" and french else english


def line(docstring: str | None, language: Language = "en") -> str:
    """The same on one line, its no-break spaces kept."""
    return " ".join(re.split(r"[ \t\n]+", said(docstring, language)))


def _both(docstring: str | None) -> tuple[str, str]:
    lines = inspect.cleandoc(docstring or "").split("\n")
    start = next((n for n, text in enumerate(lines) if text.startswith(_FRENCH)), len(lines))
    first, *rest = [*lines[start:], ""]
    french = [first.removeprefix(_FRENCH).strip(), textwrap.dedent("\n".join(rest))]
    return "\n".join(lines[:start]).strip(), "\n".join(french).strip()


@functools.cache
def _catalogue(language: Language) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    return gettext.translation("softmark", CATALOGUES, [language])
