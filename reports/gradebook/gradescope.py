"""Gradescope's `results.json` for one submission.

Every text is declared to be text, so that nothing which a student's code printed is taken for markup.
"""

import json
from collections.abc import Iterator
from typing import Any

from graders.classroom.marks import Mark
from graders.language import tr
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from reports import words
from reports.gradebook.cell_text import number
from reports.gradebook.feedback import feedback


def results_json(result: Result, mark: Mark) -> str:
    """The file's text, in the language of the result: a test for each check, and what counts in the end."""
    with words.in_its_language(result):
        data = _results(result, mark)
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _results(result: Result, mark: Mark) -> dict[str, Any]:
    points = mark.points if mark.points is not None else result.points
    return {
        "score": number(points),
        "execution_time": number(result.seconds),
        "output": feedback(mark, result),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "tests": [test for i, e in enumerate(result.exercises, 1) for test in _tests(i, e)],
    }


def _tests(place: int, exercise: ExerciseResult) -> Iterator[dict[str, Any]]:
    if not exercise.findings:
        says = exercise.message or words.outcome_words(exercise.outcome).word
        yield _test(f"{place}", exercise.title, exercise, says)
    for index, finding in enumerate(exercise.findings, 1):
        name = words.about(exercise.title, finding.says)
        yield _test(f"{place}.{index}", name, finding, "\n".join(sentences(finding)))


def _test(place: str, name: str, what: ExerciseResult | Finding, says: str) -> dict[str, Any]:
    return {
        "number": place,
        "name": name,
        "score": number(what.points),
        "max_score": number(what.max_points),
        "status": "passed" if what.outcome is Outcome.PASSED else "failed",
        "output": words.bounded(says),
        "visibility": "visible",
    }


def sentences(finding: Finding) -> Iterator[str]:
    """What a finding says to its student, line by line."""
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
