"""Small items are spread over processes in blocks, and their answers come in order."""

import os
import time

import pytest

from graders.batch import spread_blocks as module
from graders.batch.spread_blocks import spread_blocks

pytestmark = pytest.mark.programs


@pytest.fixture(autouse=True)
def _blocks_of_three(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 3)
    monkeypatch.setattr(module, "FEW", 3)


def test_answers_come_in_the_order_of_the_items_though_the_first_block_is_the_last():
    def work(item: int) -> tuple[int, int]:
        if item == 0:
            time.sleep(0.5)
        return item * item, os.getpid()

    answers = list(spread_blocks(range(11), work, 2))
    assert [square for square, _ in answers] == [item * item for item in range(11)]
    assert len({process for _, process in answers} - {os.getpid()}) == 2


def test_a_few_items_need_no_process():
    assert list(spread_blocks(range(3), lambda _: os.getpid(), 2)) == [os.getpid()] * 3


def test_a_process_that_dies_is_an_error_of_the_system():
    def work(item: int) -> int:
        if item == 7:
            os._exit(3)
        return item

    answers = spread_blocks(range(11), work, 2)
    with pytest.raises(OSError, match="status 3"):
        list(answers)
