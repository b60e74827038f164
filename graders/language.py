"""The language of softmark's sentences, and their translation.

A sentence in code is English and stands in `tr`; its French is in the catalogue (`locale/`), which
`make messages` updates. A docstring may have both languages: from a line that begins with `fr:` on, it is
French. So each text of an exercise's three files stands beside its translation.
"""

import contextlib
import functools
import gettext
import inspect
import math
import os
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, get_args

from graders.locations import CATALOGUES

Language = Literal["en", "fr"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
_FRENCH = "fr:"
_SIGNS = {"fr": str.maketrans({",": "\u202f", ".": ","})}
_spoken: Language = "en"


def speak(language: Language) -> None:
    """Use this language from now on."""
    global _spoken
    _spoken = language


def current_language() -> Language:
    """The current language."""
    return _spoken


@contextlib.contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Use this language within the context."""
    before = _spoken
    speak(language)
    try:
        yield
    finally:
        speak(before)


def default_language() -> Language:
    """The language of the locale if softmark has it; else English."""
    locales = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "fr" if next((name for name in locales if name), "").startswith("fr") else "en"


def tr(text: str, /, **values: object) -> str:
    """A sentence in the current language, with values for its `{names}`, if it has any."""
    sentence = _catalogue(_spoken).gettext(text)
    return sentence.format(**values) if values else sentence


def trn(singular: str, plural: str, count: float, /, **values: object) -> str:
    """Like `tr`, in the singular or the plural as `count` requires; `{n}` is the number."""
    # gettext's rules take whole numbers. 1.5 is plural in English, singular in French.
    whole = int(count) if math.isfinite(count) and (count == int(count) or _spoken == "fr") else 2
    sentence = _catalogue(_spoken).ngettext(singular, plural, whole)
    return sentence.format(**{"n": number(round(count, 2), ",.12g"), **values})


def list_names(names: Sequence[str], most: int = 20) -> str:
    """The first names, and the number of the others."""
    shown, left = ", ".join(names[:most]), len(names) - most
    return trn("{names} and {n} more", "{names} and {n} more", left, names=shown) if left > 0 else shown


def join_names(names: Sequence[str]) -> str:
    """Names as a sentence lists them: `a`, `a and b`, `a, b and c`."""
    *others, last = names
    return tr("{others} and {last}", others=", ".join(others), last=last) if others else last


def translations(language: Language) -> Mapping[str, str]:
    """Each sentence of the catalogue in English, with its translation; empty for English."""
    # gettext has no public way to list them; the key of a plural is a sentence and a number.
    catalogue: dict[object, str] = getattr(_catalogue(language), "_catalog", {})
    return {
        key[0] if isinstance(key, tuple) else str(key): sentence for key, sentence in catalogue.items() if key
    }


def translatable(text: str) -> str:
    """Mark a sentence for the catalogue, which `tr` translates later."""
    return text


def number(value: float, form: str = "") -> str:
    """A number as `format(value, form)` gives it, with the separators of the language."""
    return with_separators(format(value, form))


def with_separators(digits: str) -> str:
    """A number that is written already, such as `0.67`, with the separators of the language."""
    return digits.translate(_SIGNS.get(_spoken, {}))


def text_in(docstring: str | None, language: Language = "en") -> str:
    """A docstring's text in one language; in English if the other is missing."""
    english, french = _both(docstring)
    return french if language == "fr" and french else english


def line(docstring: str | None, language: Language = "en") -> str:
    """A docstring's text on one line; no-break spaces stay."""
    return " ".join(re.split(r"[ \t\n]+", text_in(docstring, language)))


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
