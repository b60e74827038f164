"""Small items are spread over processes in blocks, and their answers come in order."""

import os
import signal
import time
from pathlib import Path

import pytest

from graders.batch import spread_blocks as module
from graders.batch.process_pool import WorkerDied
from graders.batch.read_ahead import read_ahead
from graders.batch.spread_blocks import spread_blocks, spread_reading

pytestmark = pytest.mark.programs
PATHS = [Path("nowhere", str(number)) for number in range(11)]


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
    assert list(spread_reading(PATHS[:3], lambda _: os.getpid(), 2)) == [os.getpid()] * 3


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
        list(spread_reading(PATHS, lambda path: os._exit(3) if path.name == "7" else path, 2))


def test_the_system_is_asked_for_the_files_of_a_whole_block_before_the_work_on_it(tmp_path, monkeypatch):
    monkeypatch.setattr(
        os, "posix_fadvise", lambda file, *_: asked.append(str(Path(f"/proc/self/fd/{file}").readlink()))
    )
    paths = [tmp_path / str(number) for number in range(6)]
    for path in paths[1:]:
        path.touch()
    asked: list[str] = []
    answers = spread_reading(paths, lambda path: (path.name, [*asked]), 2)
    monkeypatch.setattr(module, "FEW", 3)
    assert dict(answers) == {
        **{name: [str(path) for path in paths[1:3]] for name in "012"},
        **{name: [str(path) for path in paths[3:]] for name in "345"},
    }


def test_nothing_waits_for_what_is_asked_for_and_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    read_ahead([tmp_path / "pipe", tmp_path / "link", tmp_path, tmp_path / "absent"])
