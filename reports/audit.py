"""What an audit found: a table in the terminal, and a page."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from graders.audited import AuditedExercise, Kind, Tried
from reports.publish import write
from reports.templating import anchor, fill

COLUMNS = ("checks", "mistakes", "caught", "named", "misnamed", "right", "accepted", "gaps")


def show(console: Console, exercises: Sequence[AuditedExercise]) -> None:
    """Print a line per exercise, the totals, and every gap."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("exercise", no_wrap=True)
    for column in COLUMNS:
        table.add_column(column, justify="right")
    for exercise in exercises:
        table.add_row(exercise.name, *map(str, counts(exercise)), style="red" if exercise.gaps else "")
    table.add_row("all", *map(str, total(exercises)), style="bold")
    console.print(table, markup=False, highlight=False)
    for exercise in exercises:
        for gap in exercise.gaps:
            console.print(
                f"{exercise.name}: {gap}", style="red", markup=False, highlight=False, soft_wrap=True
            )
    if not any(exercise.gaps for exercise in exercises):
        console.print("no gap", style="green")


def publish(out: Path, exercises: Sequence[AuditedExercise]) -> Path:
    """Write the page, `OUT/audit.html`, and return where it lies."""
    out.mkdir(parents=True, exist_ok=True)
    write(out / "audit.html", render(exercises))
    return out / "audit.html"


def render(exercises: Sequence[AuditedExercise]) -> str:
    """The page of an audit, complete in itself."""
    rows = [(exercise, anchor(exercise.name), counts(exercise)) for exercise in exercises]
    return fill(
        "audit.html.j2",
        columns=COLUMNS,
        rows=rows,
        totals=total(exercises),
        details=[(exercise, anchor(exercise.name), _details(exercise)) for exercise in exercises],
        gaps=sum(len(exercise.gaps) for exercise in exercises),
    )


def counts(exercise: AuditedExercise) -> tuple[int, ...]:
    """The figures of one exercise, in the order of `COLUMNS`."""
    groups = (
        exercise.checks,
        exercise.of(Kind.MISTAKE),
        exercise.caught,
        exercise.named,
        exercise.misnamed,
        exercise.of(Kind.RIGHT),
        exercise.accepted,
        exercise.gaps,
    )
    return tuple(map(len, groups))


def total(exercises: Sequence[AuditedExercise]) -> tuple[int, ...]:
    """The sums of all figures."""
    return tuple(map(sum, zip(*map(counts, exercises), strict=True))) if exercises else (0,) * len(COLUMNS)


def _details(exercise: AuditedExercise) -> dict[str, object]:
    return {
        "mistakes": [(_short(t.name), t.failed, _named(t)) for t in exercise.of(Kind.MISTAKE)],
        "checks": [(c, [_short(name) for name in exercise.catches(c.name)]) for c in exercise.checks],
        "right": [(t.name, t.outcome) for t in exercise.of(Kind.RIGHT)],
        "empty": [(t.name, len(t.failed), len(exercise.checks)) for t in exercise.of(Kind.EMPTY)],
    }


def _named(tried: Tried) -> str:
    if tried.named == tried.name:
        return "as itself"
    return (tried.named and _short(tried.named)) or "no"


def _short(name: str) -> str:
    return name.partition("__")[2] or name
