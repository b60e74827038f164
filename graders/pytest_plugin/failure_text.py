"""What a check that did not pass says in pytest."""

import io

from rich.console import Console

from graders.pytest_plugin.grading import Graded
from graders.results.result import Finding, Outcome
from reports import terminal, words

_ABSENT = (Outcome.SKIPPED, Outcome.NOT_ATTEMPTED)


def why_skipped(graded: Graded, finding: Finding | None) -> str | None:
    """Why the check is undecided or was not tried, where that is so."""
    told = finding or graded.result
    if told.outcome not in _ABSENT:
        return None
    return told.message or words.outcome_words(told.outcome).word


def failure(graded: Graded, finding: Finding | None) -> str | None:
    """What went wrong, where something did: the finding, or why no check of the exercise could be tried."""
    if finding is None:
        return graded.result.message or words.outcome_words(graded.result.outcome).word
    if finding.outcome is Outcome.PASSED:
        return None
    text = io.StringIO()
    terminal.show_finding(Console(file=text, width=terminal.WIDTH), finding, graded.files)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def broken(graded: Graded, finding: Finding | None) -> str:
    """What is our fault, with what maintainers need."""
    told = finding or graded.result
    return "\n".join(filter(None, (told.message, told.staff)))


def remarks(graded: Graded) -> list[str]:
    """The remarks on the submission and on the exercise, with their places."""
    places = [(remark.says, words.place(remark, graded.files)) for remark in graded.remarks]
    return [f"{says} ({where})" if where else says for says, where in places]
