"""Do the checks bite? Every answer that is known to be right or wrong is handed in and graded.

The reference and at least six right answers must lose nothing; every known mistake must be caught, and
named as itself; every check must catch at least one of them; and answers that compute nothing must lose all
that is not about shape.
"""

import ast
import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graders.audited import AuditedCheck, AuditedExercise, Kind, Tried
from graders.batch import Class, Entry, grade_all
from graders.exercise import Assignment, Exercise
from graders.reference import folder, mistakes
from graders.result import ExerciseResult, Outcome, Result

FEW = 5  # draws of each check on which a wrong answer is tried first
LEAST_RIGHT = 6  # right answers in other styles, per exercise
EMPTY = {
    "constant": ("torch.ones_like(answer)", "1"),
    "zeros": ("torch.zeros_like(answer)", "0"),
    "identity": ("repeated(given, answer)", "given"),
    "shuffled": (
        "answer.flatten()[torch.randperm(answer.numel())].reshape(answer.shape)",
        "int(str(answer)[::-1]) + 1",
    ),
    "random": ("torch.randn(answer.shape).to(answer.dtype)", "torch.randint(1, 1_000, ()).item()"),
}
_EMPTY_TEXT = """import torch
from solutions.{exercise} import {symbol} as Right


def repeated(given, answer):
    flat = torch.as_tensor(given).flatten()
    many = -(-answer.numel() // max(flat.numel(), 1))
    return flat.repeat(many)[: answer.numel()].reshape(answer.shape).to(answer.dtype)


def spoiled(answer, given):
    if isinstance(answer, tuple):
        return tuple(spoiled(part, given) for part in answer)
    if not isinstance(answer, torch.Tensor):
        return {number}
    answer = answer.detach()
    return {tensor}


"""
_OF_A_CLASS = """class {symbol}(Right):
    def forward(self, *args, **kwargs):
        return spoiled(super().forward(*args, **kwargs), args[0])
"""
_OF_A_FUNCTION = """def {symbol}(*args, **kwargs):
    return spoiled(Right(*args, **kwargs), args[0])
"""


@dataclass(frozen=True)
class Answer:
    """An answer to be handed in. `text` is a module; a right answer lies at `path`."""

    exercise: Exercise
    kind: Kind
    name: str
    text: str = ""
    path: Path | None = None

    @property
    def few(self) -> bool:
        """Whether a few draws should be enough, since it is wrong."""
        return self.kind in (Kind.MISTAKE, Kind.EMPTY)

    @property
    def id(self) -> str:
        """Unique in an audit."""
        return f"{self.exercise.name} {self.kind} {self.name}"


def answers(exercise: Exercise) -> list[Answer]:
    """All answers to an exercise that are known to be right or wrong.

    Raises:
        FileNotFoundError: there is no `solutions/` here.
    """
    solutions = folder()
    if solutions is None:
        raise FileNotFoundError("there are no solutions here, without which nothing can be audited")
    symbol, where = exercise.symbol, f"from solutions.{exercise.name} import"
    right = sorted((solutions / "right").glob(f"{exercise.name}__*.py"))
    made = [Answer(exercise, Kind.REFERENCE, symbol, f"{where} {symbol}\n")]
    for name in mistakes(exercise.name, symbol):
        made.append(Answer(exercise, Kind.MISTAKE, name, f"{where} {name}\n\n{symbol} = {name}\n"))
    made += [Answer(exercise, Kind.RIGHT, path.stem.partition("__")[2], path=path) for path in right]
    return made + [Answer(exercise, Kind.EMPTY, name, _empty(exercise, name)) for name in EMPTY]


def audit(todo: list[Answer], plan: Class, jobs: int) -> Iterator[tuple[Answer, Tried]]:
    """Hand in and grade all answers, with `jobs` processes; what came of each, as it comes.

    Most that is wrong shows on the first draws; what does not is graded once more, on all of them.
    """
    by_id = {answer.id: answer for answer in todo}
    with _handed_in(todo) as entries:
        again = []
        for result in grade_all(entries, plan, jobs):
            answer = by_id[result.submission.id]
            tried = _tried(answer, result)
            if answer.few and not _as_expected(answer, tried):
                again.append(next(entry for entry in entries if entry.id == answer.id))
            else:
                yield answer, tried
        for result in grade_all([replace(entry, draws=None) for entry in again], plan, jobs):
            answer = by_id[result.submission.id]
            yield answer, _tried(answer, result)


def judged(assignment: Assignment, found: Iterable[tuple[Answer, Tried]]) -> list[AuditedExercise]:
    """What was found, by exercise, with its gaps."""
    pairs = list(found)
    made = []
    for exercise in assignment.exercises:
        tried = sorted(
            (t for a, t in pairs if a.exercise.name == exercise.name), key=lambda t: (t.kind, t.name)
        )
        checks = tuple(AuditedCheck(c.name, c.about_shape, c.stays) for c in exercise.checks)
        bare = AuditedExercise(exercise.name, exercise.title, assignment.name, checks, tuple(tried))
        if tried:
            made.append(AuditedExercise(**{**vars(bare), "gaps": tuple(_gaps(bare))}))
    return made


def _gaps(found: AuditedExercise) -> Iterator[str]:
    for tried in (*found.of(Kind.REFERENCE), *found.of(Kind.RIGHT)):
        if tried.outcome != Outcome.PASSED:
            why = f"{', '.join(tried.failed)}: {tried.message}" if tried.failed else tried.message
            yield f"the {tried.kind} {tried.name} is not accepted: {why}"
    if len(found.of(Kind.RIGHT)) < LEAST_RIGHT:
        yield f"there are {len(found.of(Kind.RIGHT))} right answers; at least {LEAST_RIGHT} are needed"
    for tried in found.of(Kind.MISTAKE):
        if not tried.failed:
            yield f"{tried.name} is not caught ({tried.outcome}: {tried.message})"
        elif tried.named != tried.name:
            yield f"{tried.name} is named as {tried.named}" if tried.named else f"{tried.name} is not named"
    for check in found.checks:
        if not found.catches(check.name) and not check.stays:
            yield f"the check {check.name} catches no mistake"
    biting = {check.name for check in found.checks if not check.about_shape}
    for tried in found.of(Kind.EMPTY):
        for name in sorted(biting - set(tried.failed)):
            yield f"the check {name} lets an empty answer pass ({tried.name})"


def _tried(answer: Answer, result: Result) -> Tried:
    [exercise] = result.exercises
    failed = tuple(f.check for f in exercise.findings if f.outcome is not Outcome.PASSED)
    named = next((f.mistake.name for f in exercise.findings if f.mistake), None)
    return Tried(answer.kind, answer.name, exercise.outcome, failed, named, _message(exercise))


def _as_expected(answer: Answer, tried: Tried) -> bool:
    biting = {check.name for check in answer.exercise.checks if not check.about_shape}
    if answer.kind is Kind.EMPTY:
        return biting <= set(tried.failed)
    return tried.named == tried.name


def _message(exercise: ExerciseResult) -> str | None:
    wrong = (f for f in exercise.findings if f.outcome is not Outcome.PASSED)
    return exercise.message or next((f.staff or f.message for f in wrong), None)


@contextmanager
def _handed_in(todo: list[Answer]) -> Iterator[list[Entry]]:
    with tempfile.TemporaryDirectory(prefix="softmark-audit-") as name:
        yield [_entry(answer, Path(name) / str(number)) for number, answer in enumerate(todo)]


def _entry(answer: Answer, place: Path) -> Entry:
    if answer.path is not None:
        return Entry(answer.id, answer.path, (answer.exercise.name,))
    few = FEW if answer.few else None
    (place / "solutions").mkdir(parents=True)
    # A notebook: beside one, modules are what it imports, and no answers themselves.
    cell: dict[str, Any] = {
        "id": "answer",
        "cell_type": "code",
        "source": answer.text,
        "metadata": {},
        "outputs": [],
    }
    notebook = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": [{**cell, "execution_count": None}],
    }
    (place / "answer.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    for name, text in _needed(answer.exercise.name).items():
        (place / "solutions" / f"{name}.py").write_text(text, encoding="utf-8")
    return Entry(answer.id, place, (answer.exercise.name,), few)


def _needed(exercise: str) -> dict[str, str]:
    """The solution of an exercise and those that it imports, by name."""
    solutions, found, left = folder(), {}, [exercise]
    assert solutions is not None
    while left:
        name = left.pop()
        found[name] = (solutions / f"{name}.py").read_text(encoding="utf-8")
        imported = (n.module or "" for n in ast.walk(ast.parse(found[name])) if isinstance(n, ast.ImportFrom))
        left += [m.removeprefix("solutions.") for m in imported if m.startswith("solutions.")]
        left = [n for n in left if n not in found]
    return found


def _empty(exercise: Exercise, name: str) -> str:
    tensor, number = EMPTY[name]
    of_a_class = "class " + exercise.symbol in exercise.handed_out
    text = _EMPTY_TEXT + (_OF_A_CLASS if of_a_class else _OF_A_FUNCTION)
    return text.format(exercise=exercise.name, symbol=exercise.symbol, tensor=tensor, number=number)
