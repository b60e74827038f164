"""Questions about students' own code as Moodle's question bank imports them: a category for each student.

The format is Moodle XML: <https://docs.moodle.org/en/Moodle_XML_format>.
"""

import html
from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from graders.language import tr
from graders.results.code_questions import Asks, CodeQuestion, StudentQuestions
from reports import code_questions
from reports.case_text import input_lines
from reports.code_questions import with_code

LONGEST = 80  # characters of a question's name


def render(title: str, students: Sequence[StudentQuestions]) -> bytes:
    """The XML file, in the current language.

    Args:
        title: of the assignment: the category around those of the students.
        students: whose questions it has.
    """
    quiz = Xml.Element("quiz")
    for student in students:
        _add_category(quiz, title, student)
        for number, question in enumerate(student.questions, 1):
            _add_question(quiz, f"{student.id} {number}: {question.title}", question)
    Xml.indent(quiz, "")
    data: bytes = Xml.tostring(quiz, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _add_category(quiz: Xml.Element, title: str, student: StudentQuestions) -> None:
    path = "/".join(name.replace("/", "//") for name in ("softmark", title, student.id))
    added = Xml.SubElement(quiz, "question", type="category")
    _text(Xml.SubElement(added, "category"), f"$course$/top/{path}")


def _add_question(quiz: Xml.Element, name: str, question: CodeQuestion) -> None:
    choices = code_questions.choices(question)
    is_text = question.asks is Asks.SHAPE
    kind = "multichoice" if choices else "shortanswer" if is_text else "numerical"
    added = Xml.SubElement(quiz, "question", type=kind)
    _text(Xml.SubElement(added, "name"), name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…")
    _text(Xml.SubElement(added, "questiontext", format="html"), _describe(question))
    _text(Xml.SubElement(added, "generalfeedback", format="html"), "")
    for tag, value in (("defaultgrade", "1"), ("penalty", "0"), ("hidden", "0"), ("idnumber", "")):
        Xml.SubElement(added, tag).text = value
    if choices:
        for tag, value in (("single", "true"), ("shuffleanswers", "true"), ("answernumbering", "abc")):
            Xml.SubElement(added, tag).text = value
        for choice, right in choices:
            _add_answer(added, html.escape(choice), "html", right=right)
    elif is_text:
        Xml.SubElement(added, "usecase").text = "0"
        for written in _ways_to_write(question.answer):
            _add_answer(added, written, "moodle_auto_format", right=True)
    else:
        answer = _add_answer(added, f"{float(question.answer):.10g}", "moodle_auto_format", right=True)
        Xml.SubElement(answer, "tolerance").text = _tolerance(question)
        for tag, value in (("unitgradingtype", "0"), ("unitpenalty", "0.1"), ("showunits", "3")):
            Xml.SubElement(added, tag).text = value


def _add_answer(question: Xml.Element, text: str, form: str, *, right: bool) -> Xml.Element:
    answer = Xml.SubElement(question, "answer", fraction="100" if right else "0", format=form)
    _text(answer, text)
    _text(Xml.SubElement(answer, "feedback", format="html"), "")
    return answer


def _text(parent: Xml.Element, text: str) -> None:
    Xml.SubElement(parent, "text").text = text


def _tolerance(question: CodeQuestion) -> str:
    """A line's number is exact, and so is a count; a value may be rounded to two decimals."""
    return "0" if float(question.answer).is_integer() else "0.005"


def _ways_to_write(shape: str) -> list[str]:
    """A shape as students write it, with spaces and brackets or without; `*` would stand for any text."""
    inside = shape.strip("()").rstrip(",")
    close = inside.replace(" ", "")
    around = ("({})", "[{}]", "{}", "torch.Size([{}])")
    return [way.format(numbers) for way in around for numbers in dict.fromkeys((inside, close))]


def _describe(question: CodeQuestion) -> str:
    """The code with its line numbers, the inputs and the question, as HTML."""
    lines = question.definition.code.rstrip("\n").split("\n")
    width = len(str(question.definition.line + len(lines)))
    numbered = "\n".join(f"{n:{width}} {line}" for n, line in enumerate(lines, question.definition.line))
    given = "\n".join(input_lines(question.case))
    code = tr("Your code:")
    parts = (
        f"<p><strong>{html.escape(question.title)}</strong> {html.escape(code)}</p>",
        f"<pre>{html.escape(numbered)}</pre>",
        f"<p>{with_code(code_questions.describe_call(question))}</p>",
        f"<pre>{html.escape(given)}</pre>",
        f"<p>{with_code(code_questions.ask(question))}</p>",
    )
    return "\n".join(parts)
