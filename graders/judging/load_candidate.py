"""Load a candidate; where that fails, the exercise has a result without checks."""

from functools import partial

from graders.candidate.remote_candidate import RemoteCandidate
from graders.course.exercise import Exercise
from graders.judging import score
from graders.judging.binding_trials import binding_trials
from graders.judging.draws import Draws
from graders.language import tr
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.process_lost import ProcessLost


def load_candidate(exercise: Exercise, candidate: RemoteCandidate, draws: Draws) -> ExerciseResult | None:
    """Load a candidate of an exercise; the exercise's result where the checks cannot be tried."""
    definitions = candidate.source.definitions
    try:
        candidate.load()
    except ProcessLost as lost:
        message = candidate.errors.with_place(lost)
        return score.unjudged_result(exercise, lost.outcome, message, definitions, limit=lost.limit)
    except BoxBroken as broken:
        return score.unjudged_result(exercise, Outcome.BROKEN, tr(score.OURS), definitions, str(broken))
    if candidate.problem:
        limit = candidate.problem_limit
        return score.unjudged_result(exercise, Outcome.RAISED, candidate.problem, definitions, limit=limit)
    candidate.contract, candidate.defaults = exercise.signatures, exercise.defaults
    candidate.binding_trials = partial(binding_trials, exercise, draws)
    return None
