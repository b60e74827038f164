"""Parse the options that commands share, and refuse what is wrong in them, before PyTorch is imported.

Importing PyTorch takes seconds: who has misspelt a name should not wait for it.
"""

from collections.abc import Iterable

import click

from graders.course.outline import UnknownName, choose
from graders.help.topics import with_topic
from graders.language import tr, translatable
from graders.sandbox.box_options import BoxOptions
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import BadLimit, Limits


def parse_box_options(
    *,
    sandbox: str | None,
    strict: bool,
    changes: tuple[str, ...],
    device: str,
    dtype: str | None,
    unsafe: bool = False,
) -> BoxOptions:
    """Parse the options of `box_options`.

    Raises:
        click.UsageError: they contradict one another, or a limit is not valid.
    """
    if strict and sandbox not in (None, IsolationLevel.FRESH.value):
        message = translatable("--strict means the box {strict}, --sandbox asks for {sandbox}")
        raise click.UsageError(tr(message, strict=repr(IsolationLevel.FRESH.value), sandbox=repr(sandbox)))
    level = IsolationLevel.FRESH if strict else IsolationLevel(sandbox) if sandbox else None
    try:
        return BoxOptions(
            level=level, limits=Limits().change(changes), device=device, dtype=dtype, unsafe=unsafe
        )
    except BadLimit as error:
        raise click.UsageError(with_topic(error, "limits")) from error


def refuse_unknown(assignment: str, exercises: Iterable[str] = ()) -> None:
    """Refuse the name of an assignment that does not exist, or of an exercise that it does not have.

    Raises:
        click.UsageError: there is none of this name; the message has similar names.
    """
    try:
        choose(assignment, exercises)
    except UnknownName as error:
        raise click.UsageError(str(error)) from error
