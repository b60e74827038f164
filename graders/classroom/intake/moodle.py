"""Read Moodle's "Download all submissions", as a zip or unpacked.

There is one folder for each student and kind of submission,
`<Full name>_<participant number>_assignsubmission_file` (in older versions with `_` at the end); if the
teacher has turned folders off, the names of files begin in this way. Moodle replaces `_` in full names by a
space, so the first `_` ends the name. For a team, name and number are the team's; with blind marking the name
is "Participant" in the site's language.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from graders.classroom.class_record import Unmatched
from graders.classroom.find_student import Identity
from graders.classroom.intake.download import Download, DownloadedSubmission
from graders.language import tr, translatable
from graders.safe_text import composed
from graders.submission.files import tidy_name

_WHOSE = r"(?P<name>.+?)(?:_(?P<number>[0-9]+))?_assignsubmission_(?P<kind>file|onlinetext)"
_FOLDER = re.compile(f"{_WHOSE}_?", re.DOTALL)
_FILE = re.compile(f"{_WHOSE}_(?P<file>.+)", re.DOTALL)


def fits(paths: Sequence[Path]) -> bool:
    """Whether a folder contains a download of Moodle's."""
    return any(_match(path) for path in paths)


def read(paths: Sequence[Path]) -> Download:
    """Group folders or files by student; a text typed online counts only if no file was handed in."""
    unmatched: list[Unmatched] = []
    whose: dict[tuple[str, str], list[tuple[re.Match[str], Path]]] = {}
    for path in paths:
        if match := _match(path):
            whose.setdefault((composed(match["name"]), match["number"] or ""), []).append((match, path))
        else:
            unmatched.append(Unmatched(tidy_name(path.name), tr(_NOT_MOODLES)))
    submissions = []
    for (name, number), parts in whose.items():
        kept = [part for part in parts if part[0]["kind"] == "file"] or parts
        unmatched += [Unmatched(tidy_name(p.name), tr(_TYPED)) for m, p in parts if (m, p) not in kept]
        folders = [path for _, path in kept if path.is_dir()]
        pieces = [(match["file"], path) for match, path in kept if not path.is_dir()]
        if folders:
            unmatched += [Unmatched(tidy_name(path.name), tr(_TWICE)) for _, path in pieces]
        # Two downloads in one folder, of which nothing says which is the later.
        submissions += [_submission(name, number, [folder], []) for folder in folders]
        submissions += [] if folders else [_submission(name, number, [], pieces)]
    return Download("moodle", tuple(submissions), tuple(unmatched))


_NOT_MOODLES = translatable("it was not graded, since its name does not have the form of a Moodle submission")
_TYPED = translatable("it was typed online; the files of the same student are graded instead")
_TWICE = translatable("the same participant has another folder, which is graded instead")


def _match(path: Path) -> re.Match[str] | None:
    return (_FOLDER if path.is_dir() else _FILE).fullmatch(path.name)


def _submission(
    name: str, number: str, folders: list[Path], pieces: list[tuple[str, Path]]
) -> DownloadedSubmission:
    label = f"{name}_{number}" if number else name
    who = Identity(number, name, (name,))
    if folders:
        return DownloadedSubmission(label, tidy_name(folders[0].name), who, folders[0])
    return DownloadedSubmission(label, tidy_name(pieces[0][1].name), who, pieces=tuple(pieces))
