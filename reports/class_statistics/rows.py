"""The roll of a class: one row for each who handed in or should have, and lists of them."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from graders.classroom.marks import Mark
from graders.language import tr
from graders.results.result import Result
from reports import words
from reports.pages.templating import anchor

NAMED = 25  # of a list are named at most, and fewer where names and addresses are longer than
NAMED_LENGTH = 1_600  # characters in all; the page's script shows the others


@dataclass(frozen=True)
class Row:
    """A submission, or a student without one: at least one of `result` and `mark` is there."""

    id: str
    result: Result | None
    mark: Mark | None

    @property
    def name(self) -> str:
        """The name on the roster; the id where there is none."""
        return (self.mark and self.mark.student and self.mark.student.name) or self.id

    @property
    def group(self) -> str:
        """The group on the roster."""
        return self.mark.student.group if self.mark and self.mark.student else ""

    @property
    def link(self) -> str | None:
        """The relative address of the submission's page."""
        return link(self.id) if self.result else None

    @property
    def machine(self) -> float | None:
        """The points that grading gave."""
        return self.result.points if self.result else None

    @property
    def points(self) -> float | None:
        """The points that count."""
        return self.mark.points if self.mark else self.machine

    @property
    def most(self) -> float:
        """The points that can be had."""
        if self.mark:
            return self.mark.max_points
        return self.result.max_points if self.result else 0

    @property
    def late(self) -> bool:
        """Whether it was handed in late."""
        return bool(self.mark and self.mark.late)

    @property
    def waiting(self) -> bool:
        """Whether it was handed in and is not graded yet."""
        return bool(self.mark and self.mark.waiting)

    @property
    def undecided(self) -> float:
        """The points that neither the machine nor the instructor has decided."""
        if self.mark:
            return self.mark.undecided
        return self.result.undecided_points if self.result else 0

    @property
    def besides(self) -> str:
        """What stands below the name: the id where the name is another, and who is in a team."""
        team = [student.name or student.id for student in self.mark.team] if self.mark else []
        return " · ".join(
            [*([self.id] if self.name != self.id else []), *([", ".join(team)] if team else [])]
        )

    @property
    def says(self) -> str:
        """Why other points count than the machine's, in a few words; empty where the machine's do."""
        parts = [tr("set by the instructor")] if self.mark and self.mark.overrides else []
        if self.machine is not None and self.points is not None:
            machine = words.points(self.machine)
            parts += [tr("machine: {points}", points=machine)] if machine != words.points(self.points) else []
        return ", ".join(parts)

    def given(self, exercise: str) -> float | None:
        """The points that the instructor set for an exercise."""
        found = self.mark.override(exercise) if self.mark else None
        return found.points if found else None


@dataclass(frozen=True)
class Who:
    """Some of the roll, as a page lists them.

    `named` has the first with their addresses, `more` how many there are besides; `bits` has them all,
    for the page's script: bit i of these bytes, the lowest first, in base64, is row i of the table.
    """

    count: int
    named: tuple[tuple[str, str | None], ...]
    more: int
    bits: str


@dataclass(frozen=True)
class Roll:
    """The rows of a class, in the order of the table."""

    rows: tuple[Row, ...]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {row.id: i for i, row in enumerate(self.rows)}

    def who(self, ids: Iterable[str], exercise: str | None = None) -> Who:
        """These of the roll, with addresses that lead to an exercise if one is given."""
        places = sorted({self._places[one] for one in ids})
        part = f"#{anchor(exercise)}" if exercise else ""
        named, length = list[tuple[str, str | None]](), 0
        for row in (self.rows[place] for place in places[:NAMED]):
            named.append((row.name, row.link and row.link + part))
            length += len(row.name) + len(row.link or "") + len(part)
            if length > NAMED_LENGTH:
                break
        return Who(len(places), tuple(named), len(places) - len(named), _bits(places))


def called(results: Sequence[Result], marks: Sequence[Mark]) -> Roll:
    """The roll of these marks and results, in the order of the marks, then of results without one."""
    found = {result.submission.id: result for result in results}
    marked = {mark.id: mark for mark in marks}
    return Roll(tuple(Row(one, found.get(one), marked.get(one)) for one in dict.fromkeys([*marked, *found])))


def link(submission: str) -> str:
    """The relative address of a submission's page."""
    return quote(submission, safe="") + "/index.html"


def _bits(places: Sequence[int]) -> str:
    number = sum(1 << place for place in places)
    return base64.b64encode(number.to_bytes((number.bit_length() + 7) // 8, "little")).decode()
