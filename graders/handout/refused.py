"""The error that stops the making of a handout."""

from graders.course.exercise import Assignment


class HandoutRefused(Exception):
    """The handout would be wrong or would give a solution away. The text is for the instructor."""


def refuse_faults(assignment: Assignment) -> None:
    """Refuse an assignment that has a broken exercise.

    Raises:
        HandoutRefused: it has one.
    """
    for exercise in assignment.exercises:
        if exercise.fault is not None:
            raise HandoutRefused(exercise.fault)
