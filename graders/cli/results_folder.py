"""The folder that results are written to: it can be written, and it is none that holds submissions."""

from pathlib import Path

import click

from graders.classroom.class_record import is_results_folder
from graders.classroom.intake.download import SUFFIXES
from graders.language import tr, translatable


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


def refuse_submissions(out: Path, handed_in: Path) -> None:
    """Require that results in `out` cannot be taken for submissions, nor lie between any.

    Raises:
        click.UsageError: `out` is `handed_in`, lies in it, or holds files of another kind than results.
    """
    if out.resolve() == handed_in.resolve():
        why = translatable("it is the folder of the submissions")
    elif handed_in.is_dir() and out.resolve().is_relative_to(handed_in.resolve()):
        why = translatable("it lies in the folder of the submissions")
    elif out.is_dir() and not is_results_folder(out) and _holds_submissions(out):
        why = translatable("it holds notebooks, modules or zips, and no results")
    else:
        return
    raise click.UsageError(
        tr("results cannot be written to {out}: {why}. Choose another folder", out=out, why=tr(why))
    )


def _holds_submissions(folder: Path) -> bool:
    paths = (path for pattern in ("*", "*/*") for path in folder.glob(pattern))
    return any(path.suffix.lower() in SUFFIXES and path.is_file() for path in paths)
