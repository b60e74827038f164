"""The rows of a class: one for each submission and for each student without one, and lists of them."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from graders.classroom.marks import Mark, Override
from graders.language import tr
from graders.results.result import Result
from reports import words
from reports.pages.templating import anchor

MAX_NAMES = 25  # names listed at most
MAX_NAMES_LENGTH = 1_600  # characters of names and links; the page's script shows the remaining names


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
        """The points that softmark gave."""
        if self.result is None:
            return None
        by_people = [e.points for e in self.result.exercises if e.answer is not None]
        return self.result.points - sum(by_people) if by_people else self.result.points

    @property
    def set_by_hand(self) -> tuple[Override, ...]:
        """The overrides of what softmark had judged."""
        return self.mark.set_by_hand(self.result) if self.mark else ()

    @property
    def points(self) -> float | None:
        """The final points."""
        return self.mark.points if self.mark else self.machine

    @property
    def most(self) -> float:
        """The maximum of points."""
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
        """The points that neither softmark nor the instructor has decided."""
        if self.mark:
            return self.mark.undecided
        return self.result.undecided_points if self.result else 0

    @property
    def besides(self) -> str:
        """The text below the name: the id where it differs from the name, and the members of a team."""
        team = [student.name or student.id for student in self.mark.team] if self.mark else []
        return " · ".join(
            [*([self.id] if self.name != self.id else []), *([", ".join(team)] if team else [])]
        )

    @property
    def is_set(self) -> bool:
        """Whether the instructor set points, for all of a team or for a member."""
        marks = (self.mark, *self.mark.members) if self.mark else ()
        return any(mark.set_by_hand(self.result) for mark in marks)

    @property
    def is_raised(self) -> bool:
        """Whether points of an earlier grading count, since that gave more for the same files."""
        return bool(self.mark and self.mark.raised)

    @property
    def is_held(self) -> bool:
        """Whether the mark of all of a team, or of a member, is held back."""
        marks = (self.mark, *self.mark.members) if self.mark else ()
        return any(mark.held for mark in marks)

    @property
    def is_extended(self) -> bool:
        """Whether all of a team, or a member, had more time than the others."""
        marks = (self.mark, *self.mark.members) if self.mark else ()
        return any(mark.extension for mark in marks)

    @property
    def says(self) -> str:
        """Why the final points differ from those of softmark, in a few words; empty where they do not."""
        parts = [tr("set by the instructor")] if self.set_by_hand else []
        parts += [tr("other points for some members")] if self.mark and self.mark.differs_for_members else []
        if self.machine is not None and self.points is not None:
            machine = words.points(self.machine)
            parts += [tr("machine: {points}", points=machine)] if machine != words.points(self.points) else []
        return ", ".join(parts)

    def points_set(self, exercise: str) -> float | None:
        """The points that the instructor set for an exercise."""
        override = self.mark.override(exercise) if self.mark else None
        return override.points if override else None


@dataclass(frozen=True)
class People:
    """Some rows of a class, as a page lists them.

    `named` has the first names with their links, `more` counts the others. `bits` encodes all of them for
    the page's script: a bit set in base64, little-endian, in which bit i is row i of the table.
    """

    count: int
    named: tuple[tuple[str, str | None], ...]
    more: int
    bits: str


@dataclass(frozen=True)
class ClassRows:
    """The rows of a class, in the order of the table.

    `refers`: whether lists refer to rows, for the script of a page that has the table.
    """

    rows: tuple[Row, ...]
    refers: bool = True

    @cached_property
    def _index_of(self) -> dict[str, int]:
        return {row.id: i for i, row in enumerate(self.rows)}

    def list_people(self, ids: Iterable[str], exercise: str | None = None) -> People:
        """The rows of these ids, with links to an exercise if one is given."""
        indices = sorted({self._index_of[row_id] for row_id in ids})
        part = f"#{anchor(exercise)}" if exercise else ""
        named, length = list[tuple[str, str | None]](), 0
        for row in (self.rows[index] for index in indices[:MAX_NAMES]):
            named.append((row.name, row.link and row.link + part))
            length += len(row.name) + len(row.link or "") + len(part)
            if length > MAX_NAMES_LENGTH:
                break
        bits = _bit_set(indices) if self.refers else ""
        return People(len(indices), tuple(named), len(indices) - len(named), bits)


def collect_rows(results: Sequence[Result], marks: Sequence[Mark]) -> ClassRows:
    """The rows of these marks and results, in the order of the marks, then of the results without one."""
    by_id = {result.submission.id: result for result in results}
    marks_by_id = {mark.id: mark for mark in marks}
    return ClassRows(
        tuple(
            Row(row_id, by_id.get(row_id), marks_by_id.get(row_id))
            for row_id in dict.fromkeys([*marks_by_id, *by_id])
        )
    )


def link(submission: str) -> str:
    """The relative address of a submission's page."""
    return quote(submission, safe="") + "/index.html"


def _bit_set(indices: Sequence[int]) -> str:
    bits = bytearray(max(indices, default=-1) // 8 + 1)
    for index in indices:
        bits[index >> 3] |= 1 << (index & 7)
    return base64.b64encode(bits).decode()
