"""JUnit XML: a suite for each exercise of each submission, a case for each check.

Some programs show the message of a failure and others its text, so both have the main sentence.
"""

import io
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO
from xml.etree import ElementTree

from graders.classroom.marks import Mark
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from reports import words
from reports.gradebook.cell_text import rounded_number
from reports.gradebook.gradescope import sentences

# Characters that XML 1.0 cannot contain, not even as numeric references.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COUNTS = ("tests", "failures", "errors", "skipped")
_TAGS = {Outcome.BROKEN: "error", Outcome.UNREADABLE: "error", Outcome.SKIPPED: "skipped"}


@dataclass(frozen=True)
class Suites:
    """The suites of one submission: their text, and how many cases they have of each kind."""

    text: bytes
    counts: dict[str, int]


def suites_of(result: Result, mark: Mark) -> Suites:
    """The suites of one submission, in the language of its result."""
    counts, texts = Counter[str](), []
    with words.in_its_language(result):
        for exercise in result.exercises:
            suite = _suite(result, mark, exercise)
            counts.update({name: int(suite.get(name, "0")) for name in _COUNTS})
            ElementTree.indent(suite, " ", level=1)
            texts.append(f"\n {ElementTree.tostring(suite, encoding='unicode')}")
    return Suites("".join(texts).encode(), dict(counts))


def junit_xml(graded: Iterable[tuple[Result, Mark]]) -> str:
    """The text of a whole file."""
    file = io.BytesIO()
    write_junit(file, (suites_of(result, mark) for result, mark in graded))
    return file.getvalue().decode()


def write_junit(file: BinaryIO, all_suites: Iterable[Suites]) -> None:
    """Write a file: one submission at a time, since those of a large class would not fit in memory."""
    counts = Counter[str]()
    # The counts of all stand before the first, so the rest waits on the disk.
    with tempfile.TemporaryFile() as texts:
        for suites in all_suites:
            counts.update(suites.counts)
            texts.write(suites.text)
        root = ElementTree.Element("testsuites", name="softmark")
        for name in _COUNTS:
            root.set(name, str(counts[name]))
        root.text = "\n"
        begin, _, end = ElementTree.tostring(root, encoding="unicode").partition("\n")
        file.write(f'<?xml version="1.0" encoding="utf-8"?>\n{begin}'.encode())
        texts.seek(0)
        shutil.copyfileobj(texts, file)
        file.write(f"\n{end}\n".encode())


def _suite(result: Result, mark: Mark, exercise: ExerciseResult) -> ElementTree.Element:
    submission = result.submission.id
    suite = ElementTree.Element(
        "testsuite", name=_text(words.about(submission, exercise.title)), timestamp=_text(result.graded_at)
    )
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in _properties(mark, exercise):
        ElementTree.SubElement(properties, "property", name=name, value=_text(value))
    place = f"{submission}.{exercise.name}"
    for finding in exercise.findings:
        suite.append(_case(place, finding.says, finding.outcome, list(sentences(finding)), finding))
    if not exercise.findings:
        lines = exercise.message or words.exercise_word(exercise)
        suite.append(_case(place, exercise.title, exercise.outcome, [lines]))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    return suite


def _properties(mark: Mark, exercise: ExerciseResult) -> Iterator[tuple[str, str]]:
    override = mark.override(exercise.name)
    yield "points", str(rounded_number(override.points if override else exercise.points))
    yield "max_points", str(rounded_number(exercise.max_points))
    yield "submission_points", str(rounded_number(mark.points))


def _case(
    place: str, name: str, outcome: Outcome, lines: list[str], finding: Finding | None = None
) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname=_text(place), name=_text(name))
    if outcome is not Outcome.PASSED:
        problem = ElementTree.SubElement(case, _TAGS.get(outcome, "failure"))
        problem.set("type", str(outcome))
        problem.set("message", _text(words.cut_text(lines[min(1, len(lines) - 1)])))
        problem.text = _text(words.cut_text("\n".join(lines)))
    if finding and finding.output:
        ElementTree.SubElement(case, "system-out").text = _text(finding.output)
    return case


def _text(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)
