"""The texts and settings of a handout, from templates."""

import functools
from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from graders.language import number, tr, trn


@functools.cache
def _environment() -> Environment:
    # Nothing is escaped: these are Markdown, YAML and shell, and all values are the course's own.
    environment = Environment(
        loader=PackageLoader("graders.handout"),
        autoescape=False,  # noqa: S701
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.install_gettext_callables(tr, trn, newstyle=True)  # type: ignore[attr-defined]
    environment.filters.update(number=lambda value, form="g": number(value, form))
    return environment


def render_text(template: str, values: Mapping[str, Any]) -> str:
    """A text from `templates/<template>.j2`: those for people are in a folder for each language."""
    return _environment().get_template(f"{template}.j2").render(values).strip() + "\n"


def fill_in_values(text: str, values: Mapping[str, Any]) -> str:
    """A text with values in the place of its `{{ name }}`, as in a template."""
    return _environment().from_string(text).render(values)
