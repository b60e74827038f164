"""Read a folder with one folder or file per submission, each named after its student."""

from collections.abc import Sequence
from pathlib import Path

from graders.classroom.class_record import Unmatched
from graders.classroom.find_student import Identity
from graders.classroom.intake.download import Download, DownloadedSubmission
from graders.classroom.intake.git import is_checkout
from graders.language import tr
from graders.submission.files import may_be_handed_in, tidy_name, without_endings


def read(paths: Sequence[Path]) -> Download:
    """Read each folder, notebook, module and zip as a hand-in."""
    submissions, unmatched = [], []
    for path in paths:
        if path.is_dir() or (may_be_handed_in(path.name) and path.is_file()):
            submissions.append(make_hand_in(path))
        else:
            unmatched.append(make_unmatched(path))
    return Download("plain", tuple(submissions), tuple(unmatched))


def make_hand_in(path: Path) -> DownloadedSubmission:
    """Make the hand-in of a folder or file that is named after its student."""
    label = path.name if path.is_dir() else without_endings(path.name)
    who = Identity(name=label, names=(label,))
    checkout = path if is_checkout(path) else None
    return DownloadedSubmission(label, tidy_name(path.name), who, path, or_else=path.name, checkout=checkout)


def make_unmatched(path: Path) -> Unmatched:
    """Describe a file that is not a hand-in."""
    return Unmatched(
        tidy_name(path.name), tr("it was not graded, since it is not a folder, notebook, module or zip")
    )
