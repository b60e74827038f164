"""The speed that a run shows is that of the last items, whether they come one by one or in blocks."""

from types import SimpleNamespace

import pytest

from graders.cli import progress


@pytest.mark.parametrize(("block", "seconds"), [(1, 1.0), (50, 50.0), (50, 0.5), (7, 0.01)])
def test_items_in_blocks_are_as_fast_as_one_by_one(monkeypatch, block: int, seconds: float):
    now = [0.0]
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now[0]))
    pace = progress._Pace(100_000, str)
    for _ in range(400):
        now[0] += seconds
        for _ in range(block):
            pace.count(0)
    shown = float(str(pace).partition(" per minute")[0].replace(",", ""))
    assert shown == pytest.approx(60 * block / seconds, rel=0.05)
