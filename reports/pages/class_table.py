"""The table of a class, as values for the templates: whole, or one page of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup

from graders.results.result import Outcome, Result
from reports.class_statistics import tally
from reports.class_statistics.rows import ClassRows, Row
from reports.pages.templating import anchor

# The table's columns between the names and the exercises, in their order, and an exercise's, in rem.
WIDTHS = {"group": 4.5, "points": 6, "handed_in": 6.5, "late": 5, "undecided": 5.8}
EXERCISE_WIDTH = 5.2
MANY = 100  # rows from which on the table scrolls, and a row is laid out where it is seen
MAX_LINKS = 200_000  # characters of links in the table's cells; with more, the cells have no links


@dataclass(frozen=True)
class Cell:
    """An exercise of a submission: its final points; `was` has softmark's where the instructor set others."""

    points: float
    outcome: Outcome
    was: float | None
    link: str | None


def column_values(class_rows: ClassRows, results: Sequence[Result]) -> dict[str, Any]:
    """The values of `class_table.html.j2` that all pages of a table share.

    Args:
        class_rows: all rows of the class.
        results: of the class.
    """
    columns = _columns(class_rows)
    names = tally.exercise_titles(results)
    return {
        "outcomes": list(Outcome),
        "most": max((row.most for row in class_rows.rows), default=0),
        "exercises": [(title, anchor(name), _most(results, name)) for name, title in names.items()],
        "columns": columns,
        "widths": [width for name, width in WIDTHS.items() if columns.get(name, True)],
        "exercise_width": EXERCISE_WIDTH,
    }


def row_values(class_rows: ClassRows, names: Sequence[str]) -> dict[str, Any]:
    """The values of `class_table.html.j2` for these rows, and the exercises of these names."""
    # Most exercises end as many others do, and to render each cell would take half of the page's time.
    once = cache(lambda macro, cell: macro(cell))
    return {
        "each_once": lambda macro, cells: Markup().join(once(macro, cell) for cell in cells),
        "rows": list(zip(class_rows.rows, _cells(class_rows, names), strict=True)),
        "many": len(class_rows.rows) > MANY,
    }


def _columns(class_rows: ClassRows) -> dict[str, bool]:
    """Which optional columns have content."""
    return {
        "group": any(row.group for row in class_rows.rows),
        "handed_in": any(row.mark and row.mark.handed_in for row in class_rows.rows),
        "late": any(row.late for row in class_rows.rows),
        "undecided": any(row.undecided for row in class_rows.rows),
        "seconds": any(row.result and row.result.seconds for row in class_rows.rows),
    }


def _cells(class_rows: ClassRows, names: Sequence[str]) -> list[list[Cell | None]]:
    anchors = {name: anchor(name) for name in names}
    length_of_anchors = sum(map(len, anchors.values()))
    links = [row.link or "" for row in class_rows.rows]
    linked = sum(len(link) * len(names) + length_of_anchors for link in links) < MAX_LINKS
    return [
        [_cell(row, name, f"{link}#{anchors[name]}" if linked else None) for name in names]
        for row, link in zip(class_rows.rows, links, strict=True)
    ]


def _cell(row: Row, name: str, link: str | None) -> Cell | None:
    attempt = tally.find_exercise(row.result, name) if row.result else None
    if attempt is None:
        return None
    points_set = row.points_set(name)
    if points_set is None:
        return Cell(attempt.points, attempt.outcome, None, link)
    return Cell(points_set, attempt.outcome, attempt.points, link)


def _most(results: Sequence[Result], name: str) -> float:
    return max((e.max_points for r in results if (e := tally.find_exercise(r, name))), default=0)
