"""Whether code raised an error on purpose: each author refuses a call in other words, by another type."""

import re

_STATEMENT = re.compile(r"(?:^|:)\s*(?:raise\s+\w|assert\b)")
UNFINISHED = "NotImplementedError"  # a stub raises it: it refuses nothing


def is_refusal(line: str, kind: str) -> bool:
    """Whether an error comes from a statement that raises it, rather than from a call that fails.

    Args:
        line: the text of the line of the code in which the error arose.
        kind: the error's type. An `assert` whose condition itself fails to be computed raises another.
    """
    found = _STATEMENT.search(line)
    if found is None or kind == UNFINISHED:
        return False
    return "assert" not in found[0] or kind == "AssertionError"
