"""The whole corpus as a class, with honest submissions between the attacks: nobody else notices them."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from graders.batch import Class, grade_all
from graders.intake.found import Entry
from graders.result import Result
from graders.wall.rung import Rung
from tests.handing import entries
from tests.hostile.corpus import LIMITS, WALLS, cases, reduced
from tests.hostile.ground import DECK, HONEST, Ground, seen, survivors, traces, watched
from tests.processes import below

CLASS_LIMITS = replace(LIMITS, later_call_s=0.2, load_s=2.0, submission_s=2.0)
EVERY = 4  # an honest submission after so many attacks
ELSEWHERE = 5  # on other rungs than the best, one of so many attacks is in the class
WHOLE_S = 240.0


def keep_nothing(entry: Entry, result: Result) -> None:
    """Nothing is written: results are looked at as they come."""


def handed_in(folder: Path, rung: Rung) -> list[Entry]:
    """The corpus's code for one exercise, and honest code between it."""
    folder.mkdir()
    chosen = [attack for on, attack in cases() if on is rung and attack.exercise == "concat_heads"]
    for number, attack in enumerate(chosen[:: 1 if rung is WALLS[0] else ELSEWHERE]):
        shutil.copy(attack.path, folder / f"{number:03d} {attack.id}{attack.path.suffix}")
        if number % EVERY == 0:
            (folder / f"{number:03d} honest.py").write_text(HONEST, encoding="utf-8")
    return entries(folder)


@pytest.mark.parametrize("walled", WALLS, ids=str, indirect=True)
def test_a_class_of_attackers_costs_the_honest_nothing(walled: Ground, tmp_path: Path):
    todo = handed_in(tmp_path / "class", walled.rung)
    plan = Class(reduced("concat_heads"), DECK, walled.rung, CLASS_LIMITS, "cpu", keep_nothing)
    for _ in range(2):
        before = below(os.getpid())
        with watched(WHOLE_S):
            results = list(grade_all(todo, plan, 2))
        assert len(results) == len(todo)
        honest = {r.submission.id: r.points for r in results if r.submission.id.endswith("honest")}
        assert set(honest.values()) == {2}, honest
        assert walled.planted.found_in(*(text for r in results for text in seen(r).texts)) == set()
        assert survivors(before) == set()
    assert traces() == []
