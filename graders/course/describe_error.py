"""An error of the author's code in one line: where in the course's files it arose, and its message."""

import traceback
from pathlib import Path

from graders import locations


def describe_error(error: BaseException) -> str:
    """For example "graders/checks/rms_norm.py, line 12: NameError: name 'tensr' is not defined".

    The place is the innermost line that stands in a file of the course; without one the error stands alone.
    """
    text = str(error).split("\n")[0]
    if isinstance(error, SyntaxError) and error.filename:
        text, places = error.msg, [(error.filename, error.lineno)]
    else:
        places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    message = f"{type(error).__name__}: {text}" if text else type(error).__name__
    for file, line in reversed(places):
        name = locations.course().describe(Path(file))
        if name is not None:
            return f"{name}, line {line}: {message}"
    return message


def arose_in_solutions(error: BaseException) -> bool:
    """Whether the innermost line in a file of the course stands in a solution."""
    return describe_error(error).startswith("solutions/")
