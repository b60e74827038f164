"""Libraries that judge our references."""

import functools
from typing import Any

import pytest


@functools.cache
def peer(name: str) -> Any:
    """A module of a library, imported by the test that asks for it, since that takes seconds."""
    return pytest.importorskip(name)
