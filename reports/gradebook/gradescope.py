"""Gradescope's `results.json` for one submission.

Every text has the format "text", so that output of a student's code is never rendered as markup.
"""

import json
from collections.abc import Iterator
from typing import Any

from graders.classroom.marks import Mark
from graders.language import tr
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from reports import words
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
        "tests": [test for i, e in enumerate(result.exercises, 1) for test in _tests(i, e)],
    }


def _tests(place: int, exercise: ExerciseResult) -> Iterator[dict[str, Any]]:
    if not exercise.findings:
        output = exercise.message or words.outcome_words(exercise.outcome).word
        yield _test(f"{place}", exercise.title, exercise, output)
    for index, finding in enumerate(exercise.findings, 1):
        name = words.about(exercise.title, finding.says)
        yield _test(f"{place}.{index}", name, finding, "\n".join(sentences(finding)))


def _test(place: str, name: str, item: ExerciseResult | Finding, output: str) -> dict[str, Any]:
    return {
        "number": place,
        "name": name,
        "score": rounded_number(item.points),
        "max_score": rounded_number(item.max_points),
        "status": "passed" if item.outcome is Outcome.PASSED else "failed",
        "output": words.cut_text(output),
        "visibility": "visible",
    }


def sentences(finding: Finding) -> Iterator[str]:
    """The lines of a finding that its student reads."""
    if finding.outcome is not Outcome.PASSED:
        yield words.outcome_words(finding.outcome).word
    for text in (
        finding.message,
        finding.case and finding.case.text,
        finding.mistake and words.hint(finding.mistake),
    ):
        if text:
            yield text
    if finding.place:
        yield tr("at {place}", place=words.place(finding.place, ()))
