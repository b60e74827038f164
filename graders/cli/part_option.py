"""`--part` and `--seed-file`: one part of a class, whose other parts are graded elsewhere."""

from pathlib import Path

import click

from graders.batch.part_record import FILE, BadPart, Part, parse_part, part_in
from graders.classroom.class_record import is_results_folder
from graders.cli.option_purpose import Purpose
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
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
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


def require_part(part: Part | None, out: Path, seed: int | None, selects: bool) -> None:
    """Require that this part, or the whole class, can be graded into `out`.

    Args:
        part: the part; None for the whole class.
        out: the folder for the results.
        seed: the seed that was asked for, if any.
        selects: whether only some submissions were asked for.

    Raises:
        click.UsageError: it cannot.
    """
    there = require_readable_part(out)
    if there != part and there is not None:
        message = translatable("{out} holds part {there} of a class: choose another folder")
        raise click.UsageError(tr(message, out=out, there=there))
    if part is None:
        return
    if there is None and is_results_folder(out):
        message = translatable(
            "{out} holds the results of a whole class: choose another folder for part {part}"
        )
        raise click.UsageError(tr(message, out=out, part=part))
    if seed is None:
        message = translatable(
            "All parts of a class must get the same draws, and each would choose a seed of its own: give the "
            "same secret number to all of them, with --seed-file FILE or --seed. This makes such a file: "
            "{command}"
        )
        raise click.UsageError(tr(message, command="shuf -i 1-2000000000 -n 1 > seed.txt"))
    if selects:
        raise click.UsageError(tr("--part grades its whole part: --only and --only-failed do not go with it"))


def refuse_part(out: Path) -> None:
    """Require that `out` holds no part: its pages and marks would be those of some students alone.

    Raises:
        click.UsageError: it holds one.
    """
    if part := require_readable_part(out):
        message = translatable(
            "{out} holds part {part} of a class. Put all parts together first, in a folder of their own: "
            "softmark gather PART... --out FOLDER"
        )
        raise click.UsageError(tr(message, out=out, part=part))


def require_readable_part(out: Path) -> Part | None:
    """The part whose results lie in `out`, if it is a part's folder.

    Raises:
        click.UsageError: its record cannot be read.
    """
    try:
        return part_in(out)
    except (OSError, ValueError) as error:
        message = translatable("{path} cannot be read: remove the folder {out}, or choose another")
        raise click.UsageError(tr(message, path=out / FILE, out=out)) from error
