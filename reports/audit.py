"""What an audit found: a table in the terminal, and a page."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from graders.audited import AuditedExercise, Kind, Tried
from reports import words
from reports.publish import write
from reports.templating import anchor, fill

WIDTH = 110  # of the table
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
    # In a log, too, no heading should be cut.
    console.print(table, markup=False, highlight=False, width=max(console.width, WIDTH))
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
    sums = dict(zip(COLUMNS, total(exercises), strict=True))
    return fill(
        "audit.html.j2",
        columns=COLUMNS,
        rows=[(exercise, anchor(exercise.name), _figures(counts(exercise))) for exercise in exercises],
        totals=_figures(total(exercises)),
        details=[(exercise, anchor(exercise.name), _details(exercise)) for exercise in exercises],
        gaps=sums["gaps"],
        facts=(
            ("Exercises", str(len(exercises))),
            ("Checks", str(sums["checks"])),
            ("Mistakes caught", f"{sums['caught']} of {sums['mistakes']}"),
            ("Named as themselves", f"{sums['named']} of {sums['mistakes']}"),
            ("Right answers accepted", f"{sums['accepted']} of {sums['right']}"),
        ),
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


def _figures(figures: Sequence[int]) -> list[tuple[int, bool]]:
    """Each figure, and whether it is not what it should be."""
    by = dict(zip(COLUMNS, figures, strict=True))
    should = by | {
        "caught": by["mistakes"],
        "named": by["mistakes"],
        "misnamed": 0,
        "accepted": by["right"],
        "gaps": 0,
    }
    return [(by[column], by[column] != should[column]) for column in COLUMNS]


def _details(exercise: AuditedExercise) -> dict[str, object]:
    return {
        "mistakes": [
            (words.mistake(t.name), list(map(_spaced, t.failed)), _named(t))
            for t in exercise.of(Kind.MISTAKE)
        ],
        "checks": [
            (check, _spaced(check.name), list(map(words.mistake, exercise.catches(check.name))))
            for check in exercise.checks
        ],
        "answers": [
            *((_spaced(t.name), t.kind, *_accepted(t)) for t in exercise.of(Kind.REFERENCE)),
            *((_spaced(t.name), t.kind, *_accepted(t)) for t in exercise.of(Kind.RIGHT)),
            *((_spaced(t.name), t.kind, *_unmasked(t, exercise)) for t in exercise.of(Kind.EMPTY)),
        ],
    }


def _named(tried: Tried) -> tuple[str, bool]:
    """As what a mistake is named, and whether that is right."""
    if tried.named == tried.name:
        return "as itself", True
    return (f"as {words.mistake(tried.named)}" if tried.named else "no"), False


def _accepted(tried: Tried) -> tuple[str, bool]:
    """What became of an answer that is right, and whether it should."""
    if tried.outcome == "passed":
        return "accepted", True
    why = ", ".join(map(_spaced, tried.failed))
    return ": ".join(part for part in (tried.outcome, why, tried.message) if part), False


def _unmasked(tried: Tried, exercise: AuditedExercise) -> tuple[str, bool]:
    """How many checks catch an answer that computes nothing, and whether all do that are not about shape."""
    biting = [check.name for check in exercise.checks if not check.about_shape]
    past = [_spaced(name) for name in biting if name not in tried.failed]
    caught = f"caught by {len(biting) - len(past)} of {words.plural(len(biting), 'check')}"
    return (f"{caught}, not by {', '.join(past)}" if past else caught), not past


def _spaced(name: str) -> str:
    return name.replace("_", " ")
