"""A place in a submission is said as people look for it: the line, what is around it, then the numbers."""

import re

import pytest

from graders.results.describe_place import describe_place, describe_shapes, describe_spot
from graders.results.result import Place, Remark


@pytest.mark.parametrize(
    ("where", "files", "said"),
    [
        (Place("a.py", None, 3), (), "a.py, line 3"),
        (Place("a.ipynb", 9, 4), ("a.ipynb",), "cell 9, line 4"),
        (Place("a.ipynb", 9, 4), ("a.ipynb", "b.py"), "a.ipynb, cell 9, line 4"),
        (Place("a.ipynb", 9, 4, "f", "return x"), (), "`return x` in f, cell 9, line 4"),
        (Place("a.py", None, 4, None, "return x"), (), "`return x`, a.py, line 4"),
        (Remark("says"), (), ""),
        (Remark("says", code="import x"), (), "`import x`"),
        (Remark("says", file="a.py"), (), "a.py"),
    ],
)
def test_a_place_is_a_line_and_the_function_around_it_and_then_numbers(
    where: Place | Remark, files: tuple[str, ...], said: str
):
    assert describe_place(where, files) == said
    assert describe_spot(where, files) == re.sub("^`.*`(?: in f)?(?:, )?", "", said)


def test_shapes_are_said_where_the_line_has_any():
    assert describe_shapes(None) is None
    assert describe_shapes(Place("a.py", None, 3)) is None
    assert describe_shapes(Place("a.py", None, 3, shapes=("Q (1, 2)", "K (3,)"))) == "with Q (1, 2), K (3,)"
