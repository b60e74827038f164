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


@pytest.mark.parametrize(
    ("expression", "numbers"),
    [
        ("2 ** 8", (256,)),
        ("4 * 64", (256,)),
        ("256 - 1", (255,)),
        ("1 << 8", (256,)),
        ("100 + 3 * 50", (250,)),
        ("2 ** 10 // 4", (256,)),
        ("(2 ** 20) // (2 ** 12)", (256,)),
        ("-(2 ** 8)", (256,)),
        ("2 * -150", (300,)),
        ("+".join(["5"] * 60), (300,)),
    ],
)
def test_an_expression_of_numbers_counts_as_the_number_it_makes(
    constants_of: Find, expression: str, numbers: tuple[int, ...]
) -> None:
    assert constants_of(f"def crop(x):\n    return x[:, :{expression}]") == numbers


def test_numbers_beside_a_name_count_by_themselves(constants_of: Find) -> None:
    assert constants_of("def crop(x, n):\n    return x[:, :n * 7 + 2 ** 5, : 3 * 30 * n]") == (7, 32, 90)


@pytest.mark.parametrize(
    ("expression", "numbers"),
    [
        ("9 ** 9 ** 9 ** 9", (9,)),
        ("300 ** 300", (300,)),
        ("2 << 9_000", (2,)),
        ("2 ** -3", (2, 3)),
        ("300 // 0", (300,)),
        ("300 / 2", (2, 300)),
        (f"{10**400} - 3", (3,)),
    ],
)
def test_what_makes_no_integer_of_a_usual_size_counts_by_its_parts(
    constants_of: Find, expression: str, numbers: tuple[int, ...]
) -> None:
    assert constants_of(f"def crop(x):\n    return x[:, :{expression}]") == numbers
