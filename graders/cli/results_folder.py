"""The folder that results are written to: what cannot be used is wrong usage."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from graders.batch.errors import CannotGrade
from graders.language import tr


def make_folder(out: Path) -> None:
    """Make the folder `out`, unless it is there.

    Raises:
        click.UsageError: it cannot be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = tr("cannot write {out}: {reason}", out=out, reason=error.strerror)
        raise click.UsageError(message) from error


@contextmanager
def wrong_usage() -> Iterator[None]:
    """Within the context, what cannot be graded as asked is wrong usage.

    Raises:
        click.UsageError: it cannot.
    """
    try:
        yield
    except CannotGrade as error:
        raise click.UsageError(str(error)) from error
