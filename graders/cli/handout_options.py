"""The options of `softmark handout`, as its command reads them and its action carries them out."""

from dataclasses import dataclass
from pathlib import Path

from graders.handout.platform import Platform


@dataclass(frozen=True, kw_only=True)
class HandoutOptions:
    """What the command line asks for.

    Attributes:
        name: the assignment's.
        out: the folder to make.
        platform: where students get it from and hand in.
        requirement: how pip finds softmark; None puts its wheel into the folder.
        with_solutions: whether Gradescope's autograder holds the references.
        packed: whether the folder is written as a zip, too.
        key: what the answer key holds: "none", "values" or "full".
    """

    name: str
    out: Path
    platform: Platform
    requirement: str | None
    with_solutions: bool
    packed: bool
    key: str
