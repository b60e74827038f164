"""The results of an audit: a table in the terminal, and a page."""

import functools
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from graders.language import tr, translatable, trn
from graders.results.audit_result import AuditedExercise, Kind, Tried
from graders.results.result import Outcome
from reports import words
from reports.pages.templating import anchor, fill
from reports.publish import write

WIDTH = 110  # of the table
COLUMNS = (
    *(
        translatable("checks"),
        translatable("mistakes"),
        translatable("caught"),
        translatable("named"),
        translatable("misnamed"),
    ),
    *(translatable("right"), translatable("accepted"), translatable("gaps")),
)
OUTCOMES = {str(outcome): outcome for outcome in Outcome}
KINDS = {
    Kind.REFERENCE: translatable("reference"),
    Kind.MISTAKE: translatable("mistake"),
    Kind.RIGHT: translatable("right answer"),
    Kind.EMPTY: translatable("empty answer"),
    Kind.HOLLOW: translatable("hollow answer"),
}


def show(console: Console, exercises: Sequence[AuditedExercise], *, complete: bool = True) -> None:
    """Print a line per exercise, the totals, and every gap once; that there is none, if all were audited."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(tr("exercise"), no_wrap=True)
    for column in COLUMNS:
        table.add_column(tr(column), justify="right")
    for exercise in exercises:
        table.add_row(exercise.name, *map(str, counts(exercise)), style="red" if exercise.gaps else "")
    table.add_row(tr("all"), *map(str, total(exercises)), style="bold")
    if not console.is_terminal:
        console.width = max(console.width, WIDTH)  # a log does not cut the headings
    console.print(table, markup=False, highlight=False)
    for exercise in exercises:
        for line in gap_lines(exercise):
            console.print(line, style="red", markup=False, highlight=False, soft_wrap=True)
    if complete and not any(exercise.gaps for exercise in exercises):
        console.print(tr("no gap"), style="green")


def gap_lines(exercise: AuditedExercise) -> list[str]:
    """A line for each gap of an exercise."""
    return [words.about(exercise.name, gap) for gap in exercise.gaps]


def publish(out: Path, exercises: Sequence[AuditedExercise]) -> Path:
    """Write the page, `OUT/audit.html`, and return its path."""
    out.mkdir(parents=True, exist_ok=True)
    write(out / "audit.html", render(exercises))
    return out / "audit.html"


def render(exercises: Sequence[AuditedExercise]) -> str:
    """The page of an audit, complete in itself."""
    sums = dict(zip(COLUMNS, total(exercises), strict=True))
    return fill(
        "audit.html.j2",
        columns=[tr(column) for column in COLUMNS],
        rows=[(exercise, anchor(exercise.name), _flag_wrong(counts(exercise))) for exercise in exercises],
        totals=_flag_wrong(total(exercises)),
        details=[(exercise, anchor(exercise.name), _details(exercise)) for exercise in exercises],
        gaps=sums["gaps"],
        facts=(
            (tr("Exercises"), str(len(exercises))),
            (tr("Checks"), str(sums["checks"])),
            (tr("Mistakes caught"), _ratio(sums["caught"], sums["mistakes"])),
            (tr("Named as themselves"), _ratio(sums["named"], sums["mistakes"])),
            (tr("Right answers accepted"), _ratio(sums["accepted"], sums["right"])),
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


def _ratio(part: int, whole: int) -> str:
    return tr("{part} of {whole}", part=part, whole=whole)


def _flag_wrong(figures: Sequence[int]) -> list[tuple[int, bool]]:
    """Each figure, and whether it differs from what it should be."""
    figure_of = dict(zip(COLUMNS, figures, strict=True))
    expected = figure_of | {
        "caught": figure_of["mistakes"],
        "named": figure_of["mistakes"],
        "misnamed": 0,
        "accepted": figure_of["right"],
        "gaps": 0,
    }
    return [(figure_of[column], figure_of[column] != expected[column]) for column in COLUMNS]


def _details(exercise: AuditedExercise) -> dict[str, object]:
    return {
        "mistakes": [
            (words.mistake_name(t.name), list(map(_with_spaces, t.failed)), _describe_diagnosis(t))
            for t in exercise.of(Kind.MISTAKE)
        ],
        "checks": [
            (check, _with_spaces(check.name), list(map(words.mistake_name, exercise.catches(check.name))))
            for check in exercise.checks
        ],
        "answers": [
            *(
                (_with_spaces(t.name), tr(KINDS[t.kind]), *_describe_right(t))
                for t in exercise.of(Kind.REFERENCE)
            ),
            *(
                (_with_spaces(t.name), tr(KINDS[t.kind]), *_describe_right(t))
                for t in exercise.of(Kind.RIGHT)
            ),
            *(
                (_with_spaces(t.name), tr(KINDS[t.kind]), *_describe_empty(t, exercise))
                for t in exercise.of(Kind.EMPTY)
            ),
            *((tr(t.name), tr(KINDS[t.kind]), *_describe_hollow(t)) for t in exercise.of(Kind.HOLLOW)),
        ],
    }


def _describe_diagnosis(tried: Tried) -> tuple[str, bool]:
    """The diagnosis of a mistake in words, and whether it is correct."""
    if tried.named_as_itself:
        return tr("as itself"), True
    return (tr("as {mistake}", mistake=words.mistake_names(tried.named)) if tried.named else tr("no")), False


def _describe_answer(tried: Tried, exercise: AuditedExercise) -> tuple[str, bool]:
    """The result of an answer in words, and whether it is as it should be."""
    return _describe_empty(tried, exercise) if tried.kind is Kind.EMPTY else _describe_right(tried)


def _describe_right(tried: Tried) -> tuple[str, bool]:
    """The result of a right answer in words, and whether the checks accepted it."""
    if tried.outcome == "passed":
        return tr("accepted"), True
    why = ", ".join(map(_with_spaces, tried.failed))
    ended = words.outcome_words(OUTCOMES[tried.outcome]).word if tried.outcome in OUTCOMES else tried.outcome
    return functools.reduce(words.about, filter(None, (ended, why, tried.message))), False


def _describe_empty(tried: Tried, exercise: AuditedExercise) -> tuple[str, bool]:
    """How many checks catch an answer that computes nothing, and whether all do that should."""
    strict = [check.name for check in exercise.checks if not check.shape_only]
    accepting = [_with_spaces(name) for name in strict if name not in tried.failed]
    count, names = len(strict) - len(accepting), ", ".join(accepting)
    caught = trn(
        "caught by {caught} of {n} check", "caught by {caught} of {n} checks", len(strict), caught=count
    )
    return (
        tr("{caught}, not by {others}", caught=caught, others=names) if accepting else caught
    ), not accepting


def _describe_hollow(tried: Tried) -> tuple[str, bool]:
    """What an answer gets that has every property and computes nothing, and whether that is little enough."""
    got, held = (words.share(part or 0, 1) for part in (tried.got, tried.held))
    text = tr("gets {got}% of the points, where the checks that hold weigh {held}%", got=got, held=held)
    if tried.named:
        return tr("{what}; {mistake}", what=text, mistake=_describe_diagnosis(tried)[0]), True
    return text, not tried.cheap


def _with_spaces(name: str) -> str:
    return name.replace("_", " ")
