"""A result as GitHub Classroom's autograding reporter reads it: one test for each exercise.

The reporter adds up the tests' scores as they stand and sets them beside the maximum: a score that is missing
gives NaN, and too high a one is not cut. So each is a number from 0 to the exercise's points. A test passes
only with all of them. Points still to be decided are in the maximum and not in the score, and such a test is
an `error`, whose message the reporter prints; the whole passes where nothing is lost.
"""

import base64
import json
from typing import Any

from graders.language import tr, trn
from graders.results.result import ExerciseResult, Finding, Outcome, Place, Result
from reports import words
from reports.ci.check_text import details, finite, full, lost, place_of, within
from reports.ci.escape import line, unheard
from reports.ci.github import Locate

VERSION = 1
MESSAGE = 400  # characters
LIMIT = 90_000  # bytes; it becomes an environment variable, and Linux takes no longer one than 128 KiB


def results_json(result: Result, locate: Locate) -> str:
    """The JSON of one runner, in ASCII."""
    tests = [_test(exercise, result, locate) for exercise in result.exercises] or [_nothing(result)]
    data = {
        "version": VERSION,
        "status": _status(result),
        # Added up as the reporter adds up the scores, none of which is above its own: no rounding makes
        # their sum larger than this one.
        "max_score": _plain(sum(within(e.max_points, e.max_points) for e in result.exercises)),
        "tests": tests,
    }
    text = json.dumps(data, allow_nan=False)
    if len(text) > LIMIT * 3 // 4:
        text = json.dumps(data | {"tests": [test | {"message": ""} for test in tests]}, allow_nan=False)
    return text


def output(result: Result, locate: Locate) -> str:
    """The line for `$GITHUB_OUTPUT`: the reporter reads the step's output `result`, in base 64."""
    encoded = base64.b64encode(results_json(result, locate).encode("ascii")).decode("ascii")
    return f"result={encoded}\n"


def _status(result: Result) -> str:
    if not result.exercises or any(e.outcome is Outcome.BROKEN for e in result.exercises):
        return "error"
    return "fail" if any(e.outcome.wrong or lost(e) > 0 for e in result.exercises) else "pass"


def _test(exercise: ExerciseResult, result: Result, locate: Locate) -> dict[str, Any]:
    place = place_of(exercise, _first(exercise))
    spot = locate(place) if place else None
    return {
        "name": unheard(line(exercise.title)),
        "status": _state(exercise),
        "score": _plain(within(exercise.points, exercise.max_points)),
        "message": unheard(line(_says(exercise), MESSAGE)),
        # The reporter prints it: how to see all of it oneself, and nothing that a student wrote.
        "test_code": f"softmark check FILE --exercise {line(exercise.name)}",
        "line_no": _line(place),
        "filename": spot.file if spot else "",
        "duration": round(finite(result.seconds) * 1000),
    }


def _state(exercise: ExerciseResult) -> str:
    if full(exercise):
        return "pass"
    if exercise.outcome is Outcome.BROKEN:
        return "error"
    return "fail" if exercise.outcome.wrong or lost(exercise) > 0 else "error"


def _first(exercise: ExerciseResult) -> Finding | None:
    """The dearest of what is wrong."""
    wrong = [f for f in exercise.findings if f.outcome.wrong]
    return max(wrong, key=lost, default=None)


def _says(exercise: ExerciseResult) -> str:
    parts = [words.outcome_words(exercise.outcome).word]
    if exercise.undecided_points:
        parts.append(
            trn(
                "{n} point still to be decided",
                "{n} points still to be decided",
                finite(exercise.undecided_points),
            )
        )
    if exercise.message:
        parts.append(exercise.message)
    if finding := _first(exercise):
        parts += [finding.says, *details(finding)]
    return "; ".join(parts)


def _line(place: Place | None) -> int:
    # The reporter prints the line without its file: of a notebook it would say nothing. 0 hides it.
    return place.line if place and place.cell is None else 0


def _plain(value: float) -> float | int:
    return int(value) if value == int(value) else value


def _nothing(result: Result) -> dict[str, Any]:
    """The reporter cannot do without a test."""
    return {
        "name": unheard(line(result.title)),
        "status": "error",
        "score": 0,
        "message": tr("There is no exercise here."),
        "test_code": "softmark check FILE",
        "line_no": 0,
        "filename": "",
        "duration": 0,
    }
