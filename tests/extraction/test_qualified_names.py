"""A place is said by the line itself and the function or class around it."""

import pytest

from graders.extraction.qualified_names import LINE_SHOWN, place_in
from graders.language import speaking
from graders.results.describe_place import describe_place

CODE = """\
import torch

class Attention(torch.nn.Module):
    @torch.no_grad()
    def forward(self, x):
        def scores(q):
            return q @ q
        return [scores(y)
                for y in x]

total = 1
"""


@pytest.mark.parametrize(
    ("line", "within", "code"),
    [
        (1, None, "import torch"),
        (3, "Attention", "class Attention(torch.nn.Module):"),
        (4, "Attention.forward", "@torch.no_grad()"),
        (7, "Attention.forward.scores", "return q @ q"),
        (9, "Attention.forward", "for y in x]"),
        (11, None, "total = 1"),
        (99, None, None),
    ],
)
def test_a_line_has_its_text_and_the_name_around_it(line: int, within: str | None, code: str | None):
    place = place_in("rendu.ipynb", 4, line, CODE)
    assert (place.line, place.within, place.code) == (line, within, code)


def test_a_line_of_what_is_no_python_has_its_text_alone():
    place = place_in("rendu.ipynb", 4, 2, "def f(x):\n    return (x")
    assert (place.within, place.code) == (None, "return (x")


def test_a_long_line_is_cut_and_a_dangerous_one_made_harmless():
    place = place_in("a.py", None, 1, "x = '\x1b[31m" + "a" * 500 + "'")
    assert place.code is not None
    assert len(place.code) == LINE_SHOWN
    assert place.code.startswith("x = 'aaa")


def test_the_line_comes_first_and_its_numbers_last():
    place = place_in("rendu.ipynb", 4, 7, CODE)
    assert describe_place(place) == "`return q @ q` in Attention.forward.scores, cell 4, line 7"
    with speaking("fr"):
        assert describe_place(place) == "`return q @ q` dans Attention.forward.scores, cellule 4, ligne 7"
