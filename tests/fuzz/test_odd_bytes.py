"""A few cases of the fuzzers of what a box sends, opens and is judged by: no fault of softmark's own."""

import pytest

from graders.sandbox.box import Box
from tests.fuzz import checkpoints, keys, replies


def test_broken_checkpoints(box: Box):
    with checkpoints.opened(box) as opener:
        for number in range(1, 30):
            opener.judge(number)


@pytest.mark.parametrize("number", range(1, 4))
def test_odd_replies_of_the_box(box: Box, number: int):
    with replies.judged({"attention": ("concat_heads",)}, box) as judged:
        judged.judge(number)


def test_tampered_keys(box: Box):
    with keys.tampering(box) as made:
        for number in range(1, 9):
            made.judge(number)
