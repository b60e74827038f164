"""The page of a class: who handed in what, what to teach next, who is stuck on the same thing."""

import base64
import functools
import hashlib
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from graders.classroom.marks import Mark, Override
from graders.language import number, tr
from graders.results.result import Outcome, Result
from reports import words
from reports.class_statistics import limits_met, similar, tally
from reports.class_statistics.rows import Roll, Row, Who, called
from reports.figures import heat_maps
from reports.pages.templating import anchor, fill

LISTED = 50  # groups, faults, copies and the like: what is beyond is counted
SLOWEST = 10
APART = 5
# The table's columns between the names and the exercises, in their order, in rem.
WIDTHS = {"group": 6, "points": 8, "handed_in": 9.5, "late": 6.5, "undecided": 6, "seconds": 6}
LINKS = 200_000  # characters of addresses in the table's cells; where it would be more, they have none


@dataclass(frozen=True)
class Cell:
    """An exercise of a submission: the points that count, and the machine's where those were set."""

    points: float
    outcome: Outcome
    was: float | None
    link: str | None


def render(results: Sequence[Result], notes: Sequence[str] = (), marks: Sequence[Mark] = ()) -> str:
    """The page of a class, complete in itself, in the language that is spoken.

    Args:
        results: one per submission, whole or slim.
        notes: what else its reader should know, such as results that could not be read.
        marks: what counts in the end, one per submission and per student without one, in the order of
            the rows; without them the results alone are shown, in their order.
    """
    roll = called(results, marks)
    names = tally.exercises(results)
    tallies = tally.tallied(results)
    mistakes = tally.mistakes(results)
    columns = _columns(roll)
    script = _script()
    return fill(
        "class.html.j2",
        title=" · ".join(dict.fromkeys(result.title for result in results)) or tr("No submissions"),
        results=results,
        notes=notes,
        script=script,
        digest=_digest(script),
        roll=roll,
        outcomes=list(Outcome),
        most=max((row.most for row in roll.rows), default=0),
        exercises=[(title, anchor(name), _most(results, name)) for name, title in names.items()],
        rows=list(zip(roll.rows, _cells(roll, list(names)), strict=True)),
        columns=columns,
        widths=[width for name, width in WIDTHS.items() if columns.get(name, True)],
        facts=_facts(roll),
        handed_in=_handed_in(roll),
        **_distribution(roll),
        teach=[(one, anchor(one.name), _most_made(mistakes, one.name)) for one in tallies],
        tallies=[(one, anchor(one.name), roll.who(one.absent, one.name)) for one in tallies],
        mistakes=[(one, roll.who(one.ids, one.exercise)) for one in mistakes],
        faults=[(one, roll.who(one.ids)) for one in limits_met.faults(results)],
        told=[(says, roll.who(ids)) for says, ids in limits_met.told(results)],
        met=[(one, roll.who(one.ids)) for one in limits_met.count_limits(results)],
        unboxed=roll.who(r.submission.id for r in results if r.sandbox == "open"),
        listed=LISTED,
        **_alike(results, roll),
        **_set(roll, names),
    )


def _facts(roll: Roll) -> list[tuple[str, str]]:
    facts = [(tr("Submissions"), number(sum(row.result is not None for row in roll.rows), ","))]
    facts += [(name, number(who.count, ",")) for name, who in _handed_in(roll) if who.count]
    if reached := _reached(roll):
        low, high = words.points(min(reached)), words.points(max(reached))
        facts.append((tr("Mean"), words.points(statistics.fmean(reached))))
        facts.append((tr("Median"), words.points(statistics.median(reached))))
        facts.append((tr("Range"), tr("{low} to {high}", low=low, high=high)))
    boxes = Counter(row.result.sandbox for row in roll.rows if row.result)
    if boxes:
        several = len(boxes) > 1
        says = ", ".join(words.about(box, n) if several else box for box, n in boxes.items())
        facts.append((tr("Box"), says))
    return facts


def _reached(roll: Roll) -> list[float]:
    return [row.points for row in roll.rows if row.points is not None]


def _handed_in(roll: Roll) -> list[tuple[str, Who]]:
    """What a hand-in may be besides in time and graded, and whose is."""
    ways: dict[str, Iterable[Row]] = {
        tr("Nothing handed in"): (row for row in roll.rows if row.result is None and not row.waiting),
        tr("Not graded yet"): (row for row in roll.rows if row.waiting),
        tr("Late"): (row for row in roll.rows if row.late),
        tr("Set by the instructor"): (row for row in roll.rows if row.mark and row.mark.overrides),
        tr("Points undecided"): (row for row in roll.rows if row.undecided),
        tr("Nothing attempted"): (row for row in roll.rows if row.result and similar.untouched([row.result])),
    }
    return [(way, roll.who(row.id for row in rows)) for way, rows in ways.items()]


def _columns(roll: Roll) -> dict[str, bool]:
    """Which columns have something to say."""
    return {
        "group": any(row.group for row in roll.rows),
        "handed_in": any(row.mark and row.mark.handed_in for row in roll.rows),
        "late": any(row.late for row in roll.rows),
        "undecided": any(row.undecided for row in roll.rows),
        "seconds": any(row.result and row.result.seconds for row in roll.rows),
    }


def _cells(roll: Roll, names: Sequence[str]) -> list[list[Cell | None]]:
    linked = sum(len(row.link or "") + len(anchor(name)) for row in roll.rows for name in names) < LINKS
    return [[_cell(row, name, linked) for name in names] for row in roll.rows]


def _cell(row: Row, name: str, linked: bool) -> Cell | None:
    found = tally.exercise(row.result, name) if row.result else None
    if found is None:
        return None
    given = row.given(name)
    link = f"{row.link}#{anchor(name)}" if linked else None
    if given is None:
        return Cell(found.points, found.outcome, None, link)
    return Cell(given, found.outcome, found.points, link)


def _most(results: Sequence[Result], name: str) -> float:
    return max((e.max_points for r in results if (e := tally.exercise(r, name))), default=0)


def _distribution(roll: Roll) -> dict[str, Any]:
    reached = _reached(roll)
    most = max([*(row.most for row in roll.rows), *reached, 0])
    found = heat_maps.bins(reached, most)
    return {
        "histogram": heat_maps.distribution(reached, most) if reached else None,
        "bins": [
            (_step(words.points(low), words.points(high), last=n == len(found)), count)
            for n, (low, high, count) in enumerate(found, 1)
        ],
    }


def _step(low: str, high: str, *, last: bool) -> str:
    values = {"low": low, "high": high}
    return tr("{low} to {high}", **values) if last else tr("{low} to under {high}", **values)


def _most_made(mistakes: Sequence[tally.MistakeTally], name: str) -> tally.MistakeTally | None:
    return next((mistake for mistake in mistakes if mistake.exercise == name), None)


def _alike(results: Sequence[Result], roll: Roll) -> dict[str, Any]:
    rows = {row.id: row for row in roll.rows}
    slow = similar.slowest(results, SLOWEST)
    copies, raising = similar.copies(results), similar.raising(results)
    apart, weights = similar.apart(results, APART), similar.same_weights(results)
    return {
        "odd": bool(slow or copies or weights or raising or apart),
        "stuck": [(group, roll.who(group.ids, group.exercise)) for group in similar.stuck(results)],
        "copies": [roll.who(ids) for ids in copies],
        "weights": [roll.who(ids) for ids in weights],
        "raising": roll.who(raising),
        "apart": [(rows[one.id], one.checks, rows[one.nearest]) for one in apart],
        "slow": [(rows[result.submission.id], result.seconds) for result in slow],
        "usual": similar.usual(results) if slow else 0,
    }


def _set(roll: Roll, names: dict[str, str]) -> dict[str, Any]:
    made = [(row, override) for row in roll.rows if row.mark for override in row.mark.overrides]
    return {"set": [(row, names.get(o.exercise or "", o.exercise), _was(row, o), o) for row, o in made]}


def _was(row: Row, override: Override) -> float | None:
    if override.exercise is None or row.result is None:
        return row.machine
    found = tally.exercise(row.result, override.exercise)
    return found.points if found else None


@functools.cache
def _script() -> Markup:
    # Not escaped: it is ours, and a browser compares its hash before it runs.
    text = files("reports").joinpath("templates", "class.js").read_text(encoding="utf-8")
    return Markup(text)  # noqa: S704


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
