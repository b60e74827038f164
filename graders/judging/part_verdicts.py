"""Which parts of a whole are wrong: as their results say, or found out where a whole fails.

What is wrong in a part costs its points in the part's own exercise and nowhere else. So it must be known
whichever exercises were asked for; a whole that passes needs no verdict on its parts.
"""

from collections.abc import Callable, Collection, Sequence

from graders.course.exercise import Exercise
from graders.results.result import ExerciseResult


class PartVerdicts:
    """Which of one submission's exercises are wrong.

    Args:
        exercises: all of the assignment, parts before the wholes that are built of them.
        judge: finds out whether the code of an exercise is wrong; asked once for each, if at all.
        known: whether it is wrong, by the symbols of exercises; what is found out is added.
    """

    def __init__(
        self,
        exercises: Sequence[Exercise],
        judge: Callable[[Exercise], bool],
        known: dict[str, bool] | None = None,
    ) -> None:
        self._exercises = exercises
        self._judge = judge
        self._known = {} if known is None else known

    def learn(self, exercise: Exercise, result: ExerciseResult) -> None:
        """Take the verdict from a result."""
        self._known[exercise.symbol] = is_wrong(exercise, result)

    def wrong_parts(self, whole: Exercise, names: Collection[str]) -> frozenset[str]:
        """The symbols of the wrong parts that a whole is built of.

        Args:
            whole: its exercise.
            names: all that its code binds.
        """
        place = next(n for n, exercise in enumerate(self._exercises) if exercise.name == whole.name)
        for part in self._exercises[:place]:
            if part.symbol in names and part.symbol not in self._known and part.rule is None:
                self._known[part.symbol] = self._judge(part)
        others = {exercise.symbol for exercise in self._exercises[place:]}
        wrong = {symbol for symbol, is_wrong in self._known.items() if is_wrong}
        return frozenset((wrong & {*names}) - others)


def is_wrong(exercise: Exercise, result: ExerciseResult) -> bool:
    """Whether the code of an exercise answers wrongly, raises, or is not there or not finished.

    What it costs does not count, nor whether it imports what it uses: with a right part in its place, a whole
    would answer as before.
    """
    if not result.findings:
        return result.outcome.failed_or_raised or result.outcome.unwritten
    about_answers = {check.name for check in exercise.value_checks}
    return any(f.outcome.failed_or_raised for f in result.findings if f.check in about_answers)
