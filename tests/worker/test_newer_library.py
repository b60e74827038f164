"""The box has what newer standard libraries have and students' code imports."""

import dataclasses
from collections import namedtuple

import pytest

from softmark_worker import newer_library


@dataclasses.dataclass
class Size:
    width: int = 1


def test_each_name_is_supplied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, names in newer_library._NEWER.items():
        for name in names:
            monkeypatch.setattr(module, name, None, raising=False)  # taken away again after the test
            monkeypatch.delattr(module, name)
    newer_library.supply()
    from itertools import batched
    from typing import override

    assert list(batched("abcde", 2)) == [("a", "b"), ("c", "d"), ("e",)]
    assert override(len) is len


def test_what_is_supplied_computes_what_it_should() -> None:
    assert newer_library.sumprod([1, 2], [3, 4]) == 11
    assert newer_library.deprecated("old", category=None)(len) is len
    assert newer_library.replace(Size(), width=2) == Size(2)
    pair = namedtuple("pair", "a b")
    assert newer_library.replace(pair(1, 2), b=3) == (1, 3)
    with pytest.raises(ValueError):
        list(newer_library.batched("abc", 2, strict=True))
