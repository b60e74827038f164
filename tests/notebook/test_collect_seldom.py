"""Python's garbage collector is as it was after a check, and frees what a check leaves."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from graders.notebook.collect_seldom import SELDOM, collecting_seldom


class Node:
    """An object that refers to itself: it is freed by a collection alone."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def nothing_is_frozen() -> Iterator[None]:
    """As in a new interpreter; the tests' own has frozen what it imported."""
    gc.unfreeze()
    yield
    gc.freeze()


def test_within_a_check_older_objects_are_passed_over_and_new_ones_are_freed():
    before, old = gc.get_threshold(), Node()
    seen = weakref.ref(old)
    del old
    with collecting_seldom():
        assert gc.get_threshold() == SELDOM and gc.get_freeze_count() > 1000
        new = weakref.ref(Node())
        gc.collect()
        assert new() is None and seen() is not None
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)
    gc.collect()
    assert seen() is None


def test_what_the_notebook_has_frozen_stays_frozen():
    gc.freeze()
    with collecting_seldom():
        pass
    assert gc.get_freeze_count() > 1000
