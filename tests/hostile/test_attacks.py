"""Attacks of the corpus at every isolation level: each gains nothing, learns nothing, leaves nothing."""

import os
import re

import pytest

from graders.results.result import Outcome, Result
from graders.sandbox.isolation.level import IsolationLevel
from tests.hostile.corpus import FAMILIES, Attack, attacks, bites_here, cases
from tests.hostile.ground import Ground, end, harm, messages, rows, show, survivors, traces
from tests.support.processes import below

pytestmark = pytest.mark.programs

ATTACKS = attacks()
BITING = [attack for attack in ATTACKS if attack.bites]
MOST_BYTES = 1 << 18  # of a result: one submission must not fill the class's pages


def by_id(attack: Attack) -> str:
    return attack.id


@pytest.mark.parametrize(
    ("walled", "attack"),
    [pytest.param(level, attack, id=f"{level}-{attack.id}") for level, attack in cases()],
    indirect=["walled"],
)
def test_an_attack_ends_as_expected_and_gains_nothing(walled: Ground, attack: Attack):
    before, written = walled.before(), walled.planted.written()
    result = walled.grade(attack)
    [exercise] = result.exercises
    outcomes = {exercise.outcome, *(finding.outcome for finding in exercise.findings)}
    assert Outcome.BROKEN not in outcomes, exercise
    # New interpreters take the submission's time: its last check may find none left.
    late = {Outcome.TIMED_OUT} if walled.box.level is IsolationLevel.FRESH else set()
    assert exercise.outcome in attack.outcomes | late, exercise
    assert exercise.points <= attack.points
    assert exercise.undecided_points == 0
    assert attack.says in messages(exercise)
    assert harm(result) == []
    assert_nothing_leaks(walled, result)
    if walled.level is not IsolationLevel.FRESH:  # there an honest submission has an interpreter of its own
        assert walled.honest().points == 2
    walled.settle()
    assert survivors(before) == set()
    assert traces() == []
    assert walled.planted.written() == written


def assert_nothing_leaks(walled: Ground, result: Result) -> None:
    shown = show(result)
    assert walled.planted.found_in(*shown.texts) == set()
    assert len(shown.json) < MOST_BYTES
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown.terminal
    )
    assert not re.search(r"<(script|img|iframe)\b[^>]*softmark", shown.page)
    header, row = rows(shown.csv)
    assert len(header) == len(row)
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)


@pytest.mark.parametrize("attack", BITING, ids=by_id)
def test_without_isolation_the_attack_succeeds(unwalled: Ground, attack: Attack):
    if not bites_here(attack):
        pytest.skip("this machine stops such attacks even without isolation")
    before, written = below(os.getpid()), unwalled.planted.written()
    result = unwalled.grade(attack)
    left = survivors(before, seconds=0.5)
    end(left)
    leaked = unwalled.planted.found_in(*show(result).texts)
    assert leaked or left or harm(result) or unwalled.planted.written() != written, result


def test_the_corpus_is_large():
    for family, least in FAMILIES.items():
        assert sum(attack.family == family for attack in ATTACKS) >= least, family


def test_every_attack_has_a_description_of_its_own():
    assert len({attack.does for attack in ATTACKS}) == len(ATTACKS)
