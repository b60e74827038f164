"""Which student is meant: by number, id, login or e-mail, then by name, and never by a guess."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graders.classroom.class_record import Student
from graders.language import tr, translatable

# What Moodle calls everybody while it hides their names; other languages' words have a number as well.
_HIDDEN = frozenset({"participant", "anon", ""})


@dataclass(frozen=True, slots=True)
class Identity:
    """What is known of somebody: `names` are what may be an id, a login or an e-mail, the likeliest first."""

    number: str = ""
    name: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """The student found, the whole team where it is one's, or the reason why there is none."""

    students: tuple[Student, ...] = ()
    why: str = ""


def fold(text: str) -> str:
    """A name without accents, capitals, spaces and marks."""
    bare = unicodedata.normalize("NFKD", text)
    return "".join(c for c in bare if not unicodedata.combining(c) and c.isalnum()).casefold()


def forms(name: str) -> set[str]:
    """A name folded, whichever part of it comes first: `Roy, Bob` and `bobroy` are one."""
    parts = [part for part in map(fold, re.split(r"[\s,]+", name)) if part]
    return {"".join(parts[i:] + parts[:i]) for i in range(len(parts))}


def same_name(first: str, second: str) -> bool:
    """Whether two names may be one person's; one that is hidden may be anybody's."""
    hidden = re.sub(r"\d+", "", fold(first)) in _HIDDEN or re.sub(r"\d+", "", fold(second)) in _HIDDEN
    return hidden or bool(forms(first) & forms(second))


@dataclass(frozen=True)
class Roster:
    """Students, and how to find one among them."""

    students: Sequence[Student]
    _by: dict[str, dict[str, list[Student]]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for student in self.students:
            names = {n.casefold() for n in (student.id, student.username, student.email) if n}
            self._put("number", [student.number] if student.number else [], student)
            self._put("names", names, student)
            self._put("name", [student.name] if student.name else [], student)
            self._put("forms", forms(student.name), student)
            self._put("group", [fold(student.group)] if fold(student.group) else [], student)

    def _put(self, kind: str, keys: Iterable[str], student: Student) -> None:
        for key in keys:
            self._by.setdefault(kind, {}).setdefault(key, []).append(student)

    def _at(self, kind: str, key: str) -> list[Student]:
        return self._by.get(kind, {}).get(key, [])

    def find(self, who: Identity) -> Match:
        """The student whom `who` means."""
        named = self._named(who)
        team = self._at("group", fold(who.name)) if who.name and not named else []
        if team:  # before its number: a group's may be some participant's
            return Match(tuple(team))
        other = ""
        if who.number and len(students := self._at("number", who.number)) == 1:
            # A worksheet of another assignment has the same numbers for other people.
            if same_name(students[0].name, who.name):
                return Match((students[0],))
            other = students[0].name
        for key in who.names:
            if students := self._at("names", key.casefold()):
                return _only(students, key)
        if named:
            return _only(named, who.name)
        name = who.name or (who.names or (who.number,))[0]
        if other:
            message = translatable("nobody in the roster is {name} (the number {number} is {other}'s there)")
            return Match(why=tr(message, name=name, number=who.number, other=other))
        return Match(why=tr("nobody in the roster is {name}", name=name))

    def _named(self, who: Identity) -> list[Student]:
        if not who.name:
            return []
        if exact := self._at("name", who.name):
            return exact
        students = {
            student.id: student for form in sorted(forms(who.name)) for student in self._at("forms", form)
        }
        return list(students.values())


def _only(students: Sequence[Student], name: str) -> Match:
    if len(students) == 1:
        return Match((students[0],))
    several = ", ".join(student.id for student in students[:5])
    message = translatable("{name} may be any of several students in the roster: {several}")
    return Match(why=tr(message, name=name, several=several))
