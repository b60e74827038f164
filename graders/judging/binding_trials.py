"""The draws on which ways to bind a constructor's arguments are tried."""

from collections.abc import Iterator

from graders.candidate.find_binding import BindingTrial, in_single_precision, trial_of
from graders.check_api.strategies.module_inputs import Given
from graders.course.exercise import Exercise
from graders.judging.draws import Draws


def binding_trials(exercise: Exercise, draws: Draws) -> Iterator[BindingTrial]:
    """A draw whose sizes differ, the same in float32, then one at usual sizes, for code that takes no others.

    None without draws.

    Where the architecture is free, it is one of a check's: then the code has to run, and no more is known.
    """
    answers = draws.mapping_draws(exercise)
    if answers:
        yield (free := trial_of(answers[0]))
        yield in_single_precision(free)
        yield from _at_usual_sizes(exercise, draws)
        return
    check = exercise.value_checks[0]
    examples = draws.for_check(exercise, check) if draws.decidable(exercise, check) else []
    given = [example.draw for example in examples if isinstance(example.draw, Given)]
    given.sort(key=lambda draw: -len(set(draw.config.values())))
    yield from (BindingTrial(dict(draw.config), draw.arguments, draw.dtype) for draw in given[:1])


def _at_usual_sizes(exercise: Exercise, draws: Draws) -> Iterator[BindingTrial]:
    if sizes := [size for size in exercise.options.sizes if size.is_usual]:
        usual = draws.at_usual_sizes(sizes).mapping_draws(exercise.at_usual_sizes(sizes))
        yield from (trial_of(answer) for answer in usual[:1])
