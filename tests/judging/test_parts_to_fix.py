"""A whole that calls a wrong part says which part to mend first, where no right one can stand in for it."""

from pathlib import Path

import pytest

from graders.extraction.extract import Source, extract, study
from graders.judging.parts_to_fix import parts_to_fix
from graders.submission.read import read

CODE = """
def split_heads(x): return x
def concat_heads(x): return x
def unused(x): return x
class MultiHeadAttention:
    def forward(self, x): return concat_heads(split_heads(x))
"""


@pytest.fixture
def source(tmp_path: Path) -> Source:
    path = tmp_path / "work.py"
    path.write_text(CODE, encoding="utf-8")
    extracted = extract(study(read(path)), "MultiHeadAttention", None)
    assert isinstance(extracted, Source)
    return extracted


def test_only_wrong_parts_that_the_code_calls_are_named(source: Source):
    wrong = {"split_heads", "unused", "causal_mask"}
    assert parts_to_fix(source.definitions, wrong, ()) == ("split_heads",)


def test_a_part_for_which_a_right_one_stood_in_is_not_named(source: Source):
    assert parts_to_fix(source.definitions, {"split_heads", "concat_heads"}, {"split_heads"}) == (
        "concat_heads",
    )
