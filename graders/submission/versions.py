"""Tell from names and times which of several files is the later version of one answer.

Names are compared as people write them: `v10` comes after `v9`, `final` after all numbers, `brouillon` and
`old` before them. Where names say nothing, nothing here does: the order of the alphabet is no answer.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TypeVar

# A download, a checkout and an unpacking write all files of a hand-in within seconds: only a longer gap says
# that one was changed after another.
GAP_S = 60.0

_FINAL = frozenset(
    "final finale finalized definitif definitive corrected corrige corrigee correction fixed updated"  # noqa: SIM905
    " revised latest dernier derniere new nouveau nouvelle".split()
)
_DRAFT = frozenset(
    "brouillon draft old ancien ancienne backup bak sauvegarde obsolete deprecated outdated wip"  # noqa: SIM905
    " essai scratch tmp temp trash corbeille poubelle".split()
)
_COPY = frozenset({"copy", "copie", "duplicate"})
_ENDINGS = frozenset(
    {".ipynb", ".py", ".md", ".markdown", ".myst", ".rmd", ".qmd", ".zip", ".txt", ".json"}
    | {".tar", ".gz", ".tgz"}
)

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_AGAIN = re.compile(r"\((\d{1,9})\)")  # what a browser adds to the name of a second download
_NUMBERED = re.compile(r"(?<![a-z])(?:v|ver|version|rev|revision)[ ._-]?(\d{1,9}(?:\.\d{1,9})*)(?![a-z\d])")
_WORD = re.compile(r"[^\W\d_]+|\d+")

T = TypeVar("T")


@dataclass(frozen=True)
class Version:
    """What a name says: `stem` is the name without marks of version, the same for all versions of one file.

    `standing` is 1 for a final version, -1 for a draft, else 0. A name without a number is the first version.
    """

    stem: str
    standing: int = 0
    numbers: tuple[int, ...] = (1,)
    again: int = 0

    @property
    def place(self) -> tuple[int, tuple[int, ...], int]:
        """Where it stands among the versions of one file."""
        return self.standing, self.numbers, self.again


@lru_cache(maxsize=4096)
def version_of(path: str) -> Version:
    """The version that a path names, in its folders or in its file."""
    read = [_read_part(part) for part in _without_endings(path).split("/")]
    standings = {part.standing for part in read}
    return Version(
        stem="/".join(part.stem for part in read if part.stem),
        standing=-1 if -1 in standings else max(standings),
        numbers=tuple(number for part in read for number in part.numbers) or (1,),
        again=max(part.again for part in read),
    )


def _without_endings(path: str) -> str:
    name = PurePosixPath(path)
    while name.suffix.lower() in _ENDINGS:
        name = name.with_suffix("")
    return str(name)


def _read_part(part: str) -> Version:
    text = _CAMEL.sub(" ", unicodedata.normalize("NFKD", part))
    text = "".join(sign for sign in text if not unicodedata.combining(sign)).casefold()
    again = [int(number) + 1 for number in _AGAIN.findall(text)]
    text = _AGAIN.sub(" ", text)
    numbers = [int(number) for found in _NUMBERED.findall(text) for number in found.split(".")]
    stem, standing, before = list[str](), 0, ""
    for word in _WORD.findall(_NUMBERED.sub(" ", text)):
        if before in _FINAL | _DRAFT | _COPY and word.isdecimal():
            # Which of several copies was worked on last, nobody can tell by their numbers.
            numbers += [int(word)] if before not in _COPY else []
        elif word in _DRAFT:
            standing = -1
        elif word in _FINAL:
            standing = standing or 1
        elif word not in _COPY and not (before in _COPY and word in ("of", "de", "d")):
            stem.append(word)
        before = word
    return Version(" ".join(stem), standing, tuple(numbers), max(again, default=0))


def order_in_time(times: Mapping[T, float]) -> dict[T, int]:
    """The rank of each file in time; files that were written within a minute of one another have the same."""
    ranks: dict[T, int] = {}
    rank, before = 0, None
    for name, at in sorted(times.items(), key=lambda item: item[1]):
        if before is not None and at - before > GAP_S:
            rank += 1
        ranks[name], before = rank, at
    return ranks


def keep_latest(candidates: Collection[T], path: Callable[[T], str]) -> list[T]:
    """Those of which no name says that another is later. Of different files, names say it of drafts alone."""
    versions = [version_of(path(candidate)) for candidate in candidates]
    latest: dict[str, tuple[int, tuple[int, ...], int]] = {}
    for version in versions:
        latest[version.stem] = max(version.place, latest.get(version.stem, version.place))
    only_drafts = all(version.standing < 0 for version in versions)
    return [
        candidate
        for candidate, version in zip(candidates, versions, strict=True)
        if version.place == latest[version.stem] and (only_drafts or version.standing >= 0)
    ]
