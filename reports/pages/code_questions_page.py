"""Questions about one's own code on paper: a sheet for each student; the staff's copy has the answers."""

from collections.abc import Mapping, Sequence
from typing import Any

from graders.results.code_questions import CodeQuestion, StudentQuestions
from reports import code_questions
from reports.case_text import input_lines
from reports.pages import code_listing
from reports.pages.templating import anchor, fill


def render(title: str, students: Sequence[StudentQuestions], *, with_answers: bool) -> str:
    """Render the sheets in the current language.

    Args:
        title: of the assignment.
        students: whose questions are shown, one after the other.
        with_answers: for the staff alone.
    """
    sheets = [
        (student, anchor(student.id), [_values(question, with_answers) for question in student.questions])
        for student in students
    ]
    return fill("code_questions.html.j2", title=title, sheets=sheets, with_answers=with_answers)


def _values(question: CodeQuestion, with_answers: bool) -> Mapping[str, Any]:
    return {
        "title": question.title,
        "code": code_listing.list_definition(question.definition).html,
        "call": code_questions.with_code(code_questions.describe_call(question)),
        "given": input_lines(question.case),
        "asked": code_questions.with_code(code_questions.ask(question)),
        "choices": code_questions.choices(question),
        "answer": code_questions.shown_answer(question) if with_answers else None,
    }
