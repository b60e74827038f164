"""Code beside known answers: right or wrong, sometimes in another style, with one small change."""

import ast
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from graders.audit.names.mutate import Mutation, draw_mutation
from graders.audit.styles.all_styles import STYLES
from graders.audit.styles.answer_code import MAIN, AnswerCode
from graders.audit.styles.compose import compose
from graders.audit.styles.flatten_mistake import flatten_reference
from graders.audit.styles.known_answers import known_answers
from graders.course.exercise import Exercise
from graders.language import tr
from graders.results.audit_result import Kind

Answer = tuple[Kind, str, AnswerCode]

TRIES = 20  # draws of a change until one gives code that can be read
# Styles under which code still takes the contract's arguments, and needs no package.
FAMILIES = ("answers.", "corners.", "form.", "numerics.", "dress.")
UNFIT = {
    "dress.absent_imports",
    "dress.compiled_class",
    "dress.decorators",
    "dress.cuda",
    "dress.lightning",
    "dress.tensors_on_cuda",
    "form.einops",
}
PLAIN = [s for s in STYLES if s.name.startswith(FAMILIES) and s.name not in UNFIT]
MOST_STYLES = 3


@dataclass(frozen=True)
class Neighbour:
    """Code beside a known answer.

    Attributes:
        kind: of the answer.
        name: of the answer.
        styles: in which it is written.
        mutation: the change.
        text: the code.
        before: the code without the change.
    """

    kind: Kind
    name: str
    styles: tuple[str, ...]
    mutation: Mutation
    text: str
    before: str


def changeable_answers(exercise: Exercise) -> tuple[list[Answer], list[Answer]]:
    """The known answers that are changed: those that are right, or but for one thing, and the mistakes."""
    reference = (Kind.REFERENCE, exercise.symbol, flatten_reference(exercise.name, exercise.symbol))
    known = [
        (kind, name, AnswerCode(exercise, tree)) for kind, name, tree in (reference, *known_answers(exercise))
    ]
    right = [answer for answer in known if answer[0] is not Kind.MISTAKE]
    return right, [answer for answer in known if answer[0] is Kind.MISTAKE]


def draw_neighbour(groups: Sequence[Sequence[Answer]], numbers: random.Random) -> Neighbour:
    """A neighbour that a generator gives, of an answer of any group that has some.

    Args:
        groups: of answers; each is as likely as any other.
        numbers: the generator.

    Raises:
        ValueError: none of many changes gave code that can be read.
    """
    for _ in range(TRIES):
        kind, name, code = numbers.choice(numbers.choice([group for group in groups if group]))
        styles: tuple[str, ...] = ()
        if numbers.random() < 1 / 2:
            composition = compose(code, numbers, PLAIN, numbers.randint(1, MOST_STYLES))
            rewritten = composition.rewritten
            if rewritten is not None and not rewritten.others:
                code, styles = rewritten, composition.styles
        before = code.texts()[MAIN]
        tree = ast.parse(before)
        mutation = draw_mutation(tree, numbers)
        text = "" if mutation is None else f"{ast.unparse(mutation.apply(tree))}\n"
        if mutation is not None and text != before:
            return Neighbour(kind=kind, name=name, styles=styles, mutation=mutation, text=text, before=before)
    raise ValueError(tr("no answer can be changed"))


@contextmanager
def in_file(text: str) -> Iterator[Path]:
    """In the block, a file with this code."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / MAIN
        path.write_text(text, encoding="utf-8")
        yield path
