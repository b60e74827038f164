"""The folder that results are written to: it holds no submissions, and nothing of another part."""

from pathlib import Path

from graders.batch.errors import CannotGrade
from graders.batch.part_record import FILE, Part, part_in
from graders.classroom.class_record import is_results_folder
from graders.language import tr, translatable
from graders.submission.files import may_be_handed_in

REASON = 200  # characters


def refuse_submissions(out: Path, handed_in: Path) -> None:
    """Require that results in `out` cannot be taken for submissions, nor lie between any.

    Raises:
        CannotGrade: `out` is `handed_in`, lies in it, or holds files of another kind than results.
    """
    if out.resolve() == handed_in.resolve():
        why = translatable("it is the folder of the submissions")
    elif handed_in.is_dir() and out.resolve().is_relative_to(handed_in.resolve()):
        why = translatable("it lies in the folder of the submissions")
    elif out.is_dir() and not is_results_folder(out) and _holds_submissions(out):
        why = translatable("it holds notebooks, modules or zips, and no results")
    else:
        return
    raise CannotGrade(
        tr("results cannot be written to {out}: {why}. Choose another folder", out=out, why=tr(why))
    )


def require_part(part: Part | None, out: Path, *, seeded: bool, selects: bool) -> None:
    """Require that this part, or the whole class, can be graded into `out`.

    Args:
        part: the part; None for the whole class.
        out: the folder for the results.
        seeded: whether a seed was given.
        selects: whether only some submissions were asked for.

    Raises:
        CannotGrade: it cannot.
    """
    there = readable_part(out)
    if there != part and there is not None:
        message = translatable("{out} holds part {there} of a class: choose another folder")
        raise CannotGrade(tr(message, out=out, there=there))
    if part is None:
        return
    if there is None and is_results_folder(out):
        message = translatable(
            "{out} holds the results of a whole class: choose another folder for part {part}"
        )
        raise CannotGrade(tr(message, out=out, part=part))
    if not seeded:
        message = translatable(
            "All parts of a class must get the same draws, and each would choose a seed of its own: give the "
            "same secret number to all of them, with --seed-file FILE or --seed. This makes such a file: "
            "{command}"
        )
        raise CannotGrade(tr(message, command="shuf -i 1-2000000000 -n 1 > seed.txt"))
    if selects:
        raise CannotGrade(tr("--part grades its whole part: --only and --only-failed do not go with it"))


def readable_part(out: Path) -> Part | None:
    """The part whose results lie in `out`, if it is a part's folder.

    Raises:
        CannotGrade: its record cannot be read.
    """
    try:
        return part_in(out)
    except (OSError, ValueError) as error:
        message = translatable("{path} cannot be read ({reason}): choose another folder than {out}")
        reason = " ".join(str(error).split())[:REASON]
        raise CannotGrade(tr(message, path=out / FILE, reason=reason, out=out)) from error


def _holds_submissions(folder: Path) -> bool:
    paths = (path for pattern in ("*", "*/*") for path in folder.glob(pattern))
    return any(may_be_handed_in(path.name) and path.is_file() for path in paths)
