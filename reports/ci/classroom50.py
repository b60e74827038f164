"""A result for Classroom 50: `result.json` in its fixed schema, and a release page.

Its scores are whole numbers: ours times 100. Each test also has the exact points under keys of our own, which
the schema allows there.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from graders.language import tr
from graders.results.result import ExerciseResult, Result
from reports import words
from reports.ci.check_text import clamp_points, finite_or_zero, has_all_points, points_lost, total_line
from reports.ci.escape import one_line
from reports.ci.summary import markdown

SCHEMA = "classroom50/result/v1"
SCALE = 100
RELEASE_LIMIT = 100_000  # bytes; GitHub accepts at most 125,000 characters
RESULT, RELEASE, PAGE = "result.json", "release-body.md", "softmark-report.html"
_TAGGED = re.compile(r"^submit/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(frozen=True)
class Identity:
    """The submission, as the runner names it: `submission` is the tag; the last three are URLs."""

    classroom: str
    assignment: str
    assignment_type: str
    owner: str
    submission: str
    commit: str
    release: str
    review: str


def result_json(result: Result, identity: Identity) -> str:
    """The text of `result.json`.

    Raises:
        ValueError: `graded_at` is not a time in UTC.
    """
    if not _TIME.fullmatch(result.graded_at):
        raise ValueError(f"graded_at is not a time in UTC: {result.graded_at!r}")
    data = {
        "schema": SCHEMA,
        "classroom": identity.classroom,
        "assignment": identity.assignment,
        "assignment_type": identity.assignment_type,
        "owner": identity.owner,
        "submission": identity.submission,
        "commit": identity.commit,
        "release": identity.release,
        "review": identity.review,
        "datetime": _submission_time(identity.submission) or result.graded_at,
        "graded_at": result.graded_at,
        "score": _scale_points(result.points, result.max_points),
        "max-score": _scale_points(result.max_points, result.max_points),
        "tests": [_test(exercise) for exercise in result.exercises],
    }
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def release_body(result: Result) -> str:
    """The text of `release-body.md`."""
    pointer = tr("The whole report, with pictures of the smallest cases, is {file} below.", file=PAGE)
    return markdown(result, RELEASE_LIMIT, pointer)


def outputs(result: Result) -> str:
    """The lines for `$GITHUB_OUTPUT`: the status and the points."""
    return f"status={_status(result)}\nsummary={one_line(total_line(result))}\n"


def _status(result: Result) -> str:
    if result.softmark_failed:
        return "error"
    return "failure" if any(points_lost(e) > 0 for e in result.exercises) else "success"


def _test(exercise: ExerciseResult) -> dict[str, Any]:
    return {
        "test-name": one_line(exercise.title),
        "passed": has_all_points(exercise),
        "score": _scale_points(exercise.points, exercise.max_points),
        "max-score": _scale_points(exercise.max_points, exercise.max_points),
        "exercise": exercise.name,
        "points": finite_or_zero(exercise.points),
        "max-points": finite_or_zero(exercise.max_points),
        "undecided-points": finite_or_zero(exercise.undecided_points),
        "outcome": str(exercise.outcome),
        "says": words.exercise_word(exercise),
    }


def _scale_points(points: float, most: float) -> int:
    return round(clamp_points(points, most) * SCALE)


def _submission_time(tag: str) -> str | None:
    """The time of submission in the tag, which does not change when it is graded again."""
    match = _TAGGED.match(tag)
    return f"{match[1]}T{match[2]}:{match[3]}:{match[4]}Z" if match else None
