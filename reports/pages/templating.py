"""Fill the templates, and give them the functions that they may call."""

import functools
import re
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from graders.language import current_language, number, tr, trn
from reports import words


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
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
    )
    environment.globals.update(share=words.share, current_language=current_language, made_from="")
    return environment


def fill(template: str, **values: Any) -> str:
    """Fill a template of `reports/templates/`."""
    return _environment().get_template(template).render(values).strip() + "\n"


def load() -> None:
    """Compile the templates and import the library for figures: processes that are forked later have both."""
    import matplotlib.figure  # noqa: F401

    for name in _environment().list_templates(extensions=["j2"]):
        _environment().get_template(name)


def _plural(singular: str, plural: str, count: float) -> str:
    return trn(singular, plural, count)


def anchor(name: str) -> str:
    """The id of an exercise on a page."""
    return "exercise-" + re.sub(r"[^A-Za-z0-9_-]", "-", name)
