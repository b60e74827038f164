"""Known answers under several seeds, in the terminal."""

from collections.abc import Sequence

from rich.console import Console

from graders.language import tr, trn
from graders.results.audit_result import SeededExercise
from reports import words


def show(console: Console, exercises: Sequence[SeededExercise], seeds: int) -> None:
    """Print each answer whose points change with the seed, and how many answers were graded."""
    for exercise in exercises:
        for gap in exercise.gaps:
            text = words.about(exercise.name, gap)
            console.print(text, style="red", markup=False, highlight=False, soft_wrap=True)
    answers = sum(exercise.answers for exercise in exercises)
    under = trn("{n} seed", "{n} seeds", seeds)
    console.print(
        trn("{n} answer graded under {seeds}", "{n} answers graded under {seeds}", answers, seeds=under)
    )
    if exercises and not any(exercise.gaps for exercise in exercises):
        console.print(tr("no answer changes its points"), style="green")
