"""Do the checks bite? Every answer that is known to be right or wrong is put before them.

The reference and at least six right answers must lose nothing; every known mistake must be caught, and
named as itself; every check must catch at least one of them; and answers that compute nothing must lose all
that is not about shape. Right answers are graded as a student's, in the box; the reference and what is
derived from it is ours, and is looked at in this process.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from graders import locations
from graders.batch import grade_class
from graders.batch.process_pool import WorkerDied, spread
from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapper import Undecidable
from graders.check_api.check import Check, Raised
from graders.check_api.compare import Violation
from graders.course.exercise import Exercise
from graders.course.reference import mistakes, reference
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.language import tr, translatable
from graders.results.audit_result import AuditedCheck, AuditedExercise, Kind, Tried
from graders.results.mistakes import join_names
from graders.results.result import Mistake, Outcome, Result

LEAST_RIGHT = 6  # right answers in other styles, per exercise
FEW = 5  # draws of each check on which a wrong answer is tried first


class NoSolutions(Exception):
    """There are no solutions here, without which nothing can be audited. Text for people."""


def audit(
    exercises: list[tuple[str, Exercise]], plan: grade_class.Class, jobs: int
) -> Iterator[AuditedExercise]:
    """Audit exercises, several at a time; what was found of each, as it comes.

    Args:
        exercises: each with the name of its assignment.
        plan: the draws, and the box for right answers; its assignment holds all the exercises.
        jobs: how many processes.

    Raises:
        NoSolutions: there is no `solutions/` here.
    """
    if locations.solutions() is None:
        raise NoSolutions(tr("There are no solutions here, without which nothing can be audited."))
    heaviest = sorted(exercises, key=lambda pair: -len(mistakes(pair[1].name, pair[1].symbol)))
    named = [(name, exercise.name) for name, exercise in heaviest]
    for _, found in spread(named, _audited, jobs, partial(grade_class.begin, plan)):
        if isinstance(found, WorkerDied):
            raise found
        yield found


def judged(exercise: Exercise, assignment: str, tried: list[Tried]) -> AuditedExercise:
    """What was found of an exercise, with its gaps."""
    checks = tuple(AuditedCheck(c.name, c.shape_only, c.kept_because) for c in exercise.checks)
    bare = AuditedExercise(exercise.name, exercise.title, assignment, checks, tuple(tried))
    return AuditedExercise(**{**vars(bare), "gaps": tuple(_gaps(bare))})


def tried_here(exercise: Exercise, deck: Draws, kind: Kind, name: str, make: Callable[[], Any]) -> Tried:
    """What the checks say to an answer of ours, in this process.

    Most that is wrong shows on the first draws; what does not is looked at once more, on all of them.

    Args:
        exercise: whose checks.
        deck: with their draws.
        kind: what the answer is.
        name: its name.
        make: makes it anew, since some remember their first call.
    """
    most: int | None = None if kind is Kind.REFERENCE else FEW
    failed = _failed(exercise, deck.first(most), make)
    biting = {check.name for check in exercise.checks if not check.shape_only}
    if most and not (failed if kind is Kind.MISTAKE else biting <= failed.keys()):
        failed = _failed(exercise, deck, make)
    suspects = deck.known_mistakes(exercise) if kind is Kind.MISTAKE else None
    mistakes: tuple[tuple[Mistake, ...], ...] = ()
    if suspects and failed:
        mistakes = suspects.identify(LocalCandidate(make(), partial(deck.mapping_draws, exercise)))
    named = tuple(tuple(mistake.name for mistake in made) for made in mistakes)
    outcome = Outcome.FAILED if failed else Outcome.PASSED
    message = next(iter(failed.values()), None)
    return Tried(kind, name, outcome, tuple(failed), named, message)


def empty(exercise: Exercise) -> dict[str, Callable[[], Any]]:
    """Answers of the right shape that compute nothing: how to make each, by name."""
    right = reference(exercise.name, exercise.symbol)
    return {name: partial(_emptied, right, spoil) for name, spoil in _SPOILS.items()}


def _audited(pair: tuple[str, str]) -> AuditedExercise:
    assignment, name = pair
    grader = grade_class.grader().only((name,))
    [exercise], deck = grader.assignment.exercises, grader.draws
    known, right = mistakes(name, exercise.symbol), reference(name, exercise.symbol)
    tried = [tried_here(exercise, deck, Kind.REFERENCE, exercise.symbol, lambda: right)]
    for mistake in known:
        make = partial(_fresh, exercise, mistake)
        tried.append(tried_here(exercise, deck, Kind.MISTAKE, mistake, make))
    tried += [tried_here(exercise, deck, Kind.EMPTY, *pair) for pair in empty(exercise).items()]
    solutions = locations.solutions()
    assert solutions is not None
    paths = sorted((solutions / "right" / name).glob("*.py"))
    return judged(exercise, assignment, [*tried, *(_handed_in(grader, path) for path in paths)])


def _fresh(exercise: Exercise, mistake: str) -> Any:
    return mistakes(exercise.name, exercise.symbol)[mistake]


def _failed(exercise: Exercise, deck: Draws, make: Callable[[], Any]) -> dict[str, str]:
    """The checks that do not hold, with what they say."""
    dtype = deck.dtype
    candidate = LocalCandidate(
        make(), partial(deck.mapping_draws, exercise), None if dtype is None else lambda m: m.to(dtype)
    )
    found = {check.name: _says(exercise, deck, check, candidate) for check in exercise.checks}
    return {name: says for name, says in found.items() if says is not None}


def _says(exercise: Exercise, deck: Draws, check: Check, candidate: LocalCandidate) -> str | None:
    try:
        for dealt in deck.for_check(exercise, check):
            check.body(candidate, dealt.draw, *dealt.answer)
    except (Violation, Raised, Undecidable) as failure:
        return str(failure)
    return None


def _handed_in(grader: Grader, path: Path) -> Tried:
    return _graded(path.stem, grader.grade(path, path.stem))


def _graded(name: str, result: Result) -> Tried:
    [exercise] = result.exercises
    wrong = [f for f in exercise.findings if f.outcome is not Outcome.PASSED]
    message = exercise.message or next((f.staff or f.message for f in wrong), None)
    return Tried(Kind.RIGHT, name, exercise.outcome, tuple(f.check for f in wrong), (), message)


def _gaps(found: AuditedExercise) -> Iterator[str]:
    for tried in (*found.of(Kind.REFERENCE), *found.of(Kind.RIGHT)):
        if tried.outcome != Outcome.PASSED:
            why = f"{', '.join(tried.failed)}: {tried.message}" if tried.failed else tried.message
            says = translatable("the right answer {name} is not accepted: {why}")
            if tried.kind is Kind.REFERENCE:
                says = translatable("the reference {name} is not accepted: {why}")
            yield tr(says, name=tried.name, why=why)
    if len(found.of(Kind.RIGHT)) < LEAST_RIGHT:
        count = len(found.of(Kind.RIGHT))
        yield tr("there are {n} right answers; at least {least} are needed", n=count, least=LEAST_RIGHT)
    for tried in found.of(Kind.MISTAKE):
        if not tried.failed:
            yield tr("{name} is not caught", name=tried.name)
        elif not tried.named_as_itself:
            says = (
                translatable("{name} is named as {named}")
                if tried.named
                else translatable("{name} is not named")
            )
            yield tr(says, name=tried.name, named=join_names(tried.named))
    for check in found.checks:
        if not found.catches(check.name) and not check.kept_because:
            yield tr("the check {name} catches no mistake", name=check.name)
    biting = {check.name for check in found.checks if not check.shape_only}
    for tried in found.of(Kind.EMPTY):
        for name in sorted(biting - set(tried.failed)):
            yield tr("the check {name} lets an empty answer pass ({answer})", name=name, answer=tried.name)


def _emptied(right: Any, spoil: Callable[[Tensor, Any], Tensor]) -> Any:
    """The reference with its answer spoiled: its parameters and the answer's shape are right, and no more."""

    def spoiled(answer: Any, given: Any) -> Any:
        if isinstance(answer, tuple):
            return tuple(spoiled(part, given) for part in answer)
        if isinstance(answer, Tensor):
            return spoil(answer.detach(), given)
        return int(spoil(torch.tensor([answer]), given))

    if isinstance(right, type):
        forward = right.forward  # type: ignore[attr-defined]
        return type(right.__name__, (right,), {"forward": lambda self, *a: spoiled(forward(self, *a), a[0])})
    return lambda *args: spoiled(right(*args), next((a for a in args if isinstance(a, Tensor)), args[0]))


def _repeated(answer: Tensor, given: Any) -> Tensor:
    flat = torch.as_tensor(given).detach().flatten()
    many = -(-answer.numel() // max(flat.numel(), 1))
    return flat.repeat(many)[: answer.numel()].reshape(answer.shape).to(answer.dtype)


def _shuffled(answer: Tensor, _: Any) -> Tensor:
    if answer.numel() == 1 and not answer.is_floating_point():
        return torch.tensor(int(str(int(answer))[::-1]) + 1)  # a number's digits
    return answer.flatten()[torch.randperm(answer.numel())].reshape(answer.shape)


_SPOILS: dict[str, Callable[[Tensor, Any], Tensor]] = {
    "constant": lambda answer, _: torch.ones_like(answer),
    "zeros": lambda answer, _: torch.zeros_like(answer),
    "identity": _repeated,
    "shuffled": _shuffled,
    "random": lambda answer, _: (torch.randn(answer.shape) * 1_000).to(answer.dtype),
}
