"""A folder with one folder or file per submission, each named after its student."""

from collections.abc import Sequence
from pathlib import Path

from graders.classroom.class_record import Unmatched
from graders.classroom.find_student import Identity
from graders.classroom.intake.download import SUFFIXES, Download, Found
from graders.language import tr
from graders.submission.files import tidy_name


def read(paths: Sequence[Path]) -> Download:
    """Every folder, notebook, module and zip is a hand-in."""
    submissions, unmatched = [], []
    for path in paths:
        if path.is_dir() or (path.suffix.lower() in SUFFIXES and path.is_file()):
            submissions.append(hand_in(path))
        else:
            unmatched.append(stray(path))
    return Download("plain", tuple(submissions), tuple(unmatched))


def hand_in(path: Path) -> Found:
    """A folder or file that is one student's, and named after them."""
    label = path.name if path.is_dir() else path.stem
    return Found(label, tidy_name(path.name), Identity(name=label, names=(label,)), path, or_else=path.name)


def stray(path: Path) -> Unmatched:
    """A file beside the hand-ins."""
    return Unmatched(tidy_name(path.name), tr("it is no folder, notebook, module or zip, and was not graded"))
