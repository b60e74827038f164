"""Known answers in other styles: a table in the terminal, and the code whose verdict changed as files."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from graders.language import tr, trn
from graders.results.audit_result import StyledAnswer, StyledExercise
from reports import words
from reports.publish import write

WIDTH = 110  # of the tables
FOLDER = "styles"


def show(console: Console, exercises: Sequence[StyledExercise], *, complete: bool = True) -> None:
    """Print how many compositions were tried, by style, and each change of a verdict.

    Where known mistakes were handed in as they are, how many, and those that got other names.
    """
    if not console.is_terminal:
        console.width = max(console.width, WIDTH)
    tried = sum(exercise.compositions for exercise in exercises)
    if tried:
        console.print(_table(exercises), markup=False, highlight=False)
    for exercise in exercises:
        lines = [*exercise.gaps, *map(describe, exercise.changed)]
        for line in lines:
            text = words.about(exercise.name, line)
            console.print(text, style="red", markup=False, highlight=False, soft_wrap=True)
    console.print(_count(tried, sum(exercise.handed_in for exercise in exercises)))
    if complete and not any(exercise.gaps or exercise.changed for exercise in exercises):
        console.print(tr("no changed verdict") if tried else tr("each is named as itself"), style="green")


def _count(compositions: int, handed_in: int) -> str:
    if compositions:
        return trn("{n} composition of styles tried", "{n} compositions of styles tried", compositions)
    return trn("{n} known mistake handed in", "{n} known mistakes handed in", handed_in)


def describe(answer: StyledAnswer) -> str:
    """An answer whose verdict changed, in one line."""
    return tr(
        "{kind} {name} in the styles {styles}: {change}",
        kind=answer.kind,
        name=answer.name,
        styles=", ".join(answer.styles),
        change=answer.change,
    )


def publish(out: Path, exercises: Iterable[StyledExercise]) -> list[Path]:
    """Write the code of each answer whose verdict changed into a folder of its own; return the folders."""
    folders = []
    for exercise in exercises:
        for place, answer in enumerate(exercise.changed):
            folder = out / FOLDER / f"{exercise.name}-{place}"
            for path, text in answer.files.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                comment = f"# {describe(answer)}\n" if path == next(iter(answer.files)) else ""
                write(folder / path, comment + text)
            folders.append(folder)
    return folders


def _table(exercises: Sequence[StyledExercise]) -> Table:
    tried, changed = Counter[str](), Counter[str]()
    for exercise in exercises:
        tried.update(exercise.tried)
        changed.update(style.partition(":")[0] for answer in exercise.changed for style in answer.styles)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(tr("style"), no_wrap=True)
    table.add_column(tr("tried"), justify="right")
    table.add_column(tr("changed a verdict"), justify="right")
    for style, count in sorted(tried.items()):
        table.add_row(style, str(count), str(changed[style]), style="red" if changed[style] else "")
    return table
