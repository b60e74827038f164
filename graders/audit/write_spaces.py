"""Write the no-break spaces that French needs into the files that are audited, and nothing else."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from graders import locations
from graders.audit.french_spaces import Edit, edit_spaces
from graders.audit.french_texts import FrenchText, french_cells, french_docstrings, french_titles
from graders.course.course_file import course_languages, course_path, read_course
from graders.language import Language
from graders.results.atomic_write import write_atomically


@dataclass(frozen=True)
class WrittenSpace:
    """A place in which a space was written: the file as in a checkout, the line, and the words there."""

    file: str
    line: int
    words: str


def write_spaces(name: str | None) -> Iterator[WrittenSpace]:
    """Write the spaces into course.toml and the files of exercises; each place once it is written.

    Args:
        name: an assignment or an exercise; None for all.

    Raises:
        OSError: a file cannot be written.
    """
    languages = course_languages()
    yield from _write(course_path(), languages)
    for assignment, table in read_course().items():
        for entry in table.get("exercises", []):
            if name in (None, assignment, entry.get("name")):
                for path in _files(str(entry.get("name"))):
                    yield from _write(path, languages)


def spaces_missing(text: str, french: FrenchText) -> Iterator[Edit]:
    """Where a French text in a file lacks a space."""
    return edit_spaces(text, french.start, french.end, docstring=french.in_docstring)


def _files(exercise: str) -> list[Path]:
    course = locations.course()
    paths = (course.stub(exercise), course.checks(exercise), *course.solution_files(exercise))
    return [path for path in paths if path.is_file() and _is_own(path)]


def _is_own(path: Path) -> bool:
    """Whether a file lies in the course's own folder: softmark's stay as they are where it extends them."""
    return any(path.is_relative_to(folder) for _, folder in locations.course().own.named)


def _write(path: Path, languages: Collection[Language]) -> list[WrittenSpace]:
    text = path.read_bytes().decode()  # no line end is changed
    try:
        french = list(_french_of(path, text, languages))
    except SyntaxError:
        return []  # the audit says so
    edits = [edit for place in french for edit in spaces_missing(text, place)]
    edits.sort(key=lambda edit: edit.start)
    name = locations.course().describe(path) or path.name
    written = [WrittenSpace(name, text.count("\n", 0, edit.start) + 1, edit.due) for edit in edits]
    if edits:
        write_atomically(path, _apply(text, edits).encode())
    return written


def _french_of(path: Path, text: str, languages: Collection[Language]) -> Iterator[FrenchText]:
    if path == course_path():
        yield from french_titles(text, languages)
    else:
        yield from french_docstrings(text, languages)
        if path.is_relative_to(locations.course().own.assignments):
            yield from french_cells(text, languages)


def _apply(text: str, edits: list[Edit]) -> str:
    for edit in reversed(edits):  # from the end, so that earlier places stay where they are
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text
