"""Audit the checks: try every answer that is known to be right or wrong.

The reference and at least six right answers must lose nothing; every known mistake must be caught, and
named as itself; every check must catch at least one of them; answers that compute nothing must lose all
that is not about shape, also as wholes around right parts; those that have every property of a right one
and compute nothing must get little; and odd answers (None, texts, tensors of another type) must be refused by
a sentence. The core checks must weigh enough that what is computed wrongly costs
points.
Right answers are graded as a student's, in the box. The reference, mistakes, empty and odd answers are our
own code and run in this process.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from graders import locations
from graders.audit.cheap_mistakes import MOST_KEPT, mark_if_cheap
from graders.audit.depth import Depth
from graders.audit.find_gaps import find_gaps
from graders.audit.find_source_gaps import source_gaps
from graders.audit.find_text_gaps import text_gaps
from graders.audit.hollow_answers import NAMES as HOLLOW
from graders.audit.hollow_answers import hollow_answers
from graders.audit.idle_wholes import try_idle_whole
from graders.audit.load_exercises import ExercisesToAudit
from graders.audit.spoiled_answers import empty_answers, odd_answers
from graders.audit.try_answer import try_again, try_answer, try_deviation, try_hollow, try_in_box
from graders.audit.try_costs import try_costly_mistake, try_costs
from graders.audit.with_key import key_gaps
from graders.batch import grade_all
from graders.batch.process_pool import WorkerDied, spread
from graders.check_api.check import Check
from graders.course.describe_error import describe_error
from graders.course.exercise import Exercise
from graders.course.reference import mistakes, reference
from graders.course.right_answers import deviations, right_answers
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.language import tr
from graders.results.audit_result import AuditedCheck, AuditedExercise, Kind, Tried
from graders.results.result import Outcome

QUICK_HOLLOW = ("bent",)  # of a quick audit: that one has most properties, and costs least to explain
FURTHER_TRIES = 2  # of a right answer that was left open
HUNG_S = 900.0  # an exercise takes some 10 s; a reference or a check that needs this long never ends


class NoSolutions(Exception):
    """There are no solutions here, without which nothing can be audited. Text for people."""


def audit(
    loaded: ExercisesToAudit, plan: grade_all.ClassPlan, jobs: int, depth: Depth
) -> Iterator[AuditedExercise]:
    """Audit exercises, several at a time; the result of each, as it comes, those that are faulty first.

    Args:
        loaded: the exercises.
        plan: the draws, and the box for right answers; its assignment holds all the exercises.
        jobs: how many processes.
        depth: how deep it goes.

    Raises:
        NoSolutions: there is no `solutions/` here.
    """
    refuse_without_solutions()
    yield from loaded.faulty
    longest_first = sorted(loaded.exercises, key=lambda pair: -len(mistakes(pair[1].name, pair[1].symbol)))
    named = [(assignment, exercise.name) for assignment, exercise in longest_first]
    work = partial(_audit_exercise, entries=loaded.entries, depth=depth)
    for (assignment, name), audited in spread(named, work, jobs, partial(grade_all.begin, plan), HUNG_S):
        if isinstance(audited, WorkerDied):
            gap = tr("its code ended the process that audits it: correct it: {error}", error=audited)
            yield AuditedExercise(
                name=name, title=name, assignment=assignment, checks=(), tried=(), gaps=(gap,)
            )
        else:
            yield audited


def refuse_without_solutions() -> None:
    """Raise where there are no solutions.

    Raises:
        NoSolutions: there is no `solutions/` here.
    """
    if not locations.course().solution_folders:
        raise NoSolutions(tr("There are no solutions here, without which nothing can be audited."))


def with_gaps(
    exercise: Exercise, assignment: str, tried: list[Tried], *, with_draws: bool = True
) -> AuditedExercise:
    """The answers of an exercise that were tried, with the gaps that they show."""
    whole = sum(c.points for c in exercise.checks)
    checks = tuple(
        AuditedCheck(
            name=c.name,
            shape_only=c.shape_only,
            kept_because=c.kept_because,
            core=c.core,
            share=c.points / whole,
            on_its_word=c.on_its_word,
        )
        for c in exercise.checks
    )
    audited = AuditedExercise(exercise.name, exercise.title, assignment, checks, tuple(tried))
    return replace(audited, gaps=tuple(find_gaps(audited, with_draws=with_draws)))


def _audit_exercise(pair: tuple[str, str], entries: dict[str, Any], depth: Depth) -> AuditedExercise:
    """Audit one exercise in a process of the pool. Errors of the author's code become gaps."""
    assignment, name = pair
    grader = grade_all.grader_of(name)
    # Mistakes are named in this process, and nobody reads the smallest cases.
    grader = replace(grader, names_mistakes=False, draws=grader.draws.without_search())
    [exercise] = grader.assignment.exercises
    gaps: list[str] = []
    try:
        gaps += [*text_gaps(exercise, entries[name]), *source_gaps(exercise)]
        tried = list(_try_all(grader, exercise, depth))
        with_draws = bool(exercise.diagnostic_draws(1))
        audited = with_gaps(exercise, assignment, tried, with_draws=with_draws)
        if depth.with_key and exercise.rule is None:
            gaps += key_gaps(grader, exercise, tried, depth.draws)
    except Exception as error:  # whatever the author's code raises: the other exercises go on
        problem = tr("it cannot be audited: correct it: {error}", error=describe_error(error))
        audited = replace(with_gaps(exercise, assignment, []), gaps=(problem,))
    grader.draws.save()
    return replace(audited, gaps=tuple(dict.fromkeys((*gaps, *audited.gaps))))


def _try_all(grader: Grader, exercise: Exercise, depth: Depth) -> Iterator[Tried]:
    """Try the reference; then, if it is accepted, everything else."""
    run_draws = grader.draws
    tried = _try_reference(grader, exercise, depth)
    yield tried
    if tried.outcome is not Outcome.PASSED:
        return
    yield from _try_mistakes(grader, exercise, depth)
    for kind, answers in ((Kind.EMPTY, empty_answers(exercise)), (Kind.ODD, odd_answers(exercise))):
        for name, make_answer in answers.items():
            yield try_answer(exercise, run_draws, kind, name, make_answer)
    quick = replace(grader, draws=run_draws.only(depth.draws))
    with right_answers(exercise.name) as paths:
        for path in paths:
            yield _try_right(quick, path)
        idle_whole = try_idle_whole(grader, exercise, paths)
    if idle_whole is not None:
        yield idle_whole
    kinds = tuple(HOLLOW) if depth.draws is None else QUICK_HOLLOW
    for name, text in hollow_answers(exercise, kinds):
        tried = try_hollow(quick, name, text)
        # On few draws one of them may be answered rightly by chance: a gap is decided on all.
        yield try_hollow(grader, name, text) if tried.cheap and quick is not grader else tried
    for path in deviations(exercise.name):
        tried = try_deviation(quick, path)
        # On few draws a size may have its usual value by chance: a gap is decided on all.
        yield tried if tried.failed == tried.due or quick is grader else try_deviation(grader, path)


def _try_right(grader: Grader, path: Path) -> Tried:
    """Try a right answer, again where a check left it open: a clock decides some, and the machine is busy."""
    tried = try_in_box(grader, path)
    for _ in range(FURTHER_TRIES):
        if not tried.undecided or tried.undecided != tried.failed:
            break
        tried = try_in_box(grader, path)
    return tried


def _try_reference(grader: Grader, exercise: Exercise, depth: Depth) -> Tried:
    """Try the reference, and once more under another seed if it is accepted and the audit is a deep one."""
    draws, right = grader.draws, reference(exercise.name, exercise.symbol)
    tried = try_answer(exercise, draws, Kind.REFERENCE, exercise.symbol, lambda: right)
    tried = try_costs(grader, exercise, Kind.REFERENCE, exercise.symbol, tried)
    if depth.draws is not None or tried.outcome is not Outcome.PASSED:
        return tried
    others = draws.under(draws.seed + 1)
    return try_answer(exercise, others, Kind.REFERENCE, exercise.symbol, lambda: right)


def _try_mistakes(grader: Grader, exercise: Exercise, depth: Depth) -> list[Tried]:
    """Try each known mistake, and find for each check a mistake that it catches."""
    enough, draws = None if depth.every_check else 1 - MOST_KEPT, grader.draws
    makers = {n: partial(_make_mistake, exercise, n) for n in mistakes(exercise.name, exercise.symbol)}
    costly = {n: makers.pop(n) for n in sorted(exercise.mistakes_of_cost)}
    tried = [
        try_answer(exercise=exercise, draws=draws, kind=Kind.MISTAKE, name=n, make=make, enough=enough)
        for n, make in makers.items()
    ]
    for check in exercise.value_checks:
        if not check.kept_because and not any(check.name in mistake.failed for mistake in tried):
            tried = _find_caught(exercise, draws, check, tried)
    return [
        *(mark_if_cheap(exercise, draws, mistake, makers[mistake.name]) for mistake in tried),
        *(try_costly_mistake(grader, exercise, name, make) for name, make in costly.items()),
    ]


def _find_caught(exercise: Exercise, draws: Draws, check: Check, tried: list[Tried]) -> list[Tried]:
    """The mistakes that were tried, one of them with `check` among its failed ones, if it catches any.

    Those that no core check fails come first: checks of variations are about what answers rightly elsewhere.
    """
    core = {check.name for check in exercise.checks if check.core}
    likely = sorted(enumerate(tried), key=lambda pair: (core.isdisjoint(pair[1].failed), -pair[0]))
    for few in (True, False):
        for number, mistake in likely:
            make = partial(_make_mistake, exercise, mistake.name)
            again = try_again(exercise=exercise, draws=draws, tried=mistake, check=check, make=make, few=few)
            if again is not mistake:
                return [*tried[:number], again, *tried[number + 1 :]]
    return tried


def _make_mistake(exercise: Exercise, mistake: str) -> Any:
    return mistakes(exercise.name, exercise.symbol)[mistake]
