"""The templates and what they may call."""

import functools
import re
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from graders.language import number, spoken, tr, trn
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
    # Looked up when a page is made, in the language of that moment; values come escaped.
    environment.install_gettext_callables(tr, _plural, newstyle=True)  # type: ignore[attr-defined]
    environment.filters.update(
        points=words.points,
        said=words.said,
        bounded=words.bounded,
        anchor=anchor,
        number=number,
        has_name=words.has_name,
        hint=words.hint,
        summarize_mistakes=words.summarize_mistakes,
        about=words.about,
    )
    environment.globals.update(share=words.share, spoken=spoken, made_from="")
    return environment


def fill(template: str, **values: Any) -> str:
    """A page from a template of `reports/templates/`."""
    return _environment().get_template(template).render(values).strip() + "\n"


def _plural(one: str, many: str, count: float) -> str:
    return trn(one, many, count)


def anchor(name: str) -> str:
    """A name as an id of a page."""
    return "exercise-" + re.sub(r"[^A-Za-z0-9_-]", "-", name)
