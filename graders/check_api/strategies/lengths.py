"""Draws of one length, for checks that try lengths beyond those of most draws."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from graders.check_api.check import AtLength

EXTREME = "a table or a crop of fixed size is seen on large sizes alone"
SMALLEST = "code that fails at a size of 1 alone, as squeeze() does, fails here and nowhere else"
LONG = "a mask or a table of fixed length, and a crop, are seen on long sequences alone"


def of_length(draws: Callable[..., st.SearchStrategy[Any]]) -> AtLength:
    """The draws of one length, of a strategy with arguments for the minimum and the maximum length."""
    return lambda length: draws(least=length, most=length)
