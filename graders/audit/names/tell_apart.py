"""By which draw, and how far, each known mistake is told apart from what is nearest to it.

Its neighbours are the reference, the other mistakes of the exercise and of its parts, and its own code with
another constant, size, axis or operator. A pair that no diagnostic draw tells apart is a gap: one would be
named as the other. Nothing is graded for it.
"""

import ast
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from torch import Tensor

from graders.audit.load_exercises import ExercisesToAudit
from graders.audit.names.end_loops import TURN, count_turns, make_turn
from graders.audit.names.fresh_draws import describe_sizes, fresh_draws
from graders.audit.names.mutate import draw_mutation, hides_alike, own_functions
from graders.audit.names.related_sizes import related_sizes
from graders.audit.styles.flatten_mistake import flatten_mistake
from graders.audit.try_each import try_each
from graders.batch import grade_all
from graders.course.exercise import Exercise
from graders.course.reference import mistakes, reference
from graders.diagnosis.by_values import difference, has_nan
from graders.diagnosis.fingerprint import Fingerprint, is_behaviour_trial
from graders.diagnosis.own_answers import OwnAnswers
from graders.diagnosis.part_mistakes import part_mistakes
from graders.diagnosis.possible_mistake import PossibleMistake
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.language import tr
from graders.results.audit_result import NamedExercise, NamedMistake, Near, NearKind

NEAREST = 3  # neighbours of a mistake that are shown
CHANGES = 3  # of a mistake's code
ROUNDING = 1e-9  # a smaller difference tells nothing
NEARLY = 0.01  # of the mistake's own difference from the reference: code as near to it makes that mistake
KINDS = ("axis", "constant", "operator", "size")


@dataclass(frozen=True)
class Known:
    """What a mistake is compared with, on the diagnostic draws and, further on, on fresh ones.

    `of_values` says that values alone are compared, as where a part's mistake is looked for. Code that
    `hides_alike` is the mistake's but for the number that hides.
    """

    kind: NearKind
    name: str
    possible: PossibleMistake
    of_values: bool = False
    hides_alike: bool = False


def tell_apart(loaded: ExercisesToAudit, plan: grade_all.ClassPlan, jobs: int) -> Iterator[NamedExercise]:
    """What tells the known mistakes of each exercise apart; the result of each, as it comes.

    Args:
        loaded: the exercises.
        plan: the draws; its assignment has all exercises.
        jobs: how many processes.
    """
    yield from try_each(loaded, plan, jobs, ask=_compare_in, with_gap=_with_gap)


def _with_gap(name: str, why: str) -> NamedExercise:
    return NamedExercise(name, gaps=(why,))


def _compare_in(grader: Grader) -> NamedExercise:
    [exercise] = grader.assignment.exercises
    return compare_mistakes(exercise, grader.draws)


def compare_mistakes(exercise: Exercise, draws: Draws) -> NamedExercise:
    """Each known mistake of an exercise with its nearest neighbours, and the gaps."""
    diagnostic = draws.diagnostic_draws(exercise)
    if not diagnostic:
        return NamedExercise(exercise.name)
    fresh = fresh_draws(exercise, draws)
    known = _known(exercise, [*diagnostic, *fresh])
    # Mistakes of cost answer as the reference does.
    own = [k for k in known if k.kind is NearKind.MISTAKE and k.name not in exercise.mistakes_of_cost]
    others = [k for k in known if k.name not in exercise.mistakes_of_cost]
    # A part's mistake under which the whole raises everywhere is never found by its values.
    silent = [k for k in others if k.of_values and not _answers(k, len(diagnostic))]
    gaps = related_sizes(diagnostic, fresh)
    compared = []
    for mistake in own:
        neighbours = [k for k in others if k is not mistake and k not in silent]
        neighbours += _changed(exercise, mistake, [*diagnostic, *fresh], draws.seed)
        near = [_compare(mistake, other, known[0], len(diagnostic)) for other in neighbours]
        gaps += [g for n, other in zip(near, neighbours, strict=True) if (g := _gap(mistake, other, n))]
        # The others do the same: a mistake of a part, or a change that changes nothing.
        telling = [n for n in near if n.is_apart or n.differs_elsewhere]
        compared.append(
            NamedMistake(mistake.name, len(near), tuple(sorted(telling, key=_nearness)[:NEAREST]))
        )
    return NamedExercise(exercise.name, tuple(compared), tuple(gaps))


def _known(exercise: Exercise, draws: Sequence[Any]) -> list[Known]:
    """The reference, the mistakes, and those of its parts."""
    right = reference(exercise.name, exercise.symbol)
    answers = OwnAnswers(right, draws)
    make = partial(PossibleMistake, draws=draws, answers=answers)
    found = [Known(NearKind.REFERENCE, exercise.symbol, make(names=(), symbol=right))]
    for name, symbol in mistakes(exercise.name, exercise.symbol).items():
        found.append(Known(NearKind.MISTAKE, name, make(names=(name,), symbol=symbol)))
    if isinstance(right, type) and not is_behaviour_trial(draws[0]):
        for name, part in part_mistakes(right(**draws[0].config)).items():
            possible = make(names=(name,), symbol=right, part=part)
            found.append(Known(NearKind.PART, name, possible, of_values=True))
    return found


def _changed(exercise: Exercise, mistake: Known, draws: Sequence[Any], seed: int) -> Iterator[Known]:
    """The code of a mistake with one small change in a function of its own, a few times."""
    tree = flatten_mistake(exercise.name, exercise.symbol, mistake.name)
    own = own_functions(exercise, mistake.name)
    numbers = random.Random(f"{seed} {mistake.name}")  # noqa: S311 - no secret
    before = ast.unparse(tree)
    for _ in range(CHANGES):
        mutation = draw_mutation(tree, numbers, KINDS, own)
        text = before if mutation is None else ast.unparse(mutation.apply(tree))
        symbol = None if text == before else _load(text, exercise.symbol)
        if mutation is not None and symbol is not None:
            lines = _changed_lines(before, text)
            possible = PossibleMistake((), symbol, draws, OwnAnswers(symbol, draws))
            yield Known(NearKind.CHANGE, lines, possible, hides_alike=hides_alike(tree, mutation))


def _changed_lines(before: str, after: str) -> str:
    old = set(before.splitlines())
    return next((line.strip() for line in after.splitlines() if line not in old), "")


def _load(text: str, symbol: str) -> Any:
    """The symbol of code of our own, which is executed here, and whose loops end; None where it cannot be."""
    names: dict[str, Any] = {"__name__": "answer", TURN: make_turn()}
    try:
        exec(compile(count_turns(text), "answer.py", "exec"), names)  # noqa: S102 - our own code
    except Exception:
        return None
    return names.get(symbol)


def _compare(mistake: Known, other: Known, right: Known, diagnostic: int) -> Near:
    """How far two are apart on the diagnostic draws; where not at all, whether fresh ones tell them apart.

    What is said of changed code is true where it makes the mistake wherever that shows, whatever it gets
    wrong elsewhere; and nearly, as with a constant that is another by a thousandth.
    """
    draws = mistake.possible.draws
    best = Near(other.kind, other.name)
    for number in range(diagnostic):
        near = _on_draw(mistake, other, number)
        if near.far > best.far or (near.fact and not best.fact and not best.far):
            best = replace(near, draw=number + 1, sizes=describe_sizes(draws[number]))
    random_alike = other.kind is NearKind.CHANGE and not mistake.possible.fingerprint(0).settled
    # Code that is random is named for that, whatever else it computes.
    if best.is_apart or random_alike or other.hides_alike:
        return best
    fresh: Sequence[int] = range(diagnostic, len(draws))
    if other.kind is NearKind.CHANGE:  # code may refuse some sizes too, and make the mistake on all others
        fresh = [
            n for n in fresh if _answer_both(mistake, other, n) and not _makes_it(mistake, other, right, n)
        ]
    return replace(best, differs_elsewhere=any(_on_draw(mistake, other, n).is_apart for n in fresh))


def _makes_it(mistake: Known, other: Known, right: Known, number: int) -> bool:
    """Whether code makes the mistake on a draw, but for little beside what the mistake changes there."""
    mine, theirs, due = (known.possible.fingerprint(number) for known in (mistake, other, right))
    if mine.matches(due):
        return True
    if mine.form != theirs.form or not due.values:
        return False
    # As where mistakes are named: code may hide with a number where the mistake gives NaN.
    if has_nan(mine.values, due.values[0]) and not has_nan(theirs.values, due.values[0]):
        return True
    if mine.kept == theirs.kept != due.kept:
        return _apart(theirs.values, due.values) <= _apart(mine.values, due.values)
    return _apart(mine.values, theirs.values) <= NEARLY * _apart(mine.values, due.values)


def _answer_both(mistake: Known, other: Known, number: int) -> bool:
    return all(known.possible.fingerprint(number).values for known in (mistake, other))


def _on_draw(mistake: Known, other: Known, number: int) -> Near:
    near = Near(other.kind, other.name)
    if mistake.of_values or other.of_values:
        return _with_far(near, _far(mistake.possible, other.possible, number))
    mine, theirs = mistake.possible.fingerprint(number), other.possible.fingerprint(number)
    if fact := _fact(mine, theirs):
        return replace(near, fact=fact)
    if mine.matches(theirs):
        return near
    far = _apart(mine.values, theirs.values) if mine.values and theirs.values else 0.0
    return _with_far(near, far) if far > 0 else replace(near, fact=tr("the gradients"))


def _with_far(near: Near, far: float) -> Near:
    return replace(near, far=far) if math.isfinite(far) else replace(near, fact=tr("the shape of the values"))


def _answers(known: Known, draws: int) -> bool:
    return any(known.possible.values(number, frozenset()) for number in range(draws))


def _far(mine: PossibleMistake, theirs: PossibleMistake, number: int) -> float:
    return _apart(mine.values(number, frozenset()), theirs.values(number, frozenset()))


def _apart(mine: Sequence[Tensor], theirs: Sequence[Tensor]) -> float:
    """The largest difference of any value, as a share of the largest; 0 below what rounding explains."""
    if not mine and not theirs:
        return 0.0
    if [m.shape for m in mine] != [t.shape for t in theirs]:
        return math.inf
    pairs = zip(mine, theirs, strict=True)
    largest = max(difference([m], [t], t) for m, t in pairs)
    return largest if largest > ROUNDING else 0.0


def _fact(mine: Fingerprint, theirs: Fingerprint) -> str:
    """What tells two apart beside values; nothing where they agree in all facts."""
    facts = (
        (mine.stopped != theirs.stopped, tr("one raises, the other does not or elsewhere")),
        (mine.shapes != theirs.shapes, tr("the parameters")),
        (mine.form != theirs.form, tr("the form of the answer")),
        (mine.kept != theirs.kept, tr("what becomes of the arguments")),
        (mine.settled != theirs.settled, tr("whether a second call gives the same")),
        (mine.drops != theirs.drops, tr("the dropout")),
    )
    return next((text for differs, text in facts if differs), "")


def _gap(mistake: Known, other: Known, near: Near) -> str | None:
    """Why a pair is a gap; None where it is none.

    A mistake of a part may do what one of the whole does, or have its words, and a change nothing at all.
    """
    part = other.possible.part
    if part is not None and part.__doc__ == mistake.possible.symbol.__doc__:
        return None
    if near.is_apart or (other.kind in (NearKind.PART, NearKind.CHANGE) and not near.differs_elsewhere):
        return None
    return tr(
        "no draw tells {mistake} from {other}: add one to diagnostic_draws on which they differ",
        mistake=mistake.name,
        other=other.name,
    )


def _nearness(near: Near) -> tuple[bool, bool, float]:
    return near.is_apart, bool(near.fact), near.far
