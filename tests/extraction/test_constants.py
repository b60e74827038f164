"""The integers in the code that a symbol needs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from graders.extraction.constants import KEPT, MOST
from graders.extraction.extract import Source, extract, study
from graders.submission.read import read

Find = Callable[[str], tuple[int, ...]]


@pytest.fixture
def constants_of(tmp_path: Path) -> Find:
    def find(code: str) -> tuple[int, ...]:
        (tmp_path / "answer.py").write_text(code, encoding="utf-8")
        source = extract(study(read(tmp_path)), "crop", None)
        assert isinstance(source, Source)
        return source.constants

    return find


def test_they_are_those_of_the_definition_and_of_what_it_needs(constants_of: Find) -> None:
    code = "LENGTH = 300\nUNUSED = 400\ndef crop(x, width=7):\n    return x[:, :LENGTH][..., :-64]"
    assert constants_of(code) == (7, 64, 300)


def test_what_is_no_length_is_left_out(constants_of: Find) -> None:
    code = f"def crop(x):\n    'in 99 ways'\n    return x[0, 1, True, 2.5, {MOST + 1}, {MOST}, '50']"
    assert constants_of(code) == (MOST,)


def test_the_largest_of_many_are_kept(constants_of: Find) -> None:
    numbers = range(2, 2 * KEPT)
    assert constants_of(f"def crop(x):\n    return {[*numbers]}") == tuple(numbers)[-KEPT:]
