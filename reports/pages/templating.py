"""Fill the templates, and give them the functions that they may call."""

import base64
import functools
import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from graders.language import current_language, number, tr, trn
from reports import words
from reports.pages.compiled_templates import CompiledTemplates


@dataclass(frozen=True)
class Script:
    """A script of a page, and the digest by which the page's policy allows it."""

    text: Markup
    digest: str


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=CompiledTemplates(hashlib.sha256(Path(__file__).read_bytes()).hexdigest()),
    )
    # Translated when a page is rendered, into the current language; values are already escaped.
    environment.install_gettext_callables(tr, _plural, newstyle=True)  # type: ignore[attr-defined]
    environment.filters.update(
        points=words.points,
        said=words.outcome_words,
        cut_text=words.cut_text,
        anchor=anchor,
        number=number,
        hint_is_english=words.hint_is_english,
        hint=words.hint,
        summarize_mistakes=words.summarize_mistakes,
        about=words.about,
        breakable=_breakable,
    )
    environment.globals.update(
        share=words.share, current_language=current_language, made_from="", script=None, frames=False, level=3
    )
    return environment


def fill(template: str, **values: Any) -> str:
    """Fill a template of `reports/templates/`."""
    return _environment().get_template(template).render(values).strip() + "\n"


@functools.cache
def read_script(*names: str) -> Script:
    """A script of `reports/templates/`, or several as one."""
    folder = files("reports").joinpath("templates")
    text = "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    # Not escaped: the script is ours, and the page's policy allows only its hash.
    return Script(Markup(text), digest)  # noqa: S704


def load() -> None:
    """Compile the templates: processes that are forked later have them."""
    for name in _environment().list_templates(extensions=["j2"]):
        _environment().get_template(name)


def _plural(singular: str, plural: str, count: float) -> str:
    # The extension would put the bare number into the place of %(num)s.
    return trn(singular, plural, count).replace("%(num)s", number(count, ",.12g"))


def _breakable(text: str) -> Markup:
    """A text whose long names of code may be broken after their underscores."""
    return escape(text).replace("_", Markup("_<wbr>"))


def anchor(name: str) -> str:
    """The id of an exercise on a page."""
    return "exercise-" + re.sub(r"[^A-Za-z0-9_-]", "-", name)
