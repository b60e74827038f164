"""The answer keys that lie beside what is checked, or where a variable says, and why one is not used."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from graders import locations
from graders.answer_key.answer_key import AnswerKey
from graders.answer_key.pack import BadKey
from graders.language import tr

VARIABLE = "SOFTMARK_KEYS"  # names a folder
SUFFIX = ".key"


@dataclass(frozen=True)
class FoundKey:
    """A file that is called as an answer key is. `key` is None where this softmark cannot read it."""

    path: Path
    key: AnswerKey | None

    @property
    def assignment(self) -> str:
        """The assignment that it is for, by its name where it cannot be read."""
        return self.key.assignment if self.key else self.path.stem


class AnswerKeys:
    """The keys that were found, for one seed; the first that has a part and fits gives it."""

    def __init__(self, found: Sequence[FoundKey], seed: int) -> None:
        self.found = found
        self.seed = seed
        self._keys = [each.key for each in found if each.key and each.key.seed == seed]
        self._damaged: list[AnswerKey] = []  # as was found while they were read

    def part(self, exercise: str, name: str) -> Any:
        """A part of an exercise (or of "EXERCISE+SIZE"); None where no key that fits has it."""
        plain = exercise.partition("+")[0]
        parts = (self._part_of(key, exercise, name) for key in self._keys if plain in key.fitting)
        return next((part for part in parts if part is not None), None)

    def _part_of(self, key: AnswerKey, exercise: str, name: str) -> Any:
        """A part of a key; None where it has none, or where the key is damaged."""
        if key in self._damaged:
            return None
        try:
            return key.part(exercise, name)
        except (BadKey, OSError):
            self._damaged.append(key)
            return None

    def describe_unused(self, assignment: str, exercises: Iterable[str]) -> list[str]:
        """For each key of an assignment that does not decide some of these exercises: why, and what to type.

        To be asked after they were judged, when it is known which keys are damaged.
        Where another key does, there is nothing to say.
        """
        whole = [key for key in self._keys if key not in self._damaged]
        open_exercises = {e for e in exercises if not any(e in key.fitting for key in whole)}
        if not open_exercises:
            return []
        return list(dict.fromkeys(self._describe(assignment, open_exercises)))

    def _describe(self, assignment: str, exercises: set[str]) -> Iterator[str]:
        for found in self.found:
            key = found.key
            if found.assignment != assignment:
                continue
            if key is None:
                yield tr(
                    "{file} is not used: this softmark ({version}) cannot read it. {advice}",
                    file=found.path.name,
                    version=version("softmark"),
                    advice=_advise(found.path.parent),
                )
            elif key in self._damaged:
                yield tr(
                    "{file} is not used: it is damaged, or somebody has changed it. {advice}",
                    file=found.path.name,
                    advice=tr("Download the handout again."),
                )
            elif key.seed != self.seed:
                yield tr(
                    "{file} is not used: it has the answers to the draws of seed {seed} alone",
                    file=found.path.name,
                    seed=key.seed,
                )
            elif others := [name for name in key.exercises if name in exercises]:
                yield tr(
                    "{file} is not used for {exercises}: it was made with other checks than those of this "
                    "softmark ({version}). {advice}",
                    file=found.path.name,
                    exercises=", ".join(others),
                    version=version("softmark"),
                    advice=_advise(found.path.parent),
                )


def find_keys(seed: int, folders: Sequence[Path] = ()) -> AnswerKeys | None:
    """The keys that lie here; None where there are none, or where all solutions are here.

    Args:
        seed: that of the run.
        folders: where to look, nearest first: those of what is checked. The working directory comes last.
            Where `SOFTMARK_KEYS` names a folder, keys are looked for there alone.
    """
    course = locations.course()
    if len(course.solution_folders) == len(course.folders):
        return None
    found = [FoundKey(path, _read(path)) for path in _files(folders)]
    return AnswerKeys(found, seed) if found else None


def key_names() -> list[str]:
    """The assignments of which a key lies in the working directory, whatever its seed."""
    return sorted({found.key.assignment for path in _files() if (found := FoundKey(path, _read(path))).key})


def folders_of(submission: Path) -> list[Path]:
    """Where the keys of a submission lie: beside a file; in a folder, or in one of those in it."""
    path = submission.resolve()
    if not path.is_dir():
        return [path.parent]
    return [path, *dict.fromkeys(key.parent for key in sorted(path.glob(f"*/*{SUFFIX}")))]


def _files(folders: Sequence[Path] = ()) -> list[Path]:
    named = os.environ.get(VARIABLE)
    places = [Path(named)] if named else [*folders, Path()]
    every = (path.resolve() for folder in places for path in sorted(folder.glob(f"*{SUFFIX}")))
    return [path for path in dict.fromkeys(every) if path.is_file()]


def _read(path: Path) -> AnswerKey | None:
    try:
        return AnswerKey(path)
    except (BadKey, OSError):
        return None


def _advise(folder: Path) -> str:
    """What to type where a key in a handout's folder and the installed softmark do not belong together."""
    own = f"softmark-{version('softmark')}-"
    others = [wheel for wheel in folder.glob("wheels/softmark-*.whl") if not wheel.name.startswith(own)]
    if others:
        return tr("Type, in {folder}: pip install -r requirements.txt", folder=folder)
    return tr("Download the handout again, and type in its folder: pip install -r requirements.txt")
