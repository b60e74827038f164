"""A result as Classroom 50 takes it: `result.json` of a closed schema, and a page for the release.

Its scores are whole numbers: ours times a hundred. The points as they are stand beside them in each test,
where keys of our own are kept.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from graders.language import tr
from graders.results.result import ExerciseResult, Outcome, Result
from reports import words
from reports.ci.check_text import finite, full, lost, total, within
from reports.ci.escape import line
from reports.ci.summary import markdown

SCHEMA = "classroom50/result/v1"
SCALE = 100
RELEASE_LIMIT = 100_000  # bytes; GitHub takes no more than 125 000 characters
RESULT, RELEASE, PAGE = "result.json", "release-body.md", "softmark-report.html"
_TAGGED = re.compile(r"^submit/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(frozen=True)
class Identity:
    """Whose submission it is, as the runner says: `submission` is the tag, the last three are URLs."""

    classroom: str
    assignment: str
    assignment_type: str
    owner: str
    submission: str
    commit: str
    release: str
    review: str


def result_json(result: Result, who: Identity) -> str:
    """The text of `result.json`.

    Raises:
        ValueError: the result does not say in UTC when it was graded.
    """
    if not _TIME.fullmatch(result.graded_at):
        raise ValueError(f"graded_at is no time in UTC: {result.graded_at!r}")
    data = {
        "schema": SCHEMA,
        "classroom": who.classroom,
        "assignment": who.assignment,
        "assignment_type": who.assignment_type,
        "owner": who.owner,
        "submission": who.submission,
        "commit": who.commit,
        "release": who.release,
        "review": who.review,
        "datetime": _handed_in(who.submission) or result.graded_at,
        "graded_at": result.graded_at,
        "score": _scaled(result.points, result.max_points),
        "max-score": _scaled(result.max_points, result.max_points),
        "tests": [_test(exercise) for exercise in result.exercises],
    }
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def release_body(result: Result) -> str:
    """The text of `release-body.md`."""
    says = tr("The whole report, with pictures of the smallest cases, is {file} below.", file=PAGE)
    return markdown(result, RELEASE_LIMIT, says)


def outputs(result: Result) -> str:
    """The lines for `$GITHUB_OUTPUT`: how it went, and the points."""
    return f"status={_status(result)}\nsummary={line(total(result))}\n"


def _status(result: Result) -> str:
    if any(e.outcome is Outcome.BROKEN for e in result.exercises):
        return "error"
    return "failure" if any(lost(e) > 0 for e in result.exercises) else "success"


def _test(exercise: ExerciseResult) -> dict[str, Any]:
    return {
        "test-name": line(exercise.title),
        "passed": full(exercise),
        "score": _scaled(exercise.points, exercise.max_points),
        "max-score": _scaled(exercise.max_points, exercise.max_points),
        "exercise": exercise.name,
        "points": finite(exercise.points),
        "max-points": finite(exercise.max_points),
        "undecided-points": finite(exercise.undecided_points),
        "outcome": str(exercise.outcome),
        "says": words.outcome_words(exercise.outcome).word,
    }


def _scaled(points: float, most: float) -> int:
    return round(within(points, most) * SCALE)


def _handed_in(tag: str) -> str | None:
    """When the tag says that it was handed in: it stays the same however often it is graded."""
    found = _TAGGED.match(tag)
    return f"{found[1]}T{found[2]}:{found[3]}:{found[4]}Z" if found else None
