"""Gradescope's `results.json` for one submission.

Every text has the format "text", so that output of a student's code is never rendered as markup.
"""

import json
import math
from collections.abc import Iterator
from typing import Any

from graders.classroom.marks import Mark
from graders.language import tr
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from reports import case_text, words
from reports.gradebook.cell_text import rounded_number
from reports.gradebook.feedback import feedback


def results_json(result: Result, mark: Mark) -> str:
    """The file's text, in the language of the result: a test for each check, and the final points."""
    with words.in_its_language(result):
        data = _results(result, mark)
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _results(result: Result, mark: Mark) -> dict[str, Any]:
    points = mark.points if mark.points is not None else result.points
    return {
        "score": rounded_number(points),
        "execution_time": rounded_number(result.seconds),
        "output": feedback(mark, result),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "tests": list(_tests(result)),
    }


def _tests(result: Result) -> Iterator[dict[str, Any]]:
    """A test for each check, or for an exercise whose checks could not run."""
    maxima = _MaximaOfCents()
    for place, exercise in enumerate(result.exercises, 1):
        if not exercise.findings:
            output = exercise.message or words.exercise_word(exercise)
            yield _test(f"{place}", exercise.title, exercise, output, maxima.round_next(exercise.max_points))
        for index, finding in enumerate(exercise.findings, 1):
            name, output = words.about(exercise.title, finding.says), "\n".join(sentences(finding))
            most = maxima.round_next(finding.max_points)
            yield _test(f"{place}.{index}", name, finding, output, most)


class _MaximaOfCents:
    """Rounds maxima to cents so that they sum to the rounded sum: each is a difference of rounded sums."""

    def __init__(self) -> None:
        self._exact = self._rounded = 0.0

    def round_next(self, most: float) -> float:
        """The next maximum, in cents."""
        self._exact += most if math.isfinite(most) else 0.0
        before, self._rounded = self._rounded, round(self._exact, 2)
        return round(self._rounded - before, 2)


def _test(place: str, name: str, item: ExerciseResult | Finding, output: str, most: float) -> dict[str, Any]:
    passed = item.outcome is Outcome.PASSED
    is_whole = passed and item.points >= item.max_points  # `most` is rounded in another way
    score = most if is_whole else min(most, item.points)
    # A test with neither a score nor a status is not said to have failed.
    ending = {"score": rounded_number(score), "status": "passed" if passed else "failed"}
    return {
        "number": place,
        "name": name,
        "max_score": rounded_number(most),
        **({} if item.outcome.undecided else ending),
        "output": words.cut_text(output),
        "visibility": "visible",
    }


def sentences(finding: Finding) -> Iterator[str]:
    """The lines of a finding that its student reads."""
    if finding.outcome is not Outcome.PASSED:
        yield words.outcome_words(finding.outcome).word
    given = case_text.input_lines(finding.case) if finding.case else []
    answered = case_text.answer_lines(finding.case) if finding.case else []
    hint = finding.mistake and words.hint(finding.mistake)
    yield from filter(None, (finding.message, *given, *answered, hint))
    yield from words.looks(finding, ())
    if finding.place:
        yield tr("at {place}", place=words.place(finding.place, ()))
