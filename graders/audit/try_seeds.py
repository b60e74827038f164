"""Known answers under several seeds, graded as a student's: points must not follow from a seed.

What changes them is luck: a size, a mask or a value that some draws have and others have not, or a clock.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from graders.audit.load_exercises import ExercisesToAudit
from graders.audit.styles.answer_code import MAIN, AnswerCode
from graders.audit.styles.flatten_mistake import flatten_mistake, flatten_reference
from graders.audit.styles.known_answers import known_answers
from graders.audit.try_each import try_each
from graders.batch import grade_all
from graders.course.exercise import Exercise
from graders.course.gravity import Gravity
from graders.course.reference import gravities
from graders.grade import Grader
from graders.language import join_names, number, tr
from graders.results.audit_result import Kind, SeededExercise

DIGITS = 6  # of points: what differs beyond is rounding


@dataclass(frozen=True)
class Graded:
    """What an answer gets under a seed: the outcome, and the points of each check; None is undecided."""

    outcome: str
    points: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The points of all checks that are decided."""
        return sum(points or 0 for points in self.points.values())


def try_seeds(
    loaded: ExercisesToAudit, plan: grade_all.ClassPlan, jobs: int, count: int
) -> Iterator[SeededExercise]:
    """Grade all known answers under so many seeds; the result of each exercise, as it comes.

    Args:
        loaded: the exercises.
        plan: the draws, whose seed is the first, and the box; its assignment has all exercises.
        jobs: how many processes.
        count: how many seeds, one after another.
    """
    yield from try_each(loaded, plan, jobs, ask=partial(_try_exercise, count=count), with_gap=_with_gap)


def _with_gap(name: str, why: str) -> SeededExercise:
    return SeededExercise(name, 0, (why,))


def _try_exercise(grader: Grader, count: int) -> SeededExercise:
    return try_exercise(replace(grader, names_mistakes=False), count)


def try_exercise(grader: Grader, count: int) -> SeededExercise:
    """The known answers of an exercise whose points change with the seed.

    Args:
        grader: of this exercise alone, under the first seed.
        count: how many seeds.
    """
    [exercise], first = grader.assignment.exercises, grader.draws.seed
    graded: dict[tuple[Kind, str], dict[int, Graded]] = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = {(kind, name): path for kind, name, path in _write_answers(exercise, Path(folder))}
        for seed in range(first, first + count):
            under = replace(grader, draws=grader.draws.under(seed))  # made once, for all answers
            for answer, path in paths.items():
                graded.setdefault(answer, {})[seed] = _grade(under, path)
    changes = [(*answer, describe_luck(by_seed)) for answer, by_seed in graded.items()]
    gaps = [
        tr("{kind} {name}: {luck}", kind=kind, name=name, luck=luck) for kind, name, luck in changes if luck
    ]
    gaps += _out_of_proportion(exercise, {name: by_seed[first] for (_, name), by_seed in graded.items()})
    return SeededExercise(exercise.name, len(graded), tuple(gaps))


def _out_of_proportion(exercise: Exercise, graded: Mapping[str, Graded]) -> list[str]:
    """What is wrong with the cost of mistakes whose gravity the solution says."""
    whole = sum(exercise.points_of(check) for check in exercise.checks)
    costs = {
        name: (gravity, 1 - graded[name].total / whole)
        for name, gravity in gravities(exercise.name, exercise.symbol).items()
    }
    return [gap for name, cost in costs.items() if (gap := describe_disproportion(name, *cost)) is not None]


def describe_disproportion(mistake: str, gravity: Gravity, cost: float) -> str | None:
    """What is wrong where a mistake costs more or less than its gravity says; None where nothing is.

    Args:
        mistake: its name.
        gravity: how grave it is.
        cost: the share of the exercise's points that it costs, from 0 to 1.
    """
    least, most = gravity.shares
    if least <= cost <= most:
        return None
    return tr(
        "mistake {name} costs {cost}, but is called {gravity}: {least} to {most} are due",
        name=mistake,
        cost=number(cost, ".0%"),
        gravity=gravity,
        least=number(least, ".0%"),
        most=number(most, ".0%"),
    )


def describe_luck(graded: Mapping[int, Graded]) -> str | None:
    """How an answer's points change with the seed; None where they do not."""
    groups: dict[object, list[int]] = {}
    for seed, one in graded.items():
        rounded = {
            check: points if points is None else round(points, DIGITS) for check, points in one.points.items()
        }
        groups.setdefault((one.outcome, tuple(sorted(rounded.items(), key=str))), []).append(seed)
    if len(groups) < 2:
        return None
    parts = [
        tr(
            "{points} points ({outcome}) under {seeds}",
            points=number(graded[seeds[0]].total, ".3g"),
            outcome=graded[seeds[0]].outcome,
            seeds=join_names([str(seed) for seed in seeds]),
        )
        for seeds in groups.values()
    ]
    checks = {check for one in graded.values() for check in one.points}
    swinging = [c for c in sorted(checks) if len({one.points.get(c) for one in graded.values()}) > 1]
    return tr("{parts}; what swings: {checks}", parts=", ".join(parts), checks=", ".join(swinging))


def _write_answers(exercise: Exercise, folder: Path) -> Iterator[tuple[Kind, str, Path]]:
    """The kind, the name and the file of each known answer, those of cost too."""
    answers = [
        (Kind.REFERENCE, exercise.symbol, flatten_reference(exercise.name, exercise.symbol)),
        *known_answers(exercise),
        *(
            (Kind.MISTAKE, name, flatten_mistake(exercise.name, exercise.symbol, name))
            for name in sorted(exercise.mistakes_of_cost)
        ),
    ]
    for place, (kind, name, tree) in enumerate(answers):
        path = folder / str(place) / MAIN
        path.parent.mkdir()
        path.write_text(AnswerCode(exercise, tree).texts()[MAIN], encoding="utf-8")
        yield kind, name, path


def _grade(grader: Grader, path: Path) -> Graded:
    [result] = grader.grade(path, "answer").exercises
    return Graded(
        str(result.outcome),
        {f.check: None if f.outcome.undecided else round(f.points, DIGITS) for f in result.findings},
    )
