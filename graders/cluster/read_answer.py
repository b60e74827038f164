"""Read what a worker has answered: nothing in it is believed before it is checked."""

from dataclasses import replace

from graders.batch.grade_all import ClassPlan, KeptResult, keep
from graders.classroom.intake.download import Entry
from graders.cluster.message import unpack
from graders.cluster.statuses import FAILED, GRADED
from graders.language import current_language, tr
from graders.results.result import Result, from_json
from graders.safe_text import safe_text

MOST_BYTES = 32_000_000  # a result has 30 to 100 KB


class BadAnswer(Exception):
    """No answer that an honest worker gives. Text for whoever started the run."""


class NotGraded(Exception):
    """The worker could not grade it. Text for staff."""


def receive(plan: ClassPlan, answered: tuple[Entry, bytes]) -> KeptResult | BadAnswer | NotGraded:
    """Read an answer and keep its result, which is returned."""
    entry, answer = answered
    try:
        result = read_answer(plan, entry, answer)
    except (BadAnswer, NotGraded) as problem:
        return problem
    return keep(entry, result, plan)


def read_answer(plan: ClassPlan, entry: Entry, answer: bytes) -> Result:
    """The result in an answer.

    Raises:
        BadAnswer: it holds no result of this submission in this run.
        NotGraded: the worker says that it could not grade.
    """
    if len(answer) > MOST_BYTES:
        raise BadAnswer(tr("its answer is no bytes, or too many"))
    try:
        header, body = unpack(answer)
        if header.get("status") == FAILED:
            raise NotGraded(safe_text(str(header.get("why")), limit=2000))
        if header.get("status") != GRADED:
            raise BadAnswer(tr("its answer holds no result"))
        result = from_json(body.decode())
    except (ValueError, RecursionError, MemoryError) as error:
        raise BadAnswer(tr("its answer holds no result")) from error
    _require(plan, entry, result)
    return replace(result, machine=safe_text(result.machine, limit=200).replace("\n", " "))


def _require(plan: ClassPlan, entry: Entry, result: Result) -> None:
    if result.submission.id != entry.id:
        raise BadAnswer(tr("its answer is about {id}", id=repr(safe_text(result.submission.id, limit=100))))
    exercises = [(exercise.name, exercise.points) for exercise in plan.assignment.exercises]
    own_exercises = [(exercise.name, exercise.max_points) for exercise in result.exercises]
    run = (plan.assignment.name, plan.draws.seed, plan.level, plan.device, current_language())
    theirs = (result.assignment, result.seed, result.sandbox, result.device, result.language)
    if own_exercises != exercises or run != theirs:
        raise BadAnswer(tr("its answer is about another run"))
    if not all(0 <= exercise.points <= exercise.max_points for exercise in result.exercises):
        raise BadAnswer(tr("its answer gives impossible points"))
    if result.points > result.max_points:
        raise BadAnswer(tr("its answer gives impossible points"))
