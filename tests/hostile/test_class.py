"""The corpus as a class, with honest submissions between the attacks: these are graded as ever."""

import os
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from graders.batch.grade_all import ClassPlan, grade_all
from graders.classroom.intake.download import Entry
from graders.results.result import Result, from_json
from graders.results.store import write_result
from graders.sandbox.isolation.level import IsolationLevel
from tests.conftest import NIGHTLY
from tests.hostile.corpus import LIMITS, WALLS, cases, reduced
from tests.hostile.ground import DECK, HONEST, Ground, show, survivors, time_limit, traces
from tests.support.processes import below
from tests.support.submissions import entries

CLASS_LIMITS = replace(LIMITS, later_call_s=0.2, load_s=2.0, submission_s=2.0)
EVERY = 3  # an honest submission follows every third attack
CHOSEN = 1 if NIGHTLY else 13  # one in thirteen of the attacks that are tried at the level is in the class
# The pool and the channel are the same at every level; the nightly run tries all.
LEVELS = WALLS if NIGHTLY else WALLS[:1]
START_S, EACH_S = 120.0, 5.0  # that a class may take; at the level fresh each submission imports PyTorch
pytestmark = [pytest.mark.programs, pytest.mark.slow]


def keep_in(out: Path, entry: Entry, result: Result) -> None:
    """Write a result, without its pages."""
    write_result(out, result)


def read_results(out: Path) -> list[Result]:
    """The results as they were written."""
    return [from_json(path.read_text(encoding="utf-8")) for path in sorted(out.glob("*/result.json"))]


def hand_in_class(folder: Path, level: IsolationLevel) -> list[Entry]:
    """Some of the corpus's code for one exercise, and honest code between it."""
    folder.mkdir()
    chosen = [attack for on, attack in cases() if on is level and attack.exercise == "concat_heads"]
    for number, attack in enumerate(chosen[::CHOSEN]):
        shutil.copy(attack.path, folder / f"{number:03d} {attack.id}{attack.path.suffix}")
        if number % EVERY == 0:
            (folder / f"{number:03d} honest.py").write_text(HONEST, encoding="utf-8")
    return entries(folder)


@pytest.mark.parametrize("walled", LEVELS, ids=str, indirect=True)
def test_attackers_in_a_class_cost_honest_students_nothing(walled: Ground, tmp_path: Path):
    todo = hand_in_class(tmp_path / "class", walled.level)
    out = tmp_path / "out"
    keep = partial(keep_in, out)
    plan = ClassPlan(
        assignment=reduced("concat_heads"),
        draws=DECK,
        level=walled.level,
        limits=CLASS_LIMITS,
        device="cpu",
        keep=keep,
    )
    before = below(os.getpid())
    with time_limit(START_S + EACH_S * len(todo)):
        finished = list(grade_all(todo, plan, 2))
    assert len(finished) == len(todo)
    results = read_results(out)
    assert len(results) == len(todo)
    honest = {r.submission.id: r.points for r in results if r.submission.id.endswith("honest")}
    assert set(honest.values()) == {2}, honest
    assert walled.planted.found_in(*(text for r in results for text in show(r, NIGHTLY).texts)) == set()
    assert survivors(before) == set()
    assert traces() == []
