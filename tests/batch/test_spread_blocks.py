"""Small items are spread over processes in blocks, and their answers come in order."""

import os
import signal
import time

import pytest

from graders.batch import spread_blocks as module
from graders.batch.process_pool import WorkerDied
from graders.batch.spread_blocks import spread_blocks, spread_reading

pytestmark = pytest.mark.programs


@pytest.fixture(autouse=True)
def _blocks_of_three(monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 3)
    monkeypatch.setattr(module, "ROUNDS", 1)


def test_answers_come_in_the_order_of_the_items_though_the_first_block_is_the_last():
    def work(item: int) -> tuple[int, int]:
        if item == 0:
            time.sleep(0.5)
        return item * item, os.getpid()

    answers = list(spread_blocks(range(11), work, 2, few=3))
    assert [(item, square) for item, (square, _) in answers] == [(item, item * item) for item in range(11)]
    assert len({process for _, (_, process) in answers} - {os.getpid()}) == 2


def test_a_few_items_need_no_process():
    assert list(spread_reading(range(3), lambda _: os.getpid(), 2)) == [os.getpid()] * 3


def test_one_item_that_kills_its_process_is_named_and_the_others_are_answered():
    def work(item: int) -> int:
        if item == 7:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    answers = dict(spread_blocks(range(11), work, 2, few=3))
    assert isinstance(answers[7], WorkerDied)
    assert "SIGKILL" in str(answers[7])
    assert {item: answer for item, answer in answers.items() if item != 7} == {
        item: item for item in range(11) if item != 7
    }


def test_a_process_that_dies_while_it_reads_is_an_error_of_the_system(monkeypatch):
    monkeypatch.setattr(module, "FEW", 3)
    with pytest.raises(OSError, match="status 3"):
        list(spread_reading(range(11), lambda item: os._exit(3) if item == 7 else item, 2))
