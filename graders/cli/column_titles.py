"""`--columns name=TITLE,email=TITLE`: which column of a roster holds what."""

import re
from typing import Any

import click

from graders.classroom.intake.roster_columns import MEANINGS
from graders.language import tr

_BEGINS = re.compile(rf"(?:^|,)\s*({'|'.join(MEANINGS)})\s*=", re.IGNORECASE)


class ColumnTitles(click.ParamType):  # type: ignore[type-arg] # generic since click 8.4 only
    """Titles by meaning. A title may hold commas: it ends where the next meaning begins."""

    name = "MEANING=TITLE,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, str]:
        """The titles by meaning."""
        if isinstance(value, dict):
            return value
        _, *parts = _BEGINS.split(str(value))
        titles = {
            meaning.lower(): title.strip() for meaning, title in zip(parts[::2], parts[1::2], strict=True)
        }
        first = _BEGINS.match(str(value))
        if first is None or not all(titles.values()) or len(titles) < len(parts) // 2:
            known = ", ".join(MEANINGS)
            self.fail(tr("write it as name=TITLE,email=TITLE; there are {known}", known=known), param, ctx)
        return titles
