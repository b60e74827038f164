"""Find the student who is meant: by number, id, login or e-mail, then by name, never by a guess."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graders.classroom.class_record import Student
from graders.language import tr, translatable
from graders.safe_text import composed

# Moodle's names for everybody when names are hidden; in other languages, a word with a number.
_HIDDEN = frozenset({"participant", "anon", ""})


@dataclass(frozen=True, slots=True)
class Identity:
    """What is known of a person: `names` may be ids, logins or e-mails, the most likely first."""

    number: str = ""
    name: str = ""
    names: tuple[str, ...] = ()


def identity_of(student: Student) -> Identity:
    """What is known of a student: by id, address or login, and by name."""
    names = tuple(name for name in (student.id, student.email, student.username) if name)
    return Identity(student.number, student.name, names)


@dataclass(frozen=True, slots=True)
class Match:
    """The student, or all students of the team; `why` gives the reason where one is absent."""

    students: tuple[Student, ...] = ()
    why: str = ""


def fold(text: str) -> str:
    """Reduce a name to lower-case letters and digits without accents."""
    bare = unicodedata.normalize("NFKD", text)
    return "".join(c for c in bare if not unicodedata.combining(c) and c.isalnum()).casefold()


def _key(name: str) -> str:
    return composed(name).casefold()


def name_variants(name: str) -> set[str]:
    """The folded name with its parts in each cyclic order: `Roy, Bob` and `bobroy` share a variant."""
    parts = [part for part in map(fold, re.split(r"[\s,]+", name)) if part]
    return {"".join(parts[i:] + parts[:i]) for i in range(len(parts))}


def same_name(first: str, second: str) -> bool:
    """Whether two names may belong to the same person; a hidden name may belong to anybody."""
    hidden = re.sub(r"\d+", "", fold(first)) in _HIDDEN or re.sub(r"\d+", "", fold(second)) in _HIDDEN
    return hidden or bool(name_variants(first) & name_variants(second))


@dataclass(frozen=True)
class Roster:
    """The students of a class, indexed for `find`."""

    students: Sequence[Student]
    _by: dict[str, dict[str, list[Student]]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for student in self.students:
            names = {_key(name) for name in (student.id, student.username, student.email) if name}
            self._put("number", [student.number] if student.number else [], student)
            self._put("names", names, student)
            self._put("name", [composed(student.name)] if student.name else [], student)
            self._put("forms", name_variants(student.name), student)
            self._put("group", [fold(student.group)] if fold(student.group) else [], student)

    def _put(self, kind: str, keys: Iterable[str], student: Student) -> None:
        for key in keys:
            self._by.setdefault(kind, {}).setdefault(key, []).append(student)

    def _at(self, kind: str, key: str) -> list[Student]:
        return self._by.get(kind, {}).get(key, [])

    def find(self, who: Identity) -> Match:
        """Find the student or team whom `who` means."""
        named = self._students_named(who)
        team = self._at("group", fold(who.name)) if who.name and not named else []
        if team:  # first, since the number of a group may also be a participant's
            return Match(tuple(team))
        other = ""
        if who.number and len(students := self._at("number", who.number)) == 1:
            # In a worksheet of another assignment, the same number may belong to another person.
            if same_name(students[0].name, who.name):
                return Match((students[0],))
            other = students[0].name
        for key in who.names:
            if students := self._at("names", _key(key)):
                return _match_single(students, key)
        if named:
            return _match_single(named, who.name)
        name = who.name or (who.names or (who.number,))[0]
        if other:
            message = translatable("nobody in the roster is {name} (the number {number} is {other}'s there)")
            return Match(why=tr(message, name=name, number=who.number, other=other))
        return Match(why=tr("nobody in the roster is {name}", name=name))

    def _students_named(self, who: Identity) -> list[Student]:
        if not who.name:
            return []
        if exact := self._at("name", composed(who.name)):
            return exact
        students = {
            student.id: student
            for form in sorted(name_variants(who.name))
            for student in self._at("forms", form)
        }
        return list(students.values())


def _match_single(students: Sequence[Student], name: str) -> Match:
    if len(students) == 1:
        return Match((students[0],))
    several = ", ".join(student.id for student in students[:5])
    message = translatable("{name} may be any of several students in the roster: {several}")
    return Match(why=tr(message, name=name, several=several))
