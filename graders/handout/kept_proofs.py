"""What was shown of handouts before: that a file gives nothing away, that the stubs can be completed.

Both follow from content alone. Another language or platform has the same code and the same key, so that what
was shown for one of them is not shown again.
"""

import hashlib
from collections.abc import Mapping

from graders import locations
from graders.answer_key.code_digest import modules_below, statements_digest
from graders.course import reference
from graders.handout.fill_in_reference import fill_in_reference
from graders.handout.kept_files import digest_of, is_kept, keep
from graders.handout.platform_files import Bundle
from graders.handout.public_files import public_files
from graders.handout.sheet import Sheet


def is_known_clean(name: str, data: bytes) -> bool:
    """Whether a file of this name and content was searched for the same solutions, and nothing was found."""
    return is_kept(_name_of_clean(name, data))


def keep_as_clean(files: Mapping[str, bytes]) -> None:
    """Remember that these files give nothing away."""
    for name, data in files.items():
        keep(_name_of_clean(name, data), b"")


def is_verified(bundle: Bundle, seed: int) -> bool:
    """Whether a handout with the same code, and the same key, was verified by the same softmark."""
    name = _name_of_verified(bundle, seed)
    return name is not None and is_kept(name)


def keep_as_verified(bundle: Bundle, seed: int) -> None:
    """Remember that a handout was verified."""
    if name := _name_of_verified(bundle, seed):
        keep(name, b"")


def _name_of_clean(name: str, data: bytes) -> str:
    return f"clean-{digest_of(name, hashlib.sha256(data).hexdigest(), _secrets())}"


@locations.once_per_course
def _secrets() -> str:
    """A digest of the solutions, and of what is public and may stand in a file."""
    public = {path.as_posix(): text for path, text in public_files().items()}
    return digest_of(public, reference.texts())


def _name_of_verified(bundle: Bundle, seed: int) -> str | None:
    """The name under which it is remembered; None where a cell is no Python, which is to be told."""
    exercises = bundle.assignment.exercises
    roots = ("graders.handout.verify", *(locations.course().checks_module(e.name) for e in exercises))
    worker = (f"softmark_worker.{path.stem}" for path in sorted(locations.WORKER.glob("*.py")))
    key = hashlib.sha256(bundle.answer_key or b"").hexdigest()
    try:
        sheets = [_code_of(bundle.sheet), _code_of(fill_in_reference(bundle.sheet, bundle.assignment))]
    except SyntaxError:
        return None
    marks = [(exercise.name, exercise.points, exercise.changed) for exercise in exercises]
    return f"verified-{digest_of(sheets, key, seed, marks, modules_below(*roots, *worker, others=()))}"


def _code_of(sheet: Sheet) -> list[str]:
    return [statements_digest(cell.text) for cell in sheet.cells if cell.kind == "code"]
