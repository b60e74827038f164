"""A class of any size: the sample assignment's checks and known mistakes, drawn by a seeded generator."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from graders.classroom.marks import Mark, Override, Student
from graders.course import reference
from graders.course.exercise import Exercise, load_assignment
from graders.course.late_policy import Late
from graders.language import line
from graders.results.result import ExerciseResult, Finding, Mistake, Outcome, Result
from reports.pages import class_page
from tests.reports import sample

DUE = datetime(2026, 11, 20, 23, 59, tzinfo=UTC)
# How an exercise ends, and how often.
ENDS = {
    "right": 48,
    "known": 24,
    "unknown": 8,
    Outcome.NOT_ATTEMPTED: 10,
    Outcome.RAISED: 6,
    Outcome.TIMED_OUT: 2,
    Outcome.OUT_OF_MEMORY: 1,
    Outcome.BROKEN: 0.3,
    Outcome.SKIPPED: 0.7,
}
MESSAGES = {
    Outcome.RAISED: "OSError: [Errno 24] Too many open files (at most 64 files may be open at a time)",
    Outcome.TIMED_OUT: "no answer within 6 s: an endless loop, or far too much work?",
    Outcome.OUT_OF_MEMORY: "the code asked for more memory than the 1 GB that it may use",
}


def results(count: int, seed: int = 1) -> list[Result]:
    """`count` compact results, sorted by id; the same seed gives the same results."""
    random_ = random.Random(seed)
    exercises = load_assignment("attention").exercises
    known_mistakes = {e.name: _mistakes(e) for e in exercises}
    return [_result(i, exercises, known_mistakes, random_) for i in range(count)]


def marks(all_results: list[Result], seed: int = 2) -> list[Mark]:
    """Marks of these results: 1 in 30 has an override, 1 in 10 is late; 1 in 20 more has no submission."""
    random_ = random.Random(seed)
    absent = [f"student-{i:04}" for i in range(len(all_results), len(all_results) + len(all_results) // 20)]
    return [_mark(result, random_) for result in all_results] + [
        Mark(who, _student(who), None, None, None, 20) for who in absent
    ]


def _mistakes(exercise: Exercise) -> list[tuple[Mistake, float]]:
    wrong_answers = reference.mistakes(exercise.name, exercise.symbol)
    return [
        (Mistake(name, line(wrong_answer.__doc__), line(wrong_answer.__doc__, "fr")), (i * 7 % 10) / 10)
        for i, (name, wrong_answer) in enumerate(wrong_answers.items())
    ]


def _result(
    number: int,
    exercises: tuple[Exercise, ...],
    known_mistakes: dict[str, list[tuple[Mistake, float]]],
    random_: random.Random,
) -> Result:
    ended = [_exercise(exercise, known_mistakes[exercise.name], random_) for exercise in exercises]
    copied = number % 50 == 49
    who = f"student-{number:04}"
    info = sample.SubmissionInfo(who, ("rendu.ipynb",), f"{number - copied:064x}")
    seconds = round(random_.lognormvariate(0.5, 0.6), 2)
    points = round(sum(e.points for e in ended), 2)
    return sample.result(*ended, id=who, submission=info, points=points, seconds=seconds, remarks=())


def _exercise(
    exercise: Exercise, known_mistakes: list[tuple[Mistake, float]], random_: random.Random
) -> ExerciseResult:
    end = random_.choices(list(ENDS), list(ENDS.values()))[0]
    # A few mistakes are made by many.
    mistake, spared = (
        known_mistakes[int(random_.random() ** 3 * len(known_mistakes))] if end == "known" else (None, 0.5)
    )
    findings = []
    for i, check in enumerate(exercise.checks if end is not Outcome.NOT_ATTEMPTED else ()):
        if end == "right" or (mistake and i % 10 / 10 < spared):
            outcome = Outcome.PASSED
        elif isinstance(end, Outcome):
            outcome = end
        else:
            outcome = Outcome.FAILED if mistake or random_.random() < 0.5 else Outcome.PASSED
        findings.append(_finding(check.name, line(check.says), outcome, mistake))
    worst = next((f.outcome for f in findings if f.outcome is not Outcome.PASSED), Outcome.PASSED)
    share = sum(f.outcome is Outcome.PASSED for f in findings) / max(1, len(findings))
    return ExerciseResult(
        name=exercise.name,
        title=exercise.title,
        outcome=worst if findings else Outcome.NOT_ATTEMPTED,
        points=round(share * exercise.points, 2),
        max_points=exercise.points,
        findings=tuple(findings),
        undecided_points=exercise.points if worst.undecided else 0,
    )


def _finding(name: str, says: str, outcome: Outcome, mistake: Mistake | None) -> Finding:
    return Finding(
        check=name,
        outcome=outcome,
        points=0,
        max_points=0,
        says=says,
        message=MESSAGES.get(outcome),
        mistake=mistake if outcome is Outcome.FAILED else None,
        staff="KeyError: 'W_q'" if outcome is Outcome.BROKEN else None,
    )


def pages(results: Sequence[Result], notes: Sequence[str] = ()) -> dict[str, str]:
    """All pages of the class, by their names."""
    class_pages = class_page.ClassPages(results, notes, marks(results))
    return dict([class_pages.render_index(), *class_pages.render_table()])


def _student(who: str) -> Student:
    number = int(who.rpartition("-")[2])
    first = ("Agathe", "Baptiste", "Camille", "Đặng", "Émile", "Farah", "Gaëlle", "Hugo")[number % 8]
    last = ("Moreau", "Lefèvre", "Roux", "Thị Hoa", "Benali", "Petit", "García", "Martin")[number // 8 % 8]
    return Student(
        who, f"{first} {last} {number // 64 + 1}", f"{who}@example.org", f"group {number % 12 + 1}"
    )


def _mark(result: Result, random_: random.Random) -> Mark:
    who, points = result.submission.id, result.points
    days = random_.choice((1, 2, 3)) if random_.random() < 0.1 else 0
    late = Late(days, min(2.0 * days, points), f"{days} days late") if days else None
    points -= late.lost if late else 0
    given: tuple[Override, ...] = ()
    if random_.random() < 1 / 30:
        given, points = (Override(who, None, 14.5, "seen in person"),), 14.5
    at = DUE + timedelta(days=days) - timedelta(minutes=random_.randrange(1, 1400))
    return Mark(who, _student(who), at, result.points, round(points, 4), 20, given, late)
