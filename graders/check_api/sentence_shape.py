"""What is the same of a sentence on all draws."""

import re

_OF_ONE_DRAW = re.compile(r"'[^']*'|\"[^\"]*\"|\w+[._]\w[\w.]*|[-+]?\d[\dx.,e+-]*|[\[\](),]")


def shape_of(sentence: str) -> str:
    """A sentence without the numbers, names and quotations in it."""
    return " ".join(_OF_ONE_DRAW.sub(" ", sentence).split())
