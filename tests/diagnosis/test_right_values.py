"""Which values of wrong code are those of a correct solution, and which is the first that is none."""

import textwrap

import torch

from graders.diagnosis.right_values import Followed, first_other, gathered
from softmark_worker.followed_values import followed

FILE = "answer.py"


def other_value(code: str, *arguments: torch.Tensor) -> tuple[str, tuple[str, ...], str] | None:
    """The first other value of `f`, those it is computed from, and its line; right is softmax(3 (x - 1))."""
    code = textwrap.dedent(code)
    namespace: dict = {"torch": torch}
    exec(compile(code, FILE, "exec"), namespace)
    with followed({FILE}) as rows:
        namespace["f"](*arguments)
    with gathered() as right:
        (3 * (arguments[0] - 1)).softmax(-1)
    found = first_other([Followed(*row) for row in rows], right, {FILE: code})
    return found and (found[0].name, found[1], code.split("\n")[found[0].line - 1].strip())


X = torch.linspace(-1, 2, 12, dtype=torch.float64).view(3, 4) ** 3


def test_the_first_value_that_is_wrong_is_found_with_what_it_is_computed_from() -> None:
    code = """
    def f(x):
        centred = x - 1
        scaled = 2 * centred
        return scaled.softmax(-1)
    """
    assert other_value(code, X) == ("scaled", ("centred",), "scaled = 2 * centred")


def test_right_code_has_no_other_value_in_whatever_layout() -> None:
    code = """
    def f(x):
        centred = x.T - 1
        return (3 * centred).softmax(0)
    """
    assert other_value(code, X) is None


def test_another_way_to_what_is_right_does_not_count() -> None:
    code = """
    def f(x):
        tripled = 3 * x
        scaled = tripled - 3
        weights = scaled.softmax(0)
        return weights
    """
    assert other_value(code, X) == ("weights", ("scaled",), "weights = scaled.softmax(0)")


def test_a_wrong_value_of_a_function_that_is_called_is_told_where_it_arises() -> None:
    code = """
    def scale(centred):
        return centred * 2

    def f(x):
        centred = x - 1
        scaled = scale(centred)
        return scaled.softmax(-1)
    """
    assert other_value(code, X) == ("", ("centred",), "return centred * 2")


def test_what_is_changed_in_place_is_a_value_of_its_own() -> None:
    code = """
    def f(x):
        scores = x - 1
        scores *= 2
        return scores.softmax(-1)
    """
    assert other_value(code, X) == ("scores", ("scores",), "scores *= 2")


def test_a_value_that_is_computed_from_the_arguments_alone_is_not_told() -> None:
    code = """
    def f(x):
        projected = 2 * x
        centred = x - 1
        return (projected * centred).softmax(-1)
    """
    assert other_value(code, X) is None


def test_code_that_has_nothing_in_common_with_ours_is_not_compared() -> None:
    assert other_value("def f(x):\n    y = x ** 2\n    return y\n", X) is None
    assert other_value("def f(x):\n    y = x * 0 + 1\n    return y\n", X) is None
