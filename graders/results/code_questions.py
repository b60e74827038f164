"""Questions about a student's own code, with the answers that running it gave: frozen data for reports."""

from dataclasses import dataclass
from enum import StrEnum

from graders.results.case import Case
from graders.results.result import Definition


class Asks(StrEnum):
    """What a question asks for."""

    SHAPE = "shape"  # of a variable, after a line
    LINE = "line"  # the first that gives a variable a shape
    VALUE = "value"  # of one entry of a variable, after a line
    RETURNED = "returned"  # the number that the call returns
    TRUE = "true"  # how many entries of the returned mask are True
    EDIT = "edit"  # what happens if a line is another


class Effect(StrEnum):
    """What an edit of a line does to the answer of a call."""

    ERROR = "error"
    SHAPE = "shape"
    VALUES = "values"
    NOTHING = "nothing"


@dataclass(frozen=True, kw_only=True)
class CodeQuestion:
    """A question about one of the student's definitions, which is called with the inputs of a case.

    Attributes:
        asks: what is asked for.
        exercise: the exercise's name.
        title: its title.
        symbol: the function or class that is called.
        case: the inputs.
        definition: the code, as the student wrote it.
        line: the line that is asked about, numbered as the student's.
        name: the variable; empty for what the line returns.
        index: of the entry.
        shape: that is looked for.
        before: the line, in a plain layout.
        after: the line as it would be.
        answer: a shape `(1, 2)`, a number, or the name of an `Effect`.
    """

    asks: Asks
    exercise: str
    title: str
    symbol: str
    case: Case
    definition: Definition
    line: int = 0
    name: str = ""
    index: tuple[int, ...] = ()
    shape: tuple[int, ...] = ()
    before: str = ""
    after: str = ""
    answer: str


@dataclass(frozen=True)
class StudentQuestions:
    """The questions for whoever handed in one submission."""

    id: str
    name: str
    questions: tuple[CodeQuestion, ...]
