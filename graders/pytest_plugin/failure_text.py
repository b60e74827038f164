"""The text that pytest shows of a check that did not pass."""

import io

from rich.console import Console

from graders.pytest_plugin.grading import GradedExercise
from graders.results.result import Finding, Outcome
from reports import terminal, words

_UNTRIED = (Outcome.SKIPPED, Outcome.NOT_ATTEMPTED, Outcome.UNFINISHED)


def why_skipped(graded: GradedExercise, finding: Finding | None) -> str | None:
    """Why the check was skipped or not tried; None if it was decided."""
    result = finding or graded.result
    if result.outcome not in _UNTRIED:
        return None
    return result.message or words.outcome_words(result.outcome).word


def why_failed(graded: GradedExercise, finding: Finding | None, earlier: Finding | None = None) -> str | None:
    """The finding as text, or why no check of the exercise could be tried; None if the check passed.

    Args:
        graded: the exercise.
        finding: of the check; None where no check could be tried.
        earlier: a finding of the same cause that was shown in full: this one is then a line.
    """
    if finding is None:
        return graded.result.message or words.exercise_word(graded.result)
    if finding.outcome is Outcome.PASSED:
        return None
    text = io.StringIO()
    console = Console(file=text, width=terminal.WIDTH)
    if earlier:
        terminal.show_repeated(console, finding, earlier)
    else:
        if about_points := words.about_points(graded.result):
            console.print(about_points, markup=False, highlight=False)
        terminal.show_finding(console, finding, graded.files)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def why_broken(graded: GradedExercise, finding: Finding | None) -> str:
    """The message about softmark's own fault, with the traceback that maintainers need."""
    result = finding or graded.result
    return "\n".join(filter(None, (result.message, result.staff)))


def remarks(graded: GradedExercise) -> list[str]:
    """The remarks on the submission and on the exercise, with their places."""
    places = [(remark.says, words.place(remark, graded.files)) for remark in graded.remarks]
    return [f"{sentence} ({place})" if place else sentence for sentence, place in places]
