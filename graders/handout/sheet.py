"""The cells of an assignment's handout, in one language."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import jupytext

from graders.course.exercise import Assignment, Exercise
from graders.handout.docstrings import keep_language
from graders.language import Language


@dataclass(frozen=True)
class Cell:
    """A cell of the handout.

    `exercise` is the name of the exercise that it belongs to, "" at the beginning. A `check` is in
    notebooks alone, since `%check` is not Python.
    """

    kind: Literal["markdown", "code", "check"]
    text: str
    exercise: str = ""


@dataclass(frozen=True)
class Sheet:
    """All cells of an assignment's handout in their order."""

    name: str
    cells: tuple[Cell, ...]

    def changed(self, exercise: str, code: str, by: str) -> "Sheet":
        """The sheet with one code cell of an exercise replaced."""
        old = Cell("code", code, exercise)
        assert old in self.cells
        return replace(self, cells=tuple(replace(c, text=by) if c == old else c for c in self.cells))


def sheet_of(assignment: Assignment, language: Language, beginning: str) -> Sheet:
    """The cells of an assignment in one language.

    Args:
        assignment: its exercises hold the text to hand out.
        language: cells and docstrings in the other one are left out.
        beginning: the first cell, Markdown.
    """
    cells = [Cell("markdown", beginning), Cell("check", _first_cell(language))]
    for exercise in assignment.exercises:
        cells += _exercise_cells(exercise, language)
        if exercise.rule is None:  # a trained model is a file beside the notebook
            cells.append(Cell("check", f"%check {exercise.name}", exercise.name))
    return Sheet(assignment.name, tuple(cells))


def _first_cell(language: Language) -> str:
    return f"%env SOFTMARK_LANG={language}\n%load_ext graders"


def _exercise_cells(exercise: Exercise, language: Language) -> Iterator[Cell]:
    for cell in jupytext.reads(exercise.handed_out, fmt="py:percent").cells:
        if cell.cell_type == "markdown":
            if cell.metadata.get("lang", language) == language:
                yield Cell("markdown", cell.source.strip("\n"), exercise.name)
        else:
            yield Cell("code", keep_language(cell.source.strip("\n"), language), exercise.name)
