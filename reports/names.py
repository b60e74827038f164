"""How known mistakes are told apart, and what was named falsely: in the terminal, on a page and in JSON."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from graders.language import number, tr, translatable, trn
from graders.results.audit_result import (
    FalseName,
    NamedExercise,
    Near,
    NearKind,
    NeighbouredExercise,
)
from reports import words
from reports.pages.templating import anchor, fill
from reports.publish import write, write_with_data

WIDTH = 110  # of the tables
FOLDER = "neighbours"
COLUMNS = {
    "mistakes": translatable("mistakes"),
    "pairs": translatable("pairs"),
    "nearest": translatable("nearest"),
    "gaps": translatable("gaps"),
    "tried": translatable("tried"),
    "right": translatable("right"),
    "named": translatable("named"),
    "not compared": translatable("not compared"),
    "named falsely": translatable("named falsely"),
}
KINDS = {
    NearKind.REFERENCE: translatable("the reference"),
    NearKind.MISTAKE: translatable("a mistake"),
    NearKind.PART: translatable("a mistake of a part"),
    NearKind.CHANGE: translatable("its code, changed"),
}


def show(console: Console, exercises: Sequence[NamedExercise], *, complete: bool = True) -> None:
    """Print for each exercise how many pairs were compared and which is nearest, and every gap."""
    table = _table(console, ("mistakes", "pairs", "nearest", "gaps"))
    for exercise in exercises:
        pairs = sum(mistake.neighbours for mistake in exercise.mistakes)
        row = str(len(exercise.mistakes)), str(pairs), _nearest(exercise), str(len(exercise.gaps))
        table.add_row(exercise.name, *row, style="red" if exercise.gaps else "")
    console.print(table, markup=False, highlight=False)
    for exercise in exercises:
        _print_red(console, exercise.name, exercise.gaps)
    if complete and not any(exercise.gaps for exercise in exercises):
        console.print(tr("no gap"), style="green")


def publish(out: Path, exercises: Sequence[NamedExercise]) -> list[Path]:
    """Write `OUT/names.html` and the same as `OUT/names.json`; return their paths."""
    return write_with_data(out, "names", render(exercises), exercises)


def render(exercises: Sequence[NamedExercise]) -> str:
    """The page, complete in itself."""
    return fill(
        "names.html.j2",
        exercises=[(exercise, anchor(exercise.name), _rows(exercise)) for exercise in exercises],
        gaps=sum(len(exercise.gaps) for exercise in exercises),
        facts=(
            (tr("Exercises"), str(len(exercises))),
            (tr("Mistakes"), str(sum(len(exercise.mistakes) for exercise in exercises))),
            (tr("Pairs"), str(sum(m.neighbours for exercise in exercises for m in exercise.mistakes))),
        ),
    )


def describe_distance(near: Near) -> str:
    """What tells a pair apart: a fact, or how far their values are apart."""
    if not near.is_apart:
        return tr("nothing")
    return near.fact or tr("values, by {share} of the largest", share=number(near.far, ".2g"))


def show_neighbours(
    console: Console, exercises: Sequence[NeighbouredExercise], *, complete: bool = True
) -> None:
    """Print for each exercise how many neighbours were tried, and every false name."""
    table = _table(console, ("tried", "right", "named", "not compared", "named falsely"))
    for exercise in exercises:
        figures = exercise.tried, exercise.right, exercise.named, exercise.unjudged, len(exercise.false)
        table.add_row(exercise.name, *map(str, figures), style="red" if exercise.false else "")
    console.print(table, markup=False, highlight=False)
    for exercise in exercises:
        _print_red(console, exercise.name, [*exercise.gaps, *map(describe_false, exercise.false)])
    tried = sum(exercise.tried for exercise in exercises)
    console.print(trn("{n} neighbour tried", "{n} neighbours tried", tried))
    if complete and not any(exercise.gaps or exercise.false for exercise in exercises):
        console.print(tr("nothing is named falsely"), style="green")


def describe_false(false: FalseName) -> str:
    """Code that was named falsely, in one line."""
    return tr(
        "{kind} {name} with one change ({change}) is named falsely: {named}",
        kind=false.kind,
        name=false.name,
        change=false.change,
        named=words.mistake_names(false.named),
    )


def publish_neighbours(out: Path, exercises: Sequence[NeighbouredExercise]) -> list[Path]:
    """Write the code of each neighbour that was named falsely, and before its change; return the folders."""
    folders = []
    for exercise in exercises:
        for place, false in enumerate(exercise.false):
            folder = out / FOLDER / f"{exercise.name}-{place}"
            folder.mkdir(parents=True, exist_ok=True)
            write(folder / "answer.py", f"# {describe_false(false)}\n{false.text}")
            write(folder / "before.py", false.before)
            folders.append(folder)
    return folders


def _table(console: Console, columns: Sequence[str]) -> Table:
    if not console.is_terminal:
        console.width = max(console.width, WIDTH)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(tr("exercise"), no_wrap=True)
    for column in columns:
        table.add_column(tr(COLUMNS[column]), justify="right")
    return table


def _print_red(console: Console, name: str, lines: Sequence[str]) -> None:
    for line in lines:
        text = words.about(name, line)
        console.print(text, style="red", markup=False, highlight=False, soft_wrap=True)


def _nearest(exercise: NamedExercise) -> str:
    """The least distance of values in an exercise; nothing where facts alone tell."""
    far = [near.far for mistake in exercise.mistakes for near in mistake.nearest if near.far > 0]
    return number(min(far), ".1g") if far else ""


def _rows(exercise: NamedExercise) -> list[tuple[str, str, str, str, bool]]:
    """Mistake, neighbour, draw and what tells them apart, and whether something does."""
    return [
        (
            words.mistake_name(mistake.name),
            f"{tr(KINDS[near.kind])}: {_name(near)}",
            f"{near.draw}: {near.sizes}" if near.draw else "",
            describe_distance(near),
            near.is_apart,
        )
        for mistake in exercise.mistakes
        for near in mistake.nearest
    ]


def _name(near: Near) -> str:
    return near.name if near.kind in (NearKind.CHANGE, NearKind.REFERENCE) else words.mistake_name(near.name)
