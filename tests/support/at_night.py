"""Parameters of tests that only the nightly run tries, because at each push others show the same."""

from typing import Any

import pytest


def at_night(*values: Any) -> Any:
    """One set of parameters for the nightly run."""
    return pytest.param(*values, marks=pytest.mark.nightly)


def some_at_night(values: Any, at_each_push: Any) -> list[Any]:
    """These values of a parameter, those that are not for each push for the nightly run."""
    return [value if value in at_each_push else at_night(value) for value in values]
