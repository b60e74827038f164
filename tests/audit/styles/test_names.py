"""Styles of names and of configuration keep what the code means: both forms are run."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.audit.styles.both_forms import both_forms, find_exercise, rewrite

EXERCISE = find_exercise("feed_forward", "attention")
ATTENTION = find_exercise("multi_head_attention", "attention")
CODE = """
class FeedForward:
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = ff_dim or 4 * embed_dim
        self.taken = embed_dim, ff_dim, dropout

class Both:
    def __init__(self):
        self.parts = FeedForward(3, dropout=0.5), FeedForward(4, 5)
"""
SIZES = """
class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.taken = embed_dim, num_heads
"""


@pytest.mark.parametrize(
    "style",
    [
        *("names.constructor", "names.order", "names.by_keyword", "names.further_arguments", "names.kwargs"),
        *("configuration.dataclass", "configuration.dict", "configuration.namespace"),
    ],
)
def test_calls_in_the_file_give_the_same(style: str) -> None:
    numbers = [number for number in range(12) if rewrite(style, EXERCISE, CODE, number) is not None]
    for number in numbers[:3]:
        before, after = both_forms(style, EXERCISE, CODE, number)
        parts = [[part.taken for part in names["Both"]().parts] for names in (before, after)]
        assert parts[0] == parts[1] == [(3, 12, 0.5), (4, 5, 0.1)]
    assert len(numbers) > 3


@pytest.mark.parametrize("style", ["names.by_place", "names.args"])
def test_a_call_by_place_gives_the_same(style: str) -> None:
    before, after = both_forms(style, ATTENTION, SIZES)
    assert before["MultiHeadAttention"](12, 3).taken == after["MultiHeadAttention"](12, 3).taken == (12, 3)
    with pytest.raises(TypeError):
        after["MultiHeadAttention"](embed_dim=12, num_heads=3)


@pytest.mark.parametrize(
    "style",
    [
        *("configuration.class_of_constants", "configuration.global_dict", "configuration.global_object"),
        *("configuration.constants", "configuration.parsed_arguments"),
    ],
)
def test_values_of_the_file_take_the_place_of_arguments(style: str) -> None:
    _, after = both_forms(style, ATTENTION, SIZES)
    assert after["MultiHeadAttention"]().taken == (64, 8)


def test_defaults_may_come_from_a_file_that_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    settings: Any = ModuleType("project_settings")
    settings.cfg = SimpleNamespace(embed_dim=12, num_heads=3)
    monkeypatch.setitem(sys.modules, "project_settings", settings)
    before, after = both_forms("configuration.absent_default", ATTENTION, SIZES)
    assert before["MultiHeadAttention"](12, 3).taken == after["MultiHeadAttention"](12, 3).taken


def test_a_constructor_that_another_class_inherits_stays_as_it_is() -> None:
    code = f"{SIZES}\nclass Other(MultiHeadAttention):\n    pass\n"
    assert rewrite("configuration.dict", ATTENTION, code) is None
    assert rewrite("names.order", ATTENTION, code) is None
