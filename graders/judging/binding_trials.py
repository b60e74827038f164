"""The draw on which ways to bind a constructor's arguments are tried."""

from graders.candidate.find_binding import BindingTrial, trial_of
from graders.check_api.strategies.module_inputs import Given
from graders.course.exercise import Exercise
from graders.judging.draws import Draws


def binding_trials(exercise: Exercise, draws: Draws) -> list[BindingTrial]:
    """A draw whose sizes differ; [] if there is none.

    Where the architecture is free, it is one of a check's: then the code has to run, and no more is known.
    """
    answers = draws.mapping_draws(exercise)
    if answers:
        return [trial_of(answers[0])]
    check = exercise.value_checks[0]
    examples = draws.for_check(exercise, check) if draws.decidable(exercise, check) else []
    given = [example.draw for example in examples if isinstance(example.draw, Given)]
    given.sort(key=lambda draw: -len(set(draw.config.values())))
    return [BindingTrial(dict(draw.config), draw.arguments, draw.dtype) for draw in given[:1]]
