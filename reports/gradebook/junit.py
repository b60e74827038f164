"""JUnit XML: a suite for each exercise of each submission, a case for each check.

Consumers differ in what they show, so that the essential sentence stands both as a message and as text.
"""

import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from graders.classroom.marks import Mark
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from reports import words
from reports.gradebook.cell_text import number
from reports.gradebook.gradescope import sentences

# XML 1.0 has no way to write these, not even as numbers.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAGS = {Outcome.BROKEN: "error", Outcome.SKIPPED: "skipped"}


def junit_xml(graded: Iterable[tuple[Result, Mark]]) -> str:
    """The file's text."""
    root = ElementTree.Element("testsuites", name="softmark")
    for result, mark in graded:
        with words.in_its_language(result):
            root.extend(_suite(result, mark, exercise) for exercise in result.exercises)
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ElementTree.indent(root, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(result: Result, mark: Mark, exercise: ExerciseResult) -> ElementTree.Element:
    who = result.submission.id
    suite = ElementTree.Element(
        "testsuite", name=_text(words.about(who, exercise.title)), timestamp=_text(result.graded_at)
    )
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in _properties(mark, exercise):
        ElementTree.SubElement(properties, "property", name=name, value=_text(value))
    place = f"{who}.{exercise.name}"
    for finding in exercise.findings:
        suite.append(_case(place, finding.says, finding.outcome, list(sentences(finding)), finding))
    if not exercise.findings:
        says = exercise.message or words.outcome_words(exercise.outcome).word
        suite.append(_case(place, exercise.title, exercise.outcome, [says]))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    return suite


def _properties(mark: Mark, exercise: ExerciseResult) -> Iterator[tuple[str, str]]:
    override = mark.override(exercise.name)
    yield "points", str(number(override.points if override else exercise.points))
    yield "max_points", str(number(exercise.max_points))
    yield "submission_points", str(number(mark.points))


def _case(
    place: str, name: str, outcome: Outcome, says: list[str], finding: Finding | None = None
) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname=_text(place), name=_text(name))
    if outcome is not Outcome.PASSED:
        told = ElementTree.SubElement(case, _TAGS.get(outcome, "failure"))
        told.set("type", str(outcome))
        told.set("message", _text(words.bounded(says[min(1, len(says) - 1)])))
        told.text = _text(words.bounded("\n".join(says)))
    if finding and finding.output:
        ElementTree.SubElement(case, "system-out").text = _text(finding.output)
    return case


def _text(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)
