"""The error that stops the making of a handout."""

from graders.course.exercise import Assignment
from graders.language import tr
from graders.locations import SOLUTIONS_VARIABLE, course


class HandoutRefused(Exception):
    """The handout would be wrong or would give a solution away. The text is for the instructor."""


def refuse_faults(assignment: Assignment) -> None:
    """Refuse an assignment that has a broken exercise, or one whose solution is not here.

    Raises:
        HandoutRefused: it has one.
    """
    for exercise in assignment.exercises:
        if exercise.fault is not None:
            raise HandoutRefused(exercise.fault)
        if exercise.rule is None and not course().solution_files(exercise.name):
            message = tr(
                "{exercise} has no solution here: {name} names the folder of softmark's, and so does "
                "solutions in [course]",
                exercise=exercise.name,
                name=SOLUTIONS_VARIABLE,
            )
            raise HandoutRefused(message)
