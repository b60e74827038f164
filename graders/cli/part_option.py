"""`--part` and `--seed-file`: one part of a class, whose other parts are graded elsewhere."""

from pathlib import Path

import click

from graders.batch.part_record import BadPart, Part, parse_part
from graders.batch.results_folder import readable_part
from graders.cli.option_purpose import Purpose
from graders.cli.plain_file import PlainFile
from graders.cli.results_folder import wrong_usage
from graders.cli.translated_command import option
from graders.language import tr, translatable

SEED_TEXT = 40  # bytes of a seed's file that are read


def _parse(context: click.Context, parameter: click.Parameter, value: str | None) -> Part | None:  # noqa: ARG001
    try:
        return None if value is None else parse_part(value)
    except BadPart as error:
        raise click.BadParameter(str(error)) from error


def _read_seed(context: click.Context, parameter: click.Parameter, value: Path | None) -> int | None:  # noqa: ARG001
    if value is None:
        return None
    try:
        with value.open("rb") as file:
            return int(file.read(SEED_TEXT).decode("ascii"))
    except (OSError, ValueError) as error:
        message = tr("{path} holds no seed: a number alone is needed", path=value)
        raise click.BadParameter(message) from error


part_option = option(
    Purpose.SUBMISSIONS,
    "--part",
    metavar="K/N",
    callback=_parse,
    help=translatable(
        "Grade part K of N alone, into a folder of its own: `softmark gather` puts the parts together."
    ),
)
seed_file_option = option(
    Purpose.WORK,
    "--seed-file",
    type=PlainFile(),
    callback=_read_seed,
    help=translatable("Read the seed from this file, so that it stands in no list of processes."),
)


def choose_seed(seed: int | None, from_file: int | None) -> int | None:
    """The seed that is asked for, if any.

    Raises:
        click.UsageError: it is asked for twice.
    """
    if seed is not None and from_file is not None:
        raise click.UsageError(tr("--seed and --seed-file both give a seed: give one of the two"))
    return from_file if seed is None else seed


def refuse_part(out: Path) -> None:
    """Require that `out` holds no part: its pages and marks would be those of some students alone.

    Raises:
        click.UsageError: it holds one.
    """
    with wrong_usage():
        part = readable_part(out)
    if part:
        message = translatable(
            "{out} holds part {part} of a class. Put all parts together first, in a folder of their own: "
            "softmark gather PART... --out FOLDER"
        )
        raise click.UsageError(tr(message, out=out, part=part))
