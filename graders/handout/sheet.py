"""The cells of an assignment's handout, in one language."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import jupytext

from graders.course.course_file import course_languages
from graders.course.exercise import Assignment, Exercise
from graders.handout.docstrings import keep_language
from graders.handout.render_texts import fill_in_values
from graders.handout.training_text import figures_of
from graders.language import Language


@dataclass(frozen=True)
class Cell:
    """A cell of the handout.

    `exercise` is the name of the exercise that it belongs to, "" at the beginning. A `check` is in
    notebooks alone, since `%check` is not Python. `tags` are a notebook's.
    """

    kind: Literal["markdown", "code", "check"]
    text: str
    exercise: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """All cells of an assignment's handout in their order."""

    name: str
    cells: tuple[Cell, ...]

    def with_first(self, code: str) -> "Sheet":
        """The sheet with a cell after its title, which notebooks alone have."""
        title, *others = self.cells
        return replace(self, cells=(title, Cell("check", code), *others))

    def changed(self, exercise: str, code: str, by: str) -> "Sheet":
        """The sheet with one code cell of an exercise replaced."""
        old = next(c for c in self.cells if (c.kind, c.text, c.exercise) == ("code", code, exercise))
        return replace(self, cells=tuple(replace(c, text=by) if c is old else c for c in self.cells))


def sheet_of(assignment: Assignment, language: Language, beginning: str) -> Sheet:
    """The cells of an assignment in one language.

    Args:
        assignment: its exercises hold the text to hand out.
        language: cells and docstrings in the other one are left out.
        beginning: the first cell, Markdown.

    Raises:
        Refused: it asks for a trained model, and the text to train on is not available.
    """
    cells = [Cell("markdown", beginning), Cell("check", _first_cell(language))]
    for exercise in assignment.exercises:
        cells += _exercise_cells(exercise, language)
        cells.append(Cell("check", f"%check {exercise.name}", exercise.name))
    return Sheet(assignment.name, tuple(cells))


def _first_cell(language: Language) -> str:
    return f"%env SOFTMARK_LANG={language}\n%load_ext graders"


def _exercise_cells(exercise: Exercise, language: Language) -> Iterator[Cell]:
    known = course_languages()
    written = language if language in known else known[0]
    for cell in jupytext.reads(exercise.handed_out, fmt="py:percent").cells:
        source = cell.source.strip("\n")
        if cell.cell_type == "markdown":
            if cell.metadata.get("lang", written) == written:
                told = source if exercise.rule is None else fill_in_values(source, figures_of(exercise.rule))
                yield Cell("markdown", told, exercise.name)
        else:
            tags = tuple(cell.metadata.get("tags", ()))
            yield Cell("code", keep_language(source, language), exercise.name, tags)
