"""Read Canvas's "Download submissions", as a zip or unpacked: one folder with the files of all students.

Files are named `<name>[_LATE]_<user id>_<attachment id>_<file>`, or, where names are hidden,
`[LATE_]anon_<id>_<attachment id>_<file>`. A text or an address that was typed online has no attachment id,
and its name ends in `_text.html` or `_link.html`.
"""

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from graders.classroom.class_record import Unmatched
from graders.classroom.find_student import Identity
from graders.classroom.intake.download import Download, DownloadedSubmission
from graders.language import tr, translatable
from graders.submission.files import tidy_name

_NAMED = r"(?P<name>\w*?)_(?P<late>LATE_)?(?P<user>[0-9]+)"
_HIDDEN = r"(?P<late>LATE_)?(?P<user>anon_[A-Za-z0-9]+)"
_WHAT = r"_(?:(?P<attachment>[0-9]+)_(?P<file>.+)|(?P<typed>text\.html|link\.html))"
_FORMS = tuple(re.compile(whose + _WHAT, re.DOTALL) for whose in (_HIDDEN, _NAMED))
# A browser or Canvas adds a number to a file name that exists already: "answers-1.ipynb".
_AGAIN = re.compile(r"(?P<stem>.+)-(?P<number>[0-9]+)", re.DOTALL)

_OLDER = translatable("the same student handed in {file} later, which counts instead")
_NOT_CANVASES = translatable(
    "it was not graded, since its name does not have the form of a Canvas submission"
)


def fits(paths: Sequence[Path]) -> bool:
    """Whether most files of a folder have names in Canvas's form."""
    files = [path for path in paths if path.is_file()]
    return bool(files) and 2 * sum(_match(path) is not None for path in files) > len(files)


def read(paths: Sequence[Path]) -> Download:
    """Group the files by student; of a file that was handed in again, keep the last version."""
    unmatched: list[Unmatched] = []
    whose: dict[str, list[tuple[re.Match[str], Path]]] = {}
    for path in paths:
        if path.is_file() and (match := _match(path)):
            whose.setdefault(match["user"], []).append((match, path))
        else:
            unmatched.append(Unmatched(tidy_name(path.name), tr(_NOT_CANVASES)))
    submissions = []
    for user, parts in whose.items():
        kept, older = _keep_latest(parts)
        unmatched += older
        submissions.append(_submission(user, kept))
    return Download("canvas", tuple(submissions), tuple(unmatched))


def _match(path: Path) -> re.Match[str] | None:
    return _match_name(path.name)


def _match_name(name: str) -> re.Match[str] | None:
    return next((match for form in _FORMS if (match := form.fullmatch(name))), None)


def prefix_of_feedback(source: str) -> str | None:
    """How the name of a file begins by which Canvas knows whose feedback it is: as that of a file handed in.

    None where nothing was uploaded: what was typed online has no number of an attachment.
    """
    match = _match_name(source)
    return source[: match.start("file")] if match and match["attachment"] else None


def _submission(user: str, parts: list[tuple[re.Match[str], Path]]) -> DownloadedSubmission:
    # A file that was uploaded says where feedback goes; what was typed online does not.
    first, path = next((part for part in parts if part[0]["attachment"]), parts[0])
    name = first.groupdict().get("name") or ""
    number = user.removeprefix("anon_")
    label = f"{name}_{user}" if name else user
    pieces = tuple((match["file"] or match["typed"], path) for match, path in parts)
    late = any(match["late"] for match, _ in parts)
    return DownloadedSubmission(
        label, tidy_name(path.name), Identity(number, name, ()), pieces=pieces, late=late
    )


def _keep_latest(
    parts: list[tuple[re.Match[str], Path]],
) -> tuple[list[tuple[re.Match[str], Path]], list[Unmatched]]:
    by_name: dict[str, list[tuple[re.Match[str], Path]]] = {}
    given = {match["file"] for match, _ in parts}
    for part in parts:
        by_name.setdefault(_first_name(part[0]["file"] or part[0]["typed"], given), []).append(part)
    kept, older = [], []
    for versions in by_name.values():
        versions.sort(key=lambda part: int(part[0]["attachment"] or 0))
        kept.append(versions[-1])
        message = tr(_OLDER, file=tidy_name(versions[-1][1].name))
        older += [Unmatched(tidy_name(path.name), message) for _, path in versions[:-1]]
    return kept, older


def _first_name(name: str, given: set[str]) -> str:
    # Only if the file without a number exists too: "part-1" and "part-2" are two parts of an answer.
    path = PurePosixPath(name)
    match = _AGAIN.fullmatch(path.stem)
    first = f"{match['stem']}{path.suffix}" if match else name
    return first if first in given else name
