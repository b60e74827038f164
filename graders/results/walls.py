"""Whether there was a wall around the code that a result is about."""

from graders.results.result import Result

WITHOUT = ("open", "process")  # the levels of a box that are none


def is_unwalled(result: Result) -> bool:
    """Whether the code ran with the rights of whoever started softmark."""
    return result.sandbox in WITHOUT
