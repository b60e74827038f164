"""The page of a class: the submissions, what to teach next, and who fails the same checks."""

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graders.classroom.marks import Mark, Override
from graders.language import number, tr
from graders.results.result import Outcome, Result
from reports import words
from reports.class_statistics import limits_met, similar, tally
from reports.class_statistics.rows import ClassRows, People, Row, collect_rows
from reports.figures import heat_maps
from reports.pages.templating import anchor, fill, read_script

MAX_LISTED = 50  # groups, faults, copies and the like; the others are counted
MAX_SLOWEST = 10
MAX_OUTLIERS = 5
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


def render(results: Sequence[Result], notes: Sequence[str] = (), marks: Sequence[Mark] = ()) -> str:
    """Render the self-contained page of a class, in the current language.

    Args:
        results: one per submission, complete or compact.
        notes: for the reader, such as on results that could not be read.
        marks: the final points, one per submission and per student without one, in the order of the rows;
            without marks, only the results are shown, in their order.
    """
    class_rows = collect_rows(results, marks)
    names = tally.exercise_titles(results)
    tallies = tally.tally_exercises(results)
    mistakes = tally.tally_mistakes(results)
    columns = _columns(class_rows)
    return fill(
        "class.html.j2",
        title=" · ".join(dict.fromkeys(result.title for result in results)) or tr("No submissions"),
        results=results,
        notes=notes,
        script=read_script("class.js", "walk.js") if class_rows.rows else None,
        frames=True,
        class_rows=class_rows,
        outcomes=list(Outcome),
        most=max((row.most for row in class_rows.rows), default=0),
        exercises=[(title, anchor(name), _most(results, name)) for name, title in names.items()],
        rows=list(zip(class_rows.rows, _cells(class_rows, list(names)), strict=True)),
        columns=columns,
        widths=[width for name, width in WIDTHS.items() if columns.get(name, True)],
        exercise_width=EXERCISE_WIDTH,
        many=len(class_rows.rows) > MANY,
        facts=_facts(class_rows),
        run=_run_facts(class_rows),
        handed_in=_handed_in(class_rows),
        look=_to_look_at(results, class_rows),
        **_distribution(class_rows),
        teach=[
            (exercise, anchor(exercise.name), _most_made(mistakes, exercise.name)) for exercise in tallies
        ],
        tallies=[
            (exercise, anchor(exercise.name), class_rows.list_people(exercise.absent, exercise.name))
            for exercise in tallies
        ],
        mistakes=[(mistake, class_rows.list_people(mistake.ids, mistake.exercise)) for mistake in mistakes],
        unreadable=[
            (reason, class_rows.list_people(ids)) for reason, ids in limits_met.list_unreadable(results)
        ],
        faults=[(fault, class_rows.list_people(fault.ids)) for fault in limits_met.faults(results)],
        told=[(message, class_rows.list_people(ids)) for message, ids in limits_met.list_notes(results)],
        met=[(limit, class_rows.list_people(limit.ids)) for limit in limits_met.count_limits(results)],
        unboxed=class_rows.list_people(r.submission.id for r in results if r.sandbox == "open"),
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
        tr("Set by the instructor"): (row for row in class_rows.rows if row.mark and row.mark.overrides),
    }
    return _people_by_reason(ways, class_rows)


def _to_look_at(results: Sequence[Result], class_rows: ClassRows) -> list[tuple[str, People]]:
    """The submissions that someone should look at before the points are given out, by the reason."""
    ways: dict[str, Iterable[Row]] = {
        tr("Not graded yet"): (row for row in class_rows.rows if row.waiting),
        tr("Points undecided"): (row for row in class_rows.rows if row.undecided),
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
    linked = (
        sum(len(row.link or "") + len(anchor(name)) for row in class_rows.rows for name in names) < MAX_LINKS
    )
    return [[_cell(row, name, linked) for name in names] for row in class_rows.rows]


def _cell(row: Row, name: str, linked: bool) -> Cell | None:
    attempt = tally.find_exercise(row.result, name) if row.result else None
    if attempt is None:
        return None
    points_set = row.points_set(name)
    link = f"{row.link}#{anchor(name)}" if linked else None
    if points_set is None:
        return Cell(attempt.points, attempt.outcome, None, link)
    return Cell(points_set, attempt.outcome, attempt.points, link)


def _most(results: Sequence[Result], name: str) -> float:
    return max((e.max_points for r in results if (e := tally.find_exercise(r, name))), default=0)


def _distribution(class_rows: ClassRows) -> dict[str, Any]:
    reached = _reached(class_rows)
    most = max([*(row.most for row in class_rows.rows), *reached, 0])
    bins = heat_maps.bins(reached, most)
    return {
        "histogram": heat_maps.distribution(reached, most) if reached else None,
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
            for group in similar.group_by_failing_checks(results)
        ],
        "copies": [class_rows.list_people(ids) for ids in copies],
        "weights": [class_rows.list_people(ids) for ids in weights],
        "raising": class_rows.list_people(raising),
        "apart": [(by_id[outlier.id], outlier.checks, by_id[outlier.nearest]) for outlier in apart],
        "slow": [(by_id[result.submission.id], result.seconds) for result in slow],
        "usual": similar.median_seconds(results) if slow else 0,
    }


def _override_values(class_rows: ClassRows, names: dict[str, str]) -> dict[str, Any]:
    overrides = [(row, override) for row in class_rows.rows if row.mark for override in row.mark.overrides]
    return {
        "set": [
            (row, names.get(o.exercise or "", o.exercise), _points_before(row, o), o) for row, o in overrides
        ]
    }


def _points_before(row: Row, override: Override) -> float | None:
    if override.exercise is None or row.result is None:
        return row.machine
    attempt = tally.find_exercise(row.result, override.exercise)
    return attempt.points if attempt else None
