"""Known answers in other styles, graded as a student's: the verdict must stay.

The verdict is the outcome, the points of each check, and the mistakes that are named. A style may say which
checks its code loses; then these alone may change.
"""

import random
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from graders.audit.load_exercises import ExercisesToAudit
from graders.audit.styles.answer_code import AnswerCode
from graders.audit.styles.compose import Composition, compose, make_smaller
from graders.audit.styles.known_answers import known_answers
from graders.audit.try_each import try_each
from graders.batch import grade_all
from graders.course.exercise import Exercise
from graders.course.reference import names_as_hand_ins
from graders.grade import Grader
from graders.language import number, tr
from graders.results.audit_result import Kind, StyledAnswer, StyledExercise
from graders.results.result import ExerciseResult

ROUNDING = 1e-6  # points
SHOWN = 3  # checks in a sentence


@dataclass(frozen=True)
class Verdict:
    """What softmark says of an answer: the outcome, the points of each check, and the names of mistakes.

    Points are None where they are undecided; `named` has the checks by which each mistake is named.
    """

    outcome: str
    points: dict[str, float | None] = field(default_factory=dict)
    named: Mapping[str, frozenset[str]] = field(default_factory=dict)


def try_styles(
    loaded: ExercisesToAudit, plan: grade_all.ClassPlan, jobs: int, count: int
) -> Iterator[StyledExercise]:
    """Try so many compositions of styles on each exercise; the result of each exercise, as it comes.

    Args:
        loaded: the exercises.
        plan: the draws, whose seed draws the compositions too, and the box; its assignment has all exercises.
        jobs: how many processes.
        count: how many compositions for each exercise; with 0, each known mistake is handed in as it is.
    """
    yield from try_each(loaded, plan, jobs, ask=partial(_try_exercise, count=count), with_gap=_with_gap)


def _with_gap(name: str, why: str) -> StyledExercise:
    return StyledExercise(name, 0, {}, (), (why,))


def _try_exercise(grader: Grader, count: int) -> StyledExercise:
    [exercise] = grader.assignment.exercises
    trial = StyleTrial(grader, exercise)
    return trial.run(count) if count else trial.hand_in_mistakes()


class StyleTrial:
    """The compositions of one exercise, with the verdicts on the answers as they were."""

    def __init__(self, grader: Grader, exercise: Exercise) -> None:
        self._grader, self._exercise = grader, exercise
        self._answers = [
            (kind, name, AnswerCode(exercise, tree, is_right=kind is Kind.RIGHT))
            for kind, name, tree in known_answers(exercise)
        ]
        self._verdicts: dict[str, Verdict] = {}
        self._due = names_as_hand_ins(exercise.name, exercise.symbol)

    def hand_in_mistakes(self) -> StyledExercise:
        """Grade each known mistake as a student's, in no other style: its name is due, or those declared."""
        mistakes = [(name, code) for kind, name, code in self._answers if kind is Kind.MISTAKE]
        found = [self._misnamed(name, self._verdict_before(name, code)) for name, code in mistakes]
        return StyledExercise(
            name=self._exercise.name,
            compositions=0,
            tried={},
            changed=(),
            gaps=tuple(filter(None, found)),
            handed_in=len(mistakes),
        )

    def run(self, count: int) -> StyledExercise:
        """Try so many compositions; those that change a verdict, each made as small as can be."""
        seed = f"{self._grader.draws.seed} {self._exercise.name}"
        numbers = random.Random(seed)  # noqa: S311 - no secret
        tried: Counter[str] = Counter()
        changed: dict[tuple[str, ...], StyledAnswer] = {}
        gaps: dict[str, str] = {}
        for _ in range(count):
            kind, name, code = numbers.choice(self._answers)
            composition = compose(code, numbers)
            tried.update(composition.styles)
            before = self._verdict_before(name, code)
            if kind is Kind.MISTAKE and (gap := self._misnamed(name, before)):
                gaps[name] = gap
            if self.change(before, composition) is None:
                continue
            smaller = make_smaller(composition, lambda c, b=before: self.change(b, c) is not None)  # type: ignore[misc]
            styled = self._describe(kind, name, smaller, self.change(before, smaller) or "")
            changed.setdefault((*smaller.styles, styled.change[:40]), styled)
        return StyledExercise(
            self._exercise.name, count, dict(tried), tuple(changed.values()), tuple(gaps.values())
        )

    def change(self, before: Verdict, composition: Composition) -> str | None:
        """What changes in the verdict beyond what the styles may cost; None where nothing does."""
        code = composition.rewritten
        assert code is not None
        return describe_change(before, self._grade(code), composition.loses)

    def _misnamed(self, name: str, before: Verdict) -> str | None:
        due = self._due.get(name, frozenset({name}))
        return describe_naming(name, before, self._exercise.mistakes_of_cost, due)

    def _verdict_before(self, name: str, code: AnswerCode) -> Verdict:
        if name not in self._verdicts:
            self._verdicts[name] = self._grade(code)
        return self._verdicts[name]

    def _grade(self, code: AnswerCode) -> Verdict:
        with tempfile.TemporaryDirectory() as folder:
            for path, text in code.texts().items():
                (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / path).write_text(text, encoding="utf-8")
            [result] = self._grader.grade(Path(folder), "answer").exercises
        points = {f.check: None if f.outcome.undecided else f.points for f in result.findings}
        return Verdict(str(result.outcome), points, _checks_by_mistake(result))

    def _describe(self, kind: Kind, name: str, composition: Composition, change: str) -> StyledAnswer:
        code = composition.rewritten
        assert code is not None
        return StyledAnswer(
            exercise=self._exercise.name,
            kind=kind,
            name=name,
            styles=tuple(f"{step.style.name}:{step.number}" for step in composition.steps),
            change=change,
            files=code.texts(),
        )


def describe_naming(
    name: str, verdict: Verdict, of_cost: Collection[str] = (), due: Collection[str] | None = None
) -> str | None:
    """What is wrong with the names that a known mistake gets as a hand-in; None where nothing is.

    The audit knows which mistake it tries. Here nothing does, as with a student's. One that answers wrongly
    may cost too much as well (`of_cost`), and has both names then. `due` are its names, where these are
    not its own alone.
    """
    named = ", ".join(sorted(verdict.named)) or "-"
    if verdict.named.keys() - {*of_cost} == {*({name} if due is None else due)}:
        return None
    return tr("{name} as a hand-in is named: {named}", name=name, named=named)


def describe_change(before: Verdict, after: Verdict, loses: Collection[str]) -> str | None:
    """What changes in a verdict; None where nothing does, or only checks in `loses` fail in addition."""
    if not after.points and before.points:
        return tr("outcome {before} -> {after}", before=before.outcome, after=after.outcome)
    changed = {
        check: (points, after.points.get(check, 0.0))
        for check, points in before.points.items()
        if not _alike(points, after.points.get(check, 0.0)) and not (check in loses and points)
    }
    if changed:
        parts = [f"{check} {_show(old)} -> {_show(new)}" for check, (old, new) in changed.items()]
        whole = number(sum((new or 0) - (old or 0) for old, new in changed.values()), ".3g")
        return tr("points ({whole}): {changes}", whole=whole, changes=", ".join(parts[:SHOWN]))
    if not loses and before.outcome != after.outcome:
        return tr("outcome {before} -> {after}", before=before.outcome, after=after.outcome)
    # A mistake that is named by checks which are lost goes with them: a size is ignored, or left out.
    gone = {
        name for name, checks in before.named.items() if name not in after.named and not checks <= {*loses}
    }
    if gone or (after.named.keys() - before.named.keys() and not loses):
        old, new = (", ".join(sorted(named)) or "-" for named in (before.named, after.named))
        return tr("named mistakes: {before} -> {after}", before=old, after=new)
    return None


def _checks_by_mistake(result: ExerciseResult) -> dict[str, frozenset[str]]:
    """The checks by which each mistake is named."""
    checks: dict[str, frozenset[str]] = {}
    for finding in result.findings:
        for mistake in (mistake for several in finding.mistakes for mistake in several):
            checks[mistake.name] = checks.get(mistake.name, frozenset()) | {finding.check}
    return checks


def _alike(first: float | None, second: float | None) -> bool:
    """Whether points are the same; those that are undecided are like themselves alone."""
    return first is second if first is None or second is None else abs(first - second) <= ROUNDING


def _show(points: float | None) -> str:
    return tr("undecided") if points is None else number(points, ".3g")
