"""Judge what is known to be right or wrong with an answer key too: students have to read the same."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from graders.answer_key.answer_key import AnswerKey
from graders.audit.try_answer import try_answer, try_in_box
from graders.course.exercise import Exercise
from graders.course.reference import mistakes
from graders.course.right_answers import deviations, right_answers
from graders.grade import Grader
from graders.handout.make_key import make_key
from graders.judging.draws import Draws
from graders.language import tr
from graders.results.audit_result import Kind, Tried
from graders.results.mistakes import join_names


def key_gaps(
    grader: Grader, exercise: Exercise, tried: Sequence[Tried], draws: tuple[int, ...] | None
) -> Iterator[str]:
    """The answers on which the verdict with an answer key is another than with the solutions.

    A key holds no answers for the sizes that some code has of its own: what it leaves undecided in a
    deviation does not count.

    Args:
        grader: of this exercise alone.
        exercise: the exercise.
        tried: its answers, as they were tried with the solutions.
        draws: the numbers of the draws of each check on which answers in the box were tried; None for all.
    """
    seed = grader.draws.seed
    keyed = Draws(seed, tries=0, key=AnswerKey(make_key(grader.assignment, seed)))
    with_key = replace(grader, draws=keyed.only(draws))
    with right_answers(exercise.name) as right:
        files = {(Kind.RIGHT, path.stem): path for path in right}
        files |= {(Kind.DEVIATION, path.stem): path for path in deviations(exercise.name)}
        for one in tried:
            if one.name in exercise.mistakes_of_cost:
                due, keyed_verdict = one, _with_hint(one, exercise, keyed)
            elif one.kind is Kind.MISTAKE:
                due, keyed_verdict = (
                    _try_mistake(exercise, made, one.name) for made in (grader.draws, keyed)
                )
            elif path := files.get((one.kind, one.name)):
                due, keyed_verdict = one, try_in_box(with_key, path)
            else:
                continue
            if not same_verdict(due, keyed_verdict):
                yield tr(
                    "{name}: with an answer key the verdict is another: {found}, not {due}",
                    name=one.name,
                    found=_say(keyed_verdict),
                    due=_say(due),
                )


def _try_mistake(exercise: Exercise, draws: Draws, name: str) -> Tried:
    torch.manual_seed(draws.seed)  # some mistakes draw random numbers
    return try_answer(exercise, draws, Kind.MISTAKE, name, partial(_make, exercise, name))


def _with_hint(costly: Tried, exercise: Exercise, keyed: Draws) -> Tried:
    """A mistake of cost, which answers no question of a key; named as the key's hints name it."""
    known = keyed.known_mistakes(exercise)
    named = known.describe(costly.name).name if known else ""
    return replace(costly, named=((named,),))


def _make(exercise: Exercise, name: str) -> Any:
    return mistakes(exercise.name, exercise.symbol)[name]


def same_verdict(due: Tried, keyed: Tried) -> bool:
    """Whether a verdict with a key is the due one; in a deviation, what is left undecided does not count."""
    left = set(keyed.undecided) if due.kind is Kind.DEVIATION else set()
    failed = [[check for check in tried.failed if check not in left] for tried in (due, keyed)]
    return failed[0] == failed[1] and (str(due.outcome), due.named) == (str(keyed.outcome), keyed.named)


def _say(tried: Tried) -> str:
    named = join_names(tried.named) if tried.named else tr("none")
    return f"{tried.outcome} ({', '.join(tried.failed)}; {named})"
