"""How many of a check's draws decide: which of them refuse which wrong answer.

Each known mistake, and a sample of right answers with one small change, is asked every draw of every check
by itself, in the box. So are twice as many further draws, of other sizes: what these show and the check's own
do not is missed. So many draws are enough as show, from the first on, all that the check's draws show.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from graders.audit.load_exercises import ExercisesToAudit
from graders.audit.names.draw_neighbour import Answer, changeable_answers, draw_neighbour, in_file
from graders.audit.styles.answer_code import MAIN
from graders.audit.try_each import try_each
from graders.batch import grade_all
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.check import Check
from graders.course.exercise import Exercise
from graders.grade import Grader
from graders.judging.another_answer import is_wrong
from graders.judging.drawing import count_fixed_draws
from graders.judging.draws import Draws
from graders.judging.judge import Judge
from graders.judging.kept_draws import Example
from graders.language import join_names, tr
from graders.results.audit_result import DrawnCheck, DrawnExercise, Kind, Shown, Unseen

MOST_LOST = 2  # draws on which an answer reaches a limit: then it is not compared


@dataclass(frozen=True)
class Wrong:
    """An answer that is tried: a known mistake, or a right answer with one change; `text` is its code."""

    kind: Kind
    name: str
    change: str
    text: str


@dataclass(frozen=True)
class Asked:
    """A check with its draws: those that its strategy gives, those of fixed sizes, and further ones."""

    check: Check
    own: Sequence[Example]
    fixed: Sequence[Example]
    further: Sequence[Example]


def try_draws(
    loaded: ExercisesToAudit, plan: grade_all.ClassPlan, jobs: int, count: int
) -> Iterator[DrawnExercise]:
    """Which draws of each check refuse which wrong answer; the result of each exercise, as it comes.

    Args:
        loaded: the exercises.
        plan: the draws, whose seed draws the changes too, and the box; its assignment has all exercises.
        jobs: how many processes.
        count: how many changed right answers of each exercise.
    """
    yield from try_each(loaded, plan, jobs, ask=partial(try_exercise, count=count), with_gap=_with_gap)


def _with_gap(name: str, why: str) -> DrawnExercise:
    return DrawnExercise(name, gaps=(why,))


def try_exercise(grader: Grader, count: int) -> DrawnExercise:
    """Which draws of an exercise's checks refuse which wrong answer.

    Args:
        grader: of this exercise alone.
        count: how many changed right answers.
    """
    [exercise] = grader.assignment.exercises
    asked = [_draws_of(exercise, grader.draws, check) for check in exercise.value_checks]
    shown: dict[str, list[Shown]] = {each.check.name: [] for each in asked}
    unseen, compared = list[Unseen](), list[Wrong]()
    for wrong in _wrong_answers(exercise, grader.draws.seed, count):
        of_checks = _ask(grader, wrong, asked)
        if of_checks is None:
            continue
        compared.append(wrong)
        for name, each in of_checks.items():
            shown[name].append(each)
        if of_checks and not any(each.is_caught for each in of_checks.values()):
            unseen.append(Unseen(next(iter(of_checks.values())), tuple(of_checks), wrong.text))
    checks = [
        DrawnCheck(each.check.name, len(each.own), len(each.fixed), tuple(shown[each.check.name]))
        for each in asked
    ]
    mistakes = sum(wrong.kind is Kind.MISTAKE for wrong in compared)
    changed = len(compared) - mistakes
    gaps = tuple(map(describe_unseen, unseen))
    return DrawnExercise(
        name=exercise.name,
        mistakes=mistakes,
        changed=changed,
        checks=tuple(checks),
        unseen=tuple(unseen),
        gaps=gaps,
    )


def describe_unseen(unseen: Unseen) -> str:
    """A wrong answer that no draw of a check shows, and further ones do."""
    checks, shown = join_names([*unseen.checks]), unseen.shown
    if not shown.change:
        return tr(
            "no draw shows {kind} {name}, and further ones of {checks} do: give more draws",
            kind=shown.kind,
            name=shown.name,
            checks=checks,
        )
    return tr(
        "no draw shows {kind} {name} with one change ({change}), and further ones of {checks} do: "
        "give more draws",
        kind=shown.kind,
        name=shown.name,
        change=shown.change,
        checks=checks,
    )


def _draws_of(exercise: Exercise, draws: Draws, check: Check) -> Asked:
    own = draws.for_check(exercise, check)
    many = len(own) - count_fixed_draws(check)
    return Asked(check, own[:many], own[many:], draws.further(exercise, check))


def _wrong_answers(exercise: Exercise, seed: int, count: int) -> Iterator[Wrong]:
    """The known mistakes, then so many right answers with one change each."""
    right, mistakes = changeable_answers(exercise)
    for kind, name, code in mistakes:
        yield Wrong(kind, name, "", code.texts()[MAIN])
    group: list[Answer] = [answer for answer in right if answer[0] is not Kind.DEVIATION]
    numbers = random.Random(f"{seed} {exercise.name} draws")  # noqa: S311 - no secret
    for _ in range(count):
        changed = draw_neighbour([group], numbers)
        yield Wrong(changed.kind, changed.name, changed.mutation.kind, changed.text)


def _ask(grader: Grader, wrong: Wrong, asked: Sequence[Asked]) -> dict[str, Shown] | None:
    """What the checks show of an answer, by the check's name; None where it cannot be compared."""
    found, lost = dict[str, Shown](), list[Exception]()
    with in_file(wrong.text) as path, grader.judge_at(path) as judge:
        if judge is None:
            return None
        for each in asked:
            refuses = partial(_refusing, judge, each.check, lost=lost)
            own, fixed, further = refuses(each.own), refuses(each.fixed), refuses(each.further)
            if len(lost) >= MOST_LOST:
                return None
            if own or fixed or further:
                found[each.check.name] = Shown(
                    kind=wrong.kind,
                    name=wrong.name,
                    change=wrong.change,
                    draws=own,
                    fixed=len(fixed),
                    further=len(further),
                )
    return found


def _refusing(
    judge: Judge, check: Check, examples: Sequence[Example], lost: list[Exception]
) -> tuple[int, ...]:
    """The numbers, from 1, of the draws on which a check refuses an answer; `lost` gets reached limits."""
    works = [partial(_refuses, judge, check, example, lost) for example in examples]
    refused = judge.candidate.together(works)
    if refused is None:  # each must be asked by itself
        refused = [len(lost) < MOST_LOST and work() for work in works]
    return tuple(number for number, is_refused in enumerate(refused, 1) if is_refused)


def _refuses(judge: Judge, check: Check, example: Example, lost: list[Exception]) -> bool:
    result = judge.try_on(check, example)
    if not isinstance(result, Exception):
        return False
    if not is_wrong(result) and not isinstance(result, Undecidable):
        lost.append(result)
    return True
