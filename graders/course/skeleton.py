"""The skeleton of a new exercise: its files with what belongs where, and its line in course.toml."""

from dataclasses import dataclass

_STUB = """\
# %% [markdown] lang="en"
# ## {title}
#
# What this is for, in a sentence.

# %% [markdown] lang="fr"
# ## {title_fr}
#
# À quoi cela sert, en une phrase.

# %%
{stub}
"""
_FUNCTION = '''\
def {symbol}(x):
    """Say what comes back, in the imperative.

    Args:
        x: its shape, such as (B, S, E).

    Returns:
        its shape.

    fr: Dites ce qui est renvoyé.

    Args:
        x: sa forme, comme (B, S, E).

    Returns:
        sa forme.
    """
    raise NotImplementedError'''
_CLASS = '''\
import torch.nn as nn


class {symbol}(nn.Module):
    """Say what the module computes, and how its parameters are called.

    Args:
        hidden_size: E, the width of the input and of the output.

    fr: Dites ce que le module calcule, et comment s'appellent ses paramètres.

    Args:
        hidden_size: E, la largeur de l'entrée et de la sortie.
    """

    def __init__(self, hidden_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Apply it to x, shape (B, S, E), and return the same shape.

        fr: L'applique à x, de forme (B, S, E), et renvoie la même forme.
        """
        raise NotImplementedError'''
_SOLUTION = '''\
"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

{reference}

{mistake}
    """Name the mistake, and say where to look.

    fr: Nommez l'erreur, et dites où regarder.
    """

{change}
'''
_FUNCTION_PARTS = {
    "reference": "\ndef {symbol}(x):\n    return x + 1\n",
    "mistake": "def {symbol}__negated(x):",
    "change": "    return -{symbol}(x)",
}
_CLASS_PARTS = {
    "reference": """\
from torch import nn


class {symbol}(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.linear = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        return self.linear(x)
""",
    "mistake": "class {symbol}__negated({symbol}):",
    "change": "    def forward(self, x):\n        return -super().forward(x)",
}
_CHECKS = '''\
"""{symbol}: what it gets, and what comes back."""

import torch
from hypothesis import strategies as st

from graders.check_api.check import Candidate, check, shaped, tensor
from graders.check_api.options import Options
{imports}

@st.composite
def inputs(draw: st.DrawFn) -> {draw}:
    """Inputs (B, S, E) of all small sizes."""
    shape, seed = [draw(sizes(1, 4)) for _ in range(3)], draw(seeds())
    return {make}


@check(points=1, given=inputs(), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: {draw}) -> None:
    """(B, S, E) stays (B, S, E)

    fr: (B, S, E) reste (B, S, E)
    """
    shaped(tensor({call}), tuple({argument}.shape))


{compare}


def diagnostic_draws(seed: int) -> list[{draw}]:
    """Draws on which every known mistake differs from the reference and from every other mistake."""
    shapes = [(2, 5, 6)] * 3 + [(1, 4, 6), (3, 2, 4), (2, 1, 7)]
    return [{diagnostic} for n, shape in enumerate(shapes)]


options = Options(diagnostic_draws=diagnostic_draws)
'''
_FUNCTION_CHECKS = {
    "imports": """\
from graders.check_api.strategies.tensors import normal, seeds, sizes


@dataclass(frozen=True)
class Input:
    \"\"\"The tensor of a call.\"\"\"

    x: Tensor

    @property
    def arguments(self) -> list[Tensor]:
        \"\"\"Those of a call.\"\"\"
        return [self.x]


def answer(draw: Input, reference: Callable[[Tensor], Tensor]) -> Tensor:
    \"\"\"The reference's answer.\"\"\"
    return reference(draw.x)
""",
    "draw": "Input",
    "make": "Input(normal(*shape, seed=seed))",
    "call": "candidate(draw.x)",
    "argument": "draw.x",
    "compare": '''\
@check(points=3, given=inputs(), answer=answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: Input, expected: Tensor) -> None:
    """the output is the reference's

    fr: la sortie est celle de la référence
    """
    same(candidate(draw.x), expected)''',
    "diagnostic": "Input(normal(*shape, seed=seed + n, dtype=torch.float64))",
}
_CLASS_CHECKS = {
    "imports": """\
from graders.check_api.reference_answer import ReferenceAnswer, reference_answer
from graders.check_api.strategies.module_inputs import States
from graders.check_api.strategies.tensors import normal, seeds, sizes
""",
    "draw": "States",
    "make": 'States({"hidden_size": shape[-1]}, normal(*shape, seed=seed), seed=seed)',
    "call": "candidate.construct(**draw.config)(draw.hidden_states)",
    "argument": "draw.hidden_states",
    "compare": '''\
@check(points=3, given=inputs(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's

    fr: avec les mêmes poids, la sortie est celle de la référence
    """
    answer.agree(candidate.with_reference_weights(answer)(draw.hidden_states))''',
    "diagnostic": """\
States(
            {"hidden_size": shape[-1]}, normal(*shape, seed=seed + n, dtype=torch.float64), seed=seed + n
        )""",
}


@dataclass(frozen=True)
class NewExercise:
    """What is to be begun: a symbol with a capital letter is a module, any other a function."""

    name: str
    symbol: str
    title: str
    title_fr: str
    points: float

    @property
    def course_line(self) -> str:
        """Its line in course.toml."""
        return (
            f'    {{ name = "{self.name}", title = "{self.title}", title_fr = "{self.title_fr}",'
            f" points = {self.points:g} }},"
        )

    def files(self) -> dict[str, str]:
        """The texts of its files by their names in a checkout."""
        is_class = self.symbol[:1].isupper()
        stub = (_CLASS if is_class else _FUNCTION).format(symbol=self.symbol)
        parts = {
            k: v.format(symbol=self.symbol)
            for k, v in (_CLASS_PARTS if is_class else _FUNCTION_PARTS).items()
        }
        checks = _CHECKS.format(symbol=self.symbol, **(_CLASS_CHECKS if is_class else _FUNCTION_CHECKS))
        if not is_class:
            checks = _with_imports_of_a_function(checks)
        return {
            f"assignments/{self.name}.py": _STUB.format(title=self.title, title_fr=self.title_fr, stub=stub),
            f"graders/checks/{self.name}.py": checks,
            f"solutions/{self.name}.py": _SOLUTION.format(**parts),
            f"solutions/right/{self.name}/course.py": parts["reference"].lstrip("\n"),
        }


def _with_imports_of_a_function(checks: str) -> str:
    return checks.replace(
        "import torch\nfrom hypothesis import strategies as st\n",
        "from collections.abc import Callable\nfrom dataclasses import dataclass\n\n"
        "import torch\nfrom hypothesis import strategies as st\nfrom torch import Tensor\n",
    ).replace("import Candidate, check, shaped", "import Candidate, check, same, shaped")


def add_line(course: str, assignment: str, line: str) -> str:
    """The text of course.toml with a line more at the end of an assignment's exercises.

    Raises:
        ValueError: the assignment's list of exercises is not written as one exercise a line.
    """
    lines = course.split("\n")
    try:
        start = lines.index(f"[{assignment}]")
        end = lines.index("]", lines.index("exercises = [", start))
    except ValueError:
        raise ValueError(line) from None
    return "\n".join([*lines[:end], line, *lines[end:]])
