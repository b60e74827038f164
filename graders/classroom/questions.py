"""Questions of the rubric as exercises of a result: what softmark judges, and what people judge, add up."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graders.classroom.find_student import fold
from graders.classroom.rubric import Question
from graders.language import speaking, tr
from graders.results.result import ExerciseResult, Outcome, Result, Text

if TYPE_CHECKING:  # marks are made of results that have questions
    from graders.classroom.marks import Mark

LONGEST = 12_000  # characters of an answer that is shown


def with_questions(result: Result, questions: Sequence[Question]) -> Result:
    """The result with an exercise for each question, all of whose points are to be decided."""
    judged = tuple(e for e in result.exercises if e.answer is None)
    names = {e.name for e in judged}
    asked = [question for question in questions if question.name not in names]
    if not asked and len(judged) == len(result.exercises):
        return result
    with speaking(result.language):
        answers = find_answers(result.texts, [question.find for question in questions])
        found = dict(zip((question.name for question in questions), answers, strict=True))
        added = tuple(_undecided(question, found[question.name]) for question in asked)
    return _total(result, (*judged, *added))


def with_given_points(result: Result, mark: "Mark") -> Result:
    """The result with the points that people gave to its questions."""
    if mark.whole or not any(e.answer is not None for e in result.exercises):
        return result
    return _total(result, tuple(_given(e, mark) if e.answer is not None else e for e in result.exercises))


def find_answers(texts: Sequence[Text], marks: Sequence[str]) -> list[str]:
    """The answer that begins at the line with each of the marks: empty where it stands nowhere.

    An answer goes on to the next mark, to the next cell of code, or to the end of the file.
    """
    words = [_words(mark) for mark in marks]
    answers: list[list[str]] = [[] for _ in marks]
    here, last = None, Text("", None, "")
    for text in texts:
        follows = text.file == last.file and text.cell is not None and text.cell == (last.cell or 0) + 1
        here, last = here if follows else None, text
        for line in text.text.split("\n"):
            found = _marked(_words(line), words)
            here = here if found is None else found
            if here is not None:
                answers[here].append(line)
        if here is not None:
            answers[here].append("")
    return ["\n".join(lines).strip()[:LONGEST] for lines in answers]


def _words(text: str) -> str:
    """The words of a text between spaces, without case, accents and marks: ` question 1 why `."""
    return " ".join(["", *filter(None, map(fold, re.split(r"[^\w]+", text))), ""])


def _marked(line: str, marks: Sequence[str]) -> int | None:
    """Which mark stands in a line; of several the longest."""
    there = [index for index, mark in enumerate(marks) if mark.strip() and mark in line]
    return max(there, key=lambda index: len(marks[index]), default=None)


def _undecided(question: Question, answer: str) -> ExerciseResult:
    says = tr("Somebody reads this answer and gives the points.")
    if not answer:
        says = tr("No text with {find} was found. Somebody decides the points.", find=repr(question.find))
    return ExerciseResult(
        question.name,
        question.title,
        Outcome.SKIPPED,
        0.0,
        question.points,
        message=says,
        undecided_points=question.points,
        answer=answer,
    )


def _given(question: ExerciseResult, mark: "Mark") -> ExerciseResult:
    override = mark.override(question.name)
    if override is None:
        return question
    whole = override.points >= question.max_points
    return replace(
        question,
        outcome=Outcome.PASSED if whole else Outcome.FAILED,
        points=override.points,
        undecided_points=0.0,
        message=None,
    )


def _total(result: Result, exercises: tuple[ExerciseResult, ...]) -> Result:
    def add(values: Iterator[float]) -> float:
        return round(sum(values), 4)

    return replace(
        result,
        exercises=exercises,
        points=add(e.points for e in exercises),
        max_points=add(e.max_points for e in exercises),
        undecided_points=add(e.undecided_points for e in exercises),
    )
