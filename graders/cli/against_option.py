"""The options `--against` and `--never-lower`: a grading that is compared with an earlier one."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from graders.batch.earlier_grading import EarlierGrading, read_earlier
from graders.batch.part_record import Part
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.translated_command import option
from graders.language import tr, translatable


def against_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--against` and `--never-lower`; see `take_against`."""
    never_lower = option(
        Purpose.WORK,
        "--never-lower",
        is_flag=True,
        help=translatable("With --against: nobody gets fewer points than there for the same files."),
    )
    against = option(
        Purpose.OUTPUT,
        "--against",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="OLD",
        help=translatable(
            "The results of an earlier grading, or OUT itself: say who gains and who loses by which check, "
            "and on each page what changed for the same files."
        ),
    )
    return against(never_lower(command))


def take_against(options: dict[str, Any], part: Part | None) -> EarlierGrading | None:
    """The earlier grading, read before a run into its folder replaces it; its options leave `options`.

    Raises:
        click.UsageError: there is none, or it cannot be compared.
    """
    folder, never_lower = options.pop("against"), options.pop("never_lower")
    if folder is None:
        if never_lower:
            raise click.UsageError(tr("--never-lower needs --against OLD, which says what was given before"))
        return None
    if part is not None:
        raise click.UsageError(tr("--against compares a whole class: give it without --part"))
    refuse_part(folder)
    earlier = read_earlier(folder)
    for note in earlier.notes:
        click.echo(note, err=True)
    if not earlier.results:
        raise click.UsageError(tr("there are no results in {folder}", folder=folder))
    return replace(earlier, never_lower=never_lower)
