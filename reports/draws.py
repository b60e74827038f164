"""Which draws of a check show which wrong answers: in the terminal, on a page and in JSON."""

import itertools
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from graders.language import tr, translatable, trn
from graders.results.audit_result import DrawnCheck, DrawnExercise, Kind, Shown
from reports import words
from reports.pages.templating import anchor, fill
from reports.publish import write_with_data

WIDTH = 130  # of the table
COLUMNS = (
    translatable("draws"),
    translatable("fixed"),
    translatable("answers"),
    translatable("shown by each draw"),
    translatable("enough"),
    translatable("missed"),
)


def show(console: Console, exercises: Sequence[DrawnExercise], *, complete: bool = True) -> None:
    """Print for each check how many of its draws decide, and every gap."""
    table = _table(console)
    for exercise in exercises:
        for number, check in enumerate(exercise.checks):
            row = (exercise.name if number == 0 else "", check.name, *figures(check))
            table.add_row(*row, style="yellow" if check.missed else "")
    console.print(table, markup=False, highlight=False)
    for exercise in exercises:
        for gap in exercise.gaps:
            text = words.about(exercise.name, gap)
            console.print(text, style="red", markup=False, highlight=False, soft_wrap=True)
    console.print(describe_all(exercises))
    if complete and not any(exercise.gaps for exercise in exercises):
        console.print(tr("no gap"), style="green")


def figures(check: DrawnCheck) -> tuple[str, ...]:
    """The figures of a check, in the order of `COLUMNS`; what is missed is empty where nothing is."""
    by_draw = " ".join(map(str, check.shown_by_draw))
    missed = str(len(check.missed)) if check.missed else ""
    return str(check.draws), str(check.fixed), str(len(check.shown)), by_draw, str(check.enough), missed


def describe_all(exercises: Sequence[DrawnExercise]) -> str:
    """How many pairs of a wrong answer and a check there are, and how many draws are enough for how many."""
    checks = [check for exercise in exercises for check in exercise.checks]
    caught = sum(each.is_caught for check in checks for each in check.shown)
    missed = sum(len(check.missed) for check in checks)
    return tr(
        "{pairs} are shown, {missed} by further draws alone",
        pairs=trn("{n} pair of an answer and a check", "{n} pairs of an answer and a check", caught + missed),
        missed=missed,
    )


def publish(out: Path, exercises: Sequence[DrawnExercise]) -> list[Path]:
    """Write `OUT/draws.html` and the same as `OUT/draws.json`; return their paths."""
    return write_with_data(out, "draws", render(exercises), exercises)


def render(exercises: Sequence[DrawnExercise]) -> str:
    """The page, complete in itself."""
    checks = [check for exercise in exercises for check in exercise.checks]
    answers = sum(exercise.mistakes + exercise.changed for exercise in exercises)
    return fill(
        "draws.html.j2",
        exercises=[
            (exercise, anchor(exercise.name), [(check, _rows(check)) for check in exercise.checks])
            for exercise in exercises
        ],
        gaps=sum(len(exercise.gaps) for exercise in exercises),
        columns=[tr(column) for column in COLUMNS],
        figures=figures,
        facts=(
            (tr("Exercises"), str(len(exercises))),
            (tr("Checks"), str(len(checks))),
            (tr("Answers"), str(answers)),
            (tr("Pairs"), str(sum(len(check.shown) for check in checks))),
        ),
    )


def describe_answer(shown: Shown) -> str:
    """A known mistake, or the right answer that was changed."""
    if shown.kind is Kind.MISTAKE:
        return words.mistake_name(shown.name)
    return tr(
        "{kind} {name} with one change ({change})", kind=shown.kind, name=shown.name, change=shown.change
    )


def describe_draws(shown: Shown) -> str:
    """The draws on which an answer is refused: `1 to 4, 6, 2 of fixed sizes`."""
    numbered = itertools.groupby(enumerate(shown.draws), key=lambda pair: pair[1] - pair[0])
    runs = [[number for _, number in run] for _, run in numbered]
    parts = [
        str(run[0]) if len(run) == 1 else tr("{first} to {last}", first=run[0], last=run[-1]) for run in runs
    ]
    if shown.fixed:
        parts.append(tr("{n} of fixed sizes", n=shown.fixed))
    return ", ".join(parts) or trn("{n} further one alone", "{n} further ones alone", shown.further)


def _rows(check: DrawnCheck) -> list[tuple[str, str, bool]]:
    """Each answer that a check refuses, with its draws, and whether one of its own shows it."""
    return [(describe_answer(each), describe_draws(each), each.is_caught) for each in check.shown]


def _table(console: Console) -> Table:
    if not console.is_terminal:
        console.width = max(console.width, WIDTH)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(tr("exercise"), no_wrap=True)
    table.add_column(tr("check"), no_wrap=True)
    for column in COLUMNS:
        table.add_column(tr(column), justify="right")
    return table
