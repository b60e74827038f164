"""The shapes that stand beside an error are those of the tensors that its line reads."""

import pytest

from graders.candidate.read_shapes import SHOWN, shapes_read

LINE = "scores = Q @ K.transpose(-2, -1) / self.scale * Q"


def test_the_tensors_of_the_line_come_in_its_order():
    reported = [[["x", [9]]], [["K", [2, 3]], ["Q", []], ["x", [9]], ["scale", [1]]]]
    assert shapes_read(LINE, reported, 1) == ("Q ()", "K (2, 3)")


@pytest.mark.parametrize(
    "reported",
    [
        None,
        [],
        ["Q"],
        [{"Q": [1]}],
        [[["Q"]]],
        [[["Q", 3]]],
        [[["Q", ["a"]]]],
        [[["Q", [True]]]],
        [[["Q", [-1]]]],
        [[["Q", [1 << 50]]]],
        [[[1, [1]]]],
        [[["Q", [1] * 100]]],
    ],
)
def test_what_a_process_reports_may_be_anything(reported):
    assert shapes_read(LINE, reported, 0) == ()


def test_a_long_line_has_a_few():
    names = [f"x{n}" for n in range(20)]
    assert len(shapes_read(" + ".join(names), [[[name, [1]] for name in names]], 0)) == SHOWN
