"""What to do next, in a line: the end of every report for a student."""

from collections.abc import Sequence

from graders.language import join_names, tr, trn
from graders.results.result import ExerciseResult, Outcome


def next_step(
    exercises: Sequence[ExerciseResult], undefined: Sequence[str] = (), hand_in: str | None = None
) -> str | None:
    """What to do next: what is wrong by its own fault, then what is unfinished, then what was not attempted.

    Args:
        exercises: what was checked, in the course's order, in which parts come before what is built of them.
        undefined: names of the assignment's exercises that were not checked, since nothing defines them yet.
        hand_in: what to hand in if all of the assignment was checked and passed.

    Returns:
        The sentence; None where nothing is certain, and where the only exercise is the one to mend.
    """
    checked = {exercise.symbol or exercise.name for exercise in exercises}
    unchecked = [s for exercise in exercises for s in exercise.parts_replaced if s not in checked]
    if unchecked:
        return _mend(unchecked[0], unchecked[0], exercises)
    wrong = [exercise for exercise in exercises if exercise.outcome.wrong]
    if wrong:
        first = next((exercise for exercise in wrong if not exercise.fix_first), wrong[0])
        return _mend_first(first, exercises)
    if any(exercise.outcome is Outcome.UNREADABLE for exercise in exercises):
        return None
    unwritten = [exercise for exercise in exercises if exercise.outcome.unwritten]
    if unwritten and len(exercises) > 1:
        return _write(unwritten)
    if undefined:
        return tr("next: {name}, not defined yet", name=undefined[0])
    if hand_in and all(exercise.outcome is Outcome.PASSED for exercise in exercises):
        return tr("next: all of it holds, hand in {file}", file=hand_in)
    return None


def _write(unwritten: Sequence[ExerciseResult]) -> str:
    """Which exercise to write: one that is begun itself, rather than one that waits for another's code."""
    begun = (e for e in unwritten if e.outcome is Outcome.UNFINISHED and e.place)
    first = next(begun, unwritten[0])
    if first.outcome is Outcome.UNFINISHED:
        return tr("next: finish {name}", name=first.name)
    if first.definitions:
        return tr("next: {name}, still as handed out", name=first.name)
    return tr("next: {name}, not defined yet", name=first.name)


def _mend_first(first: ExerciseResult, exercises: Sequence[ExerciseResult]) -> str | None:
    if first.fix_first:  # the part itself was not checked here
        return _mend(first.fix_first[0], first.fix_first[0], exercises)
    return _mend(first.name, first.symbol or first.name, exercises)


def _mend(name: str, symbol: str, exercises: Sequence[ExerciseResult]) -> str | None:
    """Which exercise to mend, and what uses it."""
    users = [e.symbol or e.name for e in exercises if symbol in (*e.fix_first, *e.parts_replaced)]
    if users:
        return trn(
            "next: mend {name}: {users} uses it",
            "next: mend {name}: {users} use it",
            len(users),
            name=name,
            users=join_names(users),
        )
    return tr("next: mend {name}", name=name) if len(exercises) > 1 else None
