"""The exit statuses of commands."""

import sys
from collections.abc import Iterable
from typing import NoReturn

import click

from graders.results.result import Outcome, Result

ALL_PASSED, SOME_DID_NOT, WRONG_USAGE, OURS = 0, 1, 2, 3


def status(results: Iterable[Result]) -> int:
    """The exit status for these results."""
    every_result = list(results)
    if any(map(softmark_failed, every_result)):
        return OURS
    return ALL_PASSED if all(map(has_passed, every_result)) else SOME_DID_NOT


def has_passed(result: Result) -> bool:
    """Whether every exercise is passed or skipped."""
    return all(e.outcome in (Outcome.PASSED, Outcome.SKIPPED) for e in result.exercises)


def softmark_failed(result: Result) -> bool:
    """Whether softmark itself failed on an exercise."""
    return any(e.outcome is Outcome.BROKEN for e in result.exercises)


def fail(message: str) -> NoReturn:
    """End the command with the status for a failure of softmark itself."""
    click.echo(f"softmark: {message}", err=True)
    sys.exit(OURS)
