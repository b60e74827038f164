"""What the checks of an exercise say to one answer: ours in this process, a right answer in the box."""

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graders.audit.hollow_answers import NAMES, has_free_architecture
from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.course.describe_error import describe_error
from graders.course.exercise import Exercise
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.judging.import_points import CHECK as IMPORTS
from graders.judging.nothing_right import MOST
from graders.language import tr
from graders.results.audit_result import NO_CHECK, Kind, Tried
from graders.results.result import Outcome

# The draws of each check on which a wrong answer is tried first. Hypothesis keeps the first two small: one of
# these and two others find nearly all that is wrong. A check of few draws is tried on all.
FEW = (2, 0, 3)
ROUNDING = 0.01  # of a share: points are rounded to cents


class CheckFailed(Exception):
    """A check itself fails on an answer, by an error of its own code, not of the answer's.

    Attributes:
        check: its name.
        error: what was raised.
    """

    def __init__(self, check: str, error: Exception) -> None:
        super().__init__(describe_error(error))
        self.check = check
        self.error = error


def try_answer(
    exercise: Exercise,
    draws: Draws,
    kind: Kind,
    name: str,
    make: Callable[[], Any],
    enough: float | None = None,
) -> Tried:
    """What the checks say to an answer of ours, in this process.

    Most wrong answers fail on a few draws; one that does not is tried once more, on all of them.

    Args:
        exercise: whose checks.
        draws: those of the run.
        kind: what the answer is.
        name: its name.
        make: makes it anew, since some answers remember their first call.
        enough: the share of the points that need be lost: then the other checks are not tried. What is seen
            of a mistake is not seen twice then, but for the first diagnostic draw.
    """
    try:
        return _try_answer(exercise=exercise, draws=draws, kind=kind, name=name, make=make, enough=enough)
    except CheckFailed as failure:
        return _report_broken(kind, name, failure)


def try_in_box(
    grader: Grader, path: Path, kind: Kind = Kind.RIGHT, name: str = "", parts: frozenset[str] = frozenset()
) -> Tried:
    """What the checks say to the answer at `path`, a right one by default, graded as a student's.

    `parts` are those of its functions and classes that count as wrong in exercises of their own.
    """
    [exercise] = grader.grade(path, path.stem, dict.fromkeys(parts, True)).exercises
    wrong = [f for f in exercise.findings if f.outcome is not Outcome.PASSED]
    message = exercise.message or next((f.staff or f.message for f in wrong), None)
    undecided = tuple(f.check for f in wrong if f.outcome is Outcome.SKIPPED)
    failed = tuple(f.check for f in wrong)
    return Tried(
        kind=kind,
        name=name or path.stem,
        outcome=exercise.outcome,
        failed=failed,
        named=(),
        message=message,
        undecided=undecided,
    )


def try_hollow(grader: Grader, name: str, text: str) -> Tried:
    """What an answer gets that has every property and computes nothing, graded as a student's.

    One that does what a known mistake does may keep what the mistake keeps; so may a right answer that is
    bent, where a core check is about something that the bending leaves, as what a lent model is given. Where
    the architecture is free, one that has every property has what is asked for.
    """
    [exercise] = grader.assignment.exercises
    with TemporaryDirectory() as folder:
        path = Path(folder) / "hollow.py"
        path.write_text(text, encoding="utf-8")
        [result] = grader.grade(path, "hollow").exercises
    mistakes = {mistake.name for f in result.findings for several in f.mistakes for mistake in several}
    passed = {f.check for f in result.findings if f.outcome is Outcome.PASSED}
    holds_a_core = any(check.core and check.name in passed for check in exercise.checks)
    may_keep = mistakes or has_free_architecture(exercise) or (name == NAMES["bent"] and holds_a_core)
    got = (result.points + result.undecided_points) / result.max_points
    return Tried(
        kind=Kind.HOLLOW,
        name=name,
        outcome=result.outcome,
        failed=tuple(f.check for f in result.findings if f.check not in passed),
        named=tuple((name,) for name in sorted(mistakes)),
        message=result.message,
        cheap=got > MOST + ROUNDING and not may_keep,
        got=got,
        held=(result.points + result.not_counted) / result.max_points,
    )


def try_deviation(grader: Grader, path: Path) -> Tried:
    """What the checks say to the answer at `path`, which is right but for one thing.

    A line `loses: NAME` in its docstring names the check that it fails, or `loses: NAME, NAME` those that
    cannot be asked without the one thing, in their order; `loses: none` means a remark alone.

    Raises:
        ValueError: there is no such line, or no such check.
    """
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    line = re.search(r"^loses: (\w+(?:, \w+)*)$", docstring, re.MULTILINE)
    known = {check.name for check in grader.assignment.exercises[0].checks} | {NO_CHECK, IMPORTS}
    if line is None or not known.issuperset(line[1].split(", ")):
        raise ValueError(tr("{path}: name a check in a line `loses: NAME` of the docstring", path=path.name))
    return replace(try_in_box(grader, path), kind=Kind.DEVIATION, may_lose=line[1])


def try_again(
    exercise: Exercise, draws: Draws, tried: Tried, check: Check, make: Callable[[], Any], few: bool = False
) -> Tried:
    """An answer of ours that was tried, with `check` among those that it fails on a few draws, or on any."""
    try:
        failure = _try_check(exercise, draws, check, _candidate(exercise, draws, make), few)
    except CheckFailed as failure:
        return _report_broken(tried.kind, tried.name, failure)
    return tried if failure is None else replace(tried, failed=(*tried.failed, check.name))


def try_on_all_draws(exercise: Exercise, draws: Draws, tried: Tried, make: Callable[[], Any]) -> Tried:
    """An answer of ours that was tried on a few draws, with the checks that it fails on any draw."""
    try:
        return replace(tried, failed=tuple(_failed_checks(exercise, draws, make)))
    except CheckFailed as failure:
        return _report_broken(tried.kind, tried.name, failure)


def _report_broken(kind: Kind, name: str, failure: CheckFailed) -> Tried:
    """What is known of an answer on which a check of ours has failed by itself."""
    return Tried(
        kind=kind,
        name=name,
        outcome=Outcome.BROKEN,
        failed=(failure.check,),
        named=(),
        message=str(failure),
    )


def _try_answer(
    exercise: Exercise, draws: Draws, kind: Kind, name: str, make: Callable[[], Any], enough: float | None
) -> Tried:
    few = kind is not Kind.REFERENCE
    failed = _failed_checks(exercise, draws, make, few, enough)
    strict = {check.name for check in exercise.checks if not check.shape_only}
    if few and not (failed if kind is Kind.MISTAKE else strict <= failed.keys()):
        failed = _failed_checks(exercise, draws, make)
    known = draws.known_mistakes(exercise) if kind is Kind.MISTAKE and failed else None
    named: tuple[tuple[str, ...], ...] = ()
    if known is not None:
        candidate = LocalCandidate(make(), partial(draws.mapping_draws, exercise))
        alternatives = known.identify(candidate, "" if enough is None else name)
        named = tuple(tuple(mistake.name for mistake in alternative) for alternative in alternatives)
    outcome = Outcome.FAILED if failed else Outcome.PASSED
    message = next(iter(failed.values()), None)
    return Tried(kind=kind, name=name, outcome=outcome, failed=tuple(failed), named=named, message=message)


def _failed_checks(
    exercise: Exercise,
    draws: Draws,
    make: Callable[[], Any],
    few: bool = False,
    enough: float | None = None,
) -> dict[str, str]:
    """The checks that do not hold, on a few of their draws or on all, with what they say.

    With `enough`, those with most points are tried first, until so large a share of the points is lost.
    """
    candidate, checks, failed, lost = _candidate(exercise, draws, make), exercise.value_checks, {}, 0.0
    if enough is not None:
        checks = tuple(sorted(checks, key=lambda check: -check.points))
    all_points = sum(check.points for check in checks)
    for check in checks:
        message = _try_check(exercise, draws, check, candidate, few)
        if message is not None:
            failed[check.name] = message
            lost += check.points
        if enough is not None and lost >= enough * all_points:
            break
    if any(check.core and check.name in failed for check in exercise.checks):
        # What answers wrongly is not measured.
        failed |= {check.name: tr("not measured") for check in exercise.checks if check.grows_as}
    return failed


def _candidate(exercise: Exercise, draws: Draws, make: Callable[[], Any]) -> LocalCandidate:
    dtype = draws.dtype
    mapping_draws = partial(draws.mapping_draws, exercise)
    return LocalCandidate(make(), mapping_draws, None if dtype is None else lambda m: m.to(dtype))


def _try_check(
    exercise: Exercise, draws: Draws, check: Check, candidate: LocalCandidate, few: bool = False
) -> str | None:
    """What a check says to a candidate where it does not hold on its draws, or on a few; else None."""
    try:
        examples = draws.for_check(exercise, check)
        for example in [examples[n] for n in FEW] if few and len(examples) > 1 + max(FEW) else examples:
            check.judge(candidate, example.draw, *example.answer)
    except (Violation, Raised, Undecidable) as failure:
        return str(failure)
    except Exception as error:
        raise CheckFailed(check.name, error) from error
    return None
