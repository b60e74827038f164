"""Moodle's "Download all submissions", as a zip or unpacked.

One folder for each student and kind of submission, `<Full name>_<participant number>_assignsubmission_file`
(older ones with `_` behind it), or files that begin so where the teacher has chosen no folders. In a name
Moodle makes `_` a space, so that the first one ends it. A team has its name and number in that place; with
blind marking the name is "Participant" in the site's language.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from graders.classroom.class_record import Unmatched
from graders.classroom.find_student import Identity
from graders.classroom.intake.download import Download, Found
from graders.language import tr, translatable
from graders.submission.files import tidy_name

_WHOSE = r"(?P<name>.+?)(?:_(?P<number>[0-9]+))?_assignsubmission_(?P<kind>file|onlinetext)"
_FOLDER = re.compile(f"{_WHOSE}_?", re.DOTALL)
_FILE = re.compile(f"{_WHOSE}_(?P<file>.+)", re.DOTALL)


def fits(paths: Sequence[Path]) -> bool:
    """Whether a folder holds such a download."""
    return any(_matched(path) for path in paths)


def read(paths: Sequence[Path]) -> Download:
    """The students' folders or files; what was typed online counts where no file was handed in."""
    unmatched: list[Unmatched] = []
    whose: dict[tuple[str, str], list[tuple[re.Match[str], Path]]] = {}
    for path in paths:
        if match := _matched(path):
            whose.setdefault((match["name"], match["number"] or ""), []).append((match, path))
        else:
            unmatched.append(Unmatched(tidy_name(path.name), tr(_NOT_MOODLES)))
    submissions = []
    for (name, number), parts in whose.items():
        kept = [part for part in parts if part[0]["kind"] == "file"] or parts
        unmatched += [Unmatched(tidy_name(p.name), tr(_TYPED)) for m, p in parts if (m, p) not in kept]
        folders = [path for _, path in kept if path.is_dir()]
        pieces = [(match["file"], path) for match, path in kept if not path.is_dir()]
        unmatched += [Unmatched(tidy_name(path.name), tr(_TWICE)) for path in folders[1:]]
        if folders:
            unmatched += [Unmatched(tidy_name(path.name), tr(_TWICE)) for _, path in pieces]
        submissions.append(_found(name, number, folders[:1], pieces))
    return Download("moodle", tuple(submissions), tuple(unmatched))


_NOT_MOODLES = translatable(
    "its name is not of the form that Moodle gives a submission, and it was not graded"
)
_TYPED = translatable("it was typed online; the files that were handed in beside it are graded")
_TWICE = translatable("the same participant has another folder, which is graded")


def _matched(path: Path) -> re.Match[str] | None:
    return (_FOLDER if path.is_dir() else _FILE).fullmatch(path.name)


def _found(name: str, number: str, folders: list[Path], pieces: list[tuple[str, Path]]) -> Found:
    label = f"{name}_{number}" if number else name
    who = Identity(number, name, (name,))
    if folders:
        return Found(label, tidy_name(folders[0].name), who, folders[0])
    return Found(label, tidy_name(pieces[0][1].name), who, pieces=tuple(pieces))
