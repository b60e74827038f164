"""Styles of corners change what code answers at one size alone, and name the check that owns this size."""

import pytest
import torch

from graders.audit.styles.corners import OWNERS
from graders.course.exercise import assignment_names, load_assignment
from tests.audit.styles.both_forms import both_forms, find_exercise, find_style, rewrite

NORM = """
from torch import nn

class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.norm = nn.LayerNorm(dim, eps)

    def forward(self, x):
        return self.norm(x)
"""
EXERCISE = find_exercise("layer_norm", "foundations")


@pytest.mark.parametrize(
    ("style", "corner"), [("corners.one_sequence", (1, 3, 4)), ("corners.one_position", (3, 1, 4))]
)
def test_code_in_a_corner_fails_there_alone(style: str, corner: tuple[int, ...]):
    plain, refusing = (names["LayerNorm"](4) for names in both_forms(style, EXERCISE, NORM))
    x = torch.ones(2, 3, 4)
    assert torch.equal(plain(x), refusing(x))
    with pytest.raises(ValueError):
        refusing(torch.ones(corner))


def test_each_corner_is_owned_by_a_check_of_its_exercise():
    exercises = {e.name: e for name in assignment_names() for e in load_assignment(name).exercises}
    for name, owners in OWNERS.items():
        assert set(owners) <= {check.name for check in exercises[name].checks}
    code = rewrite("corners.one_sequence", EXERCISE, NORM)
    assert code is not None
    assert find_style("corners.one_sequence").loses(code) == {"treats_positions_apart"}
