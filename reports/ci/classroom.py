"""A result for the autograding reporter of GitHub Classroom: one test for each exercise.

The reporter sums the scores unchecked: a missing score gives NaN, and one above the maximum is not cut. So
each score is a number from 0 to the exercise's points, and a test passes only with all points. Undecided
points are in the maximum but not in the score; such a test is an `error`, whose message the reporter prints.
The whole passes where no points are lost.
"""

import base64
import json
from typing import Any

from graders.language import tr, trn
from graders.results.result import ExerciseResult, Finding, Outcome, Place, Result
from reports import words
from reports.ci.check_text import clamp_points, details, finite_or_zero, has_all_points, place_of, points_lost
from reports.ci.escape import one_line, without_commands
from reports.ci.github import Locate

VERSION = 1
MAX_MESSAGE = 400  # characters
MAX_BYTES = 90_000  # an environment variable, which Linux limits to 128 KiB


def results_json(result: Result, locate: Locate) -> str:
    """The JSON of one runner, in ASCII."""
    tests = [_test(exercise, result, locate) for exercise in result.exercises] or [_empty_test(result)]
    data = {
        "version": VERSION,
        "status": _status(result),
        # Summed in the order in which the reporter sums the scores, so that rounding cannot put their sum
        # above the maximum.
        "max_score": _whole_if_possible(
            sum(clamp_points(e.max_points, e.max_points) for e in result.exercises)
        ),
        "tests": tests,
    }
    text = json.dumps(data, allow_nan=False)
    if len(text) > MAX_BYTES * 3 // 4:
        text = json.dumps(data | {"tests": [test | {"message": ""} for test in tests]}, allow_nan=False)
    return text


def output(result: Result, locate: Locate) -> str:
    """The line for `$GITHUB_OUTPUT`: the reporter reads the step's output `result`, in base64."""
    encoded = base64.b64encode(results_json(result, locate).encode("ascii")).decode("ascii")
    return f"result={encoded}\n"


def _status(result: Result) -> str:
    if not result.exercises or result.softmark_failed:
        return "error"
    return "fail" if any(e.outcome.wrong or points_lost(e) > 0 for e in result.exercises) else "pass"


def _test(exercise: ExerciseResult, result: Result, locate: Locate) -> dict[str, Any]:
    place = place_of(exercise, _worst_finding(exercise))
    spot = locate(place) if place else None
    return {
        "name": without_commands(one_line(exercise.title)),
        "status": _test_status(exercise),
        "score": _whole_if_possible(clamp_points(exercise.points, exercise.max_points)),
        "message": without_commands(one_line(_message(exercise), MAX_MESSAGE)),
        # The reporter prints this command; it contains no text of a student's.
        "test_code": f"softmark check FILE --exercise {one_line(exercise.name)}",
        "line_no": _line(place),
        "filename": spot.file if spot else "",
        "duration": round(finite_or_zero(result.seconds) * 1000),
    }


def _test_status(exercise: ExerciseResult) -> str:
    if has_all_points(exercise):
        return "pass"
    if exercise.outcome is Outcome.BROKEN:
        return "error"
    return "fail" if exercise.outcome.wrong or points_lost(exercise) > 0 else "error"


def _worst_finding(exercise: ExerciseResult) -> Finding | None:
    """The wrong finding that loses most points."""
    wrong = [f for f in exercise.findings if f.outcome.wrong]
    return max(wrong, key=points_lost, default=None)


def _message(exercise: ExerciseResult) -> str:
    parts = [words.outcome_words(exercise.outcome).word]
    if exercise.undecided_points:
        parts.append(
            trn(
                "{n} point still to be decided",
                "{n} points still to be decided",
                finite_or_zero(exercise.undecided_points),
            )
        )
    if exercise.message:
        parts.append(exercise.message)
    if finding := _worst_finding(exercise):
        parts += [finding.says, *details(finding)]
    return "; ".join(parts)


def _line(place: Place | None) -> int:
    # The reporter prints the line without its file, which means nothing for a notebook. 0 hides it.
    return place.line if place and place.cell is None else 0


def _whole_if_possible(value: float) -> float | int:
    return int(value) if value == int(value) else value


def _empty_test(result: Result) -> dict[str, Any]:
    """A test for a result without exercises: the reporter needs at least one."""
    return {
        "name": without_commands(one_line(result.title)),
        "status": "error",
        "score": 0,
        "message": tr("There is no exercise here."),
        "test_code": "softmark check FILE",
        "line_no": 0,
        "filename": "",
        "duration": 0,
    }
