"""The exit statuses of commands."""

import sys
from collections.abc import Iterable
from typing import NoReturn

import click

from graders.results.result import Result

ALL_PASSED, SOME_DID_NOT, WRONG_USAGE, OURS = 0, 1, 2, 3


def status(results: Iterable[Result]) -> int:
    """The exit status for these results."""
    every_result = list(results)
    if any(result.softmark_failed for result in every_result):
        return OURS
    return ALL_PASSED if all(result.has_passed for result in every_result) else SOME_DID_NOT


def fail(message: str) -> NoReturn:
    """End the command with the status for a failure of softmark itself."""
    click.echo(f"softmark: {message}", err=True)
    sys.exit(OURS)
