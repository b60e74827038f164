"""The page of a class: the submissions, what to teach next, and who fails the same checks."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graders.classroom.marks import Mark, Override
from graders.language import number, tr
from graders.results.result import Result
from graders.results.walls import is_unwalled
from reports import words
from reports.class_statistics import item_analysis, limits_met, similar, tally
from reports.class_statistics.rows import ClassRows, People, Row, collect_rows
from reports.figures import distribution
from reports.pages.class_table import column_values, row_values
from reports.pages.table_pages import MAX_ROWS, TablePage, render_table_pages, split_table
from reports.pages.templating import anchor, fill, read_script

MAX_LISTED = 50  # groups, faults, copies and the like; the others are counted
MAX_SLOWEST = 10
MAX_OUTLIERS = 5
INDEX = "index.html"


def render(results: Sequence[Result], notes: Sequence[str] = (), marks: Sequence[Mark] = ()) -> str:
    """Render the self-contained page of a class, in the current language.

    Args:
        results: one per submission, complete or compact.
        notes: for the reader, such as on results that could not be read.
        marks: the final points, one per submission and per student without one, in the order of the rows;
            without marks, only the results are shown, in their order.
    """
    return _render(results, notes, collect_rows(results, marks), None)


@dataclass(frozen=True)
class ClassPages:
    """The pages of a class: one; for a large class also those of its table. Arguments as for `render`."""

    results: Sequence[Result]
    notes: Sequence[str] = ()
    marks: Sequence[Mark] = ()

    @cached_property
    def _class_rows(self) -> ClassRows:
        class_rows = collect_rows(self.results, self.marks)
        # No list refers to rows of a table that is on other pages.
        return ClassRows(class_rows.rows, refers=len(class_rows.rows) <= MAX_ROWS)

    @cached_property
    def _table_pages(self) -> list[TablePage]:
        return split_table(self._class_rows) if self.is_large else []

    @property
    def is_large(self) -> bool:
        """Whether the table is on pages of its own."""
        return not self._class_rows.refers

    def render_index(self) -> tuple[str, str]:
        """The name and text of the class's page."""
        return INDEX, _render(self.results, self.notes, self._class_rows, self._table_pages or None)

    def render_table(self) -> Iterator[tuple[str, str]]:
        """Yield the names and texts of the pages of its table, one at a time."""
        if self.is_large:
            yield from render_table_pages(self._table_pages, self._class_rows, self.results)


def _render(
    results: Sequence[Result], notes: Sequence[str], class_rows: ClassRows, pages: list[TablePage] | None
) -> str:
    names = tally.exercise_titles(results)
    tallies = tally.tally_exercises(results)
    mistakes = tally.tally_mistakes(results)
    table = column_values(class_rows, results)
    if pages is None:
        table |= row_values(class_rows, list(names))
    return fill(
        "class.html.j2",
        title=" · ".join(dict.fromkeys(result.title for result in results)) or tr("No submissions"),
        results=results,
        notes=notes,
        script=read_script("class.js", "walk.js") if class_rows.rows and pages is None else None,
        frames=True,
        class_rows=class_rows,
        pages=pages,
        **table,
        facts=_facts(class_rows),
        run=_run_facts(class_rows),
        handed_in=_handed_in(class_rows),
        look=_to_look_at(results, class_rows),
        **_distribution(class_rows),
        teach=[
            (exercise, anchor(exercise.name), _most_made(mistakes, exercise.name)) for exercise in tallies
        ],
        items=item_analysis.analyse_exercises(results),
        doubtful=item_analysis.doubtful_checks(results),
        tallies=[
            (
                e,
                anchor(e.name),
                *(class_rows.list_people(ids, e.name) for ids in (e.absent, e.unfinished, e.near)),
            )
            for e in tallies
        ],
        mistakes=[(mistake, class_rows.list_people(mistake.ids, mistake.exercise)) for mistake in mistakes],
        unreadable=[
            (reason, class_rows.list_people(ids)) for reason, ids in limits_met.list_unreadable(results)
        ],
        faults=[(fault, class_rows.list_people(fault.ids)) for fault in limits_met.faults(results)],
        told=[(message, class_rows.list_people(ids)) for message, ids in limits_met.list_notes(results)],
        met=[(limit, class_rows.list_people(limit.ids)) for limit in limits_met.count_limits(results)],
        unboxed=class_rows.list_people(r.submission.id for r in results if is_unwalled(r)),
        listed=MAX_LISTED,
        **_similar_values(results, class_rows),
        **_override_values(class_rows, names),
    )


def _facts(class_rows: ClassRows) -> list[tuple[str, str]]:
    facts = [(tr("Submissions"), number(sum(row.result is not None for row in class_rows.rows), ","))]
    ways = [*_handed_in(class_rows), *_to_look_at([], class_rows)]
    facts += [(name, number(who.count, ",")) for name, who in ways if who.count]
    if reached := _reached(class_rows):
        low, high = words.points(min(reached)), words.points(max(reached))
        facts.append((tr("Mean"), words.points(statistics.fmean(reached))))
        facts.append((tr("Median"), words.points(statistics.median(reached))))
        facts.append((tr("Range"), tr("{low} to {high}", low=low, high=high)))
    return facts


def _run_facts(class_rows: ClassRows) -> list[tuple[str, str]]:
    """What whoever keeps softmark running asks for."""
    facts = []
    boxes = Counter(row.result.sandbox for row in class_rows.rows if row.result)
    if boxes:
        several = len(boxes) > 1
        label = ", ".join(words.about(box, n) if several else box for box, n in boxes.items())
        facts.append((tr("Box"), label))
    if seeds := sorted({row.result.seed for row in class_rows.rows if row.result}):
        facts.append((tr("Seed"), ", ".join(map(str, seeds))))
    return facts


def _reached(class_rows: ClassRows) -> list[float]:
    return [row.points for row in class_rows.rows if row.points is not None]


def _handed_in(class_rows: ClassRows) -> list[tuple[str, People]]:
    """The submissions that are not simply on time and graded, by the reason."""
    ways: dict[str, Iterable[Row]] = {
        tr("Nothing handed in"): (row for row in class_rows.rows if row.result is None and not row.waiting),
        tr("Late"): (row for row in class_rows.rows if row.late),
        tr("With more time"): (row for row in class_rows.rows if row.is_extended),
        tr("With points of an earlier grading"): (row for row in class_rows.rows if row.is_raised),
        tr("Held back"): (row for row in class_rows.rows if row.is_held),
        tr("Set by the instructor"): (row for row in class_rows.rows if row.is_set),
    }
    return _people_by_reason(ways, class_rows)


def _to_look_at(results: Sequence[Result], class_rows: ClassRows) -> list[tuple[str, People]]:
    """The submissions that someone should look at before the points are given out, by the reason."""
    ways: dict[str, Iterable[Row]] = {
        tr("Not graded yet"): (row for row in class_rows.rows if row.waiting),
        tr("Points undecided"): (row for row in class_rows.rows if row.undecided),
        tr("Version in doubt"): (
            row for row in class_rows.rows if row.result and any(e.versions for e in row.result.exercises)
        ),
        tr("Nothing attempted"): (
            row for row in class_rows.rows if row.result and similar.without_attempt([row.result])
        ),
    }
    asked = [met for met in limits_met.count_limits(results) if met.limit in limits_met.ENVIRONMENT]
    return _people_by_reason(ways, class_rows) + [
        (tr("Asks for what the box lacks, {what}", what=met.what), class_rows.list_people(met.ids))
        for met in asked
    ]


def _people_by_reason(ways: dict[str, Iterable[Row]], class_rows: ClassRows) -> list[tuple[str, People]]:
    return [(way, class_rows.list_people(row.id for row in rows)) for way, rows in ways.items()]


def _distribution(class_rows: ClassRows) -> dict[str, Any]:
    reached = _reached(class_rows)
    most = max([*(row.most for row in class_rows.rows), *reached, 0])
    bins = distribution.bins(reached, most)
    return {
        "histogram": distribution.distribution(reached, most) if reached else None,
        "bins": [
            (_step(words.points(low), words.points(high), last=n == len(bins)), count)
            for n, (low, high, count) in enumerate(bins, 1)
        ],
    }


def _step(low: str, high: str, *, last: bool) -> str:
    values = {"low": low, "high": high}
    return tr("{low} to {high}", **values) if last else tr("{low} to under {high}", **values)


def _most_made(mistakes: Sequence[tally.MistakeTally], name: str) -> tally.MistakeTally | None:
    return next((mistake for mistake in mistakes if mistake.exercise == name), None)


def _similar_values(results: Sequence[Result], class_rows: ClassRows) -> dict[str, Any]:
    by_id = {row.id: row for row in class_rows.rows}
    slow = similar.slowest(results, MAX_SLOWEST)
    copies, raising = similar.group_copies(results), similar.always_raising(results)
    apart, weights = similar.find_outliers(results, MAX_OUTLIERS), similar.group_same_weights(results)
    return {
        "odd": bool(copies or weights or raising or apart),
        "stuck": [
            (group, class_rows.list_people(group.ids, group.exercise))
            for group in similar.group_by_answers(results)
        ],
        "copies": [class_rows.list_people(ids) for ids in copies],
        "weights": [class_rows.list_people(ids) for ids in weights],
        "raising": class_rows.list_people(raising),
        "apart": [(by_id[outlier.id], outlier.checks, by_id[outlier.nearest]) for outlier in apart],
        "slow": [(by_id[result.submission.id], result.seconds) for result in slow],
        "usual": similar.median_seconds(results) if slow else 0,
    }


def _override_values(class_rows: ClassRows, names: dict[str, str]) -> dict[str, Any]:
    overrides = [
        (row, whose, override)
        for row, whose, mark in _marks_with_members(class_rows)
        for override in mark.set_by_hand(row.result)
        if not whose or (row.mark and override not in row.mark.overrides)
    ]
    return {
        "set": [
            (row, whose, names.get(o.exercise or "", o.exercise), _points_before(row, o), o)
            for row, whose, o in overrides
        ],
        "said": [
            (row, whose, *what)
            for row, whose, mark in _marks_with_members(class_rows)
            for what in _said(mark, row.mark if whose else None)
        ],
    }


def _marks_with_members(class_rows: ClassRows) -> Iterator[tuple[Row, str, Mark]]:
    """The marks of all rows; after a team's those of members who have one of their own, with their names."""
    for row in class_rows.rows:
        if row.mark:
            yield row, "", row.mark
            yield from ((row, _name_of(member), member) for member in row.mark.members)


def _said(mark: Mark, team: Mark | None) -> Iterator[tuple[str, str]]:
    """What was said of a mark beside points, and the staff's note; of a member, what the team lacks."""
    if mark.extension and not (team and team.extension == mark.extension):
        until = f"{mark.extension.due:%Y-%m-%d %H:%M %z}"
        yield tr("more time, until {at}", at=until), mark.extension.staff_note
    if mark.held and not (team and team.held == mark.held):
        yield tr("held back"), mark.held.staff_note


def _name_of(member: Mark) -> str:
    return (member.student and (member.student.name or member.student.id)) or member.id


def _points_before(row: Row, override: Override) -> float | None:
    if override.exercise is None or row.result is None:
        return row.machine
    attempt = tally.find_exercise(row.result, override.exercise)
    return attempt.points if attempt else None
