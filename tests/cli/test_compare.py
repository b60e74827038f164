"""`softmark compare`: who has other points after a change and by which check, and how two years differ."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli.main import main
from graders.results.result import Outcome
from graders.results.store import write_result
from reports.class_statistics.compare import changed_checks, changed_mistakes, changed_people
from tests.reports import sample

SAYS = "the order is kept"


def answer(outcome: Outcome, id: str, **more):  # noqa: A002
    finding = sample.finding(outcome, says=SAYS, **more)
    return sample.result(sample.exercise(finding, sample.finding(check="else", says="all else")), id=id)


def test_who_gains_and_who_loses_is_told_with_the_checks_and_the_losers_first() -> None:
    old = [answer(Outcome.FAILED, "ada"), answer(Outcome.PASSED, "ben"), answer(Outcome.PASSED, "cy")]
    new = [answer(Outcome.PASSED, "ada"), answer(Outcome.FAILED, "ben"), answer(Outcome.PASSED, "cy")]
    changed = changed_people(old, new)
    assert [(person.id, person.gained) for person in changed] == [("ben", -1), ("ada", 1)]
    assert [(each.says, each.before, each.after) for each in changed[0].by] == [(SAYS, 1, 0)]


def test_other_weights_alone_change_nobody_who_gets_all_and_another_language_changes_nothing() -> None:
    old, new = answer(Outcome.PASSED, "ada"), answer(Outcome.PASSED, "ada", points=4, max_points=4)
    [exercise] = new.exercises
    new = replace(new, points=old.points, exercises=(replace(exercise, points=old.points),))
    assert changed_people([old], [new]) == []
    french = sample.result(sample.exercise(sample.finding(Outcome.FAILED, says="l'ordre reste")), id="ada")
    english = sample.result(sample.exercise(sample.finding(Outcome.FAILED, says=SAYS)), id="ada")
    assert changed_checks([french], [english]) == []


def test_a_check_that_everybody_fails_and_then_nobody_has_changed_wholly() -> None:
    old, new = [answer(Outcome.FAILED, "ada")], [answer(Outcome.PASSED, "zoe")]
    [share] = changed_checks(old, new)
    assert (share.what, share.before, share.after) == (SAYS, 1, 0)
    [mistake] = changed_mistakes(old, new)
    assert (mistake.what, mistake.before, mistake.after) == (sample.MISTAKE.name, 1, 0)


def test_equal_classes_have_no_change() -> None:
    same = [answer(Outcome.FAILED, "ada"), answer(Outcome.PASSED, "ben")]
    assert (changed_people(same, same), changed_checks(same, same), changed_mistakes(same, same)) == (
        [],
        [],
        [],
    )


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "1 gain points, 0 lose some"), ("fr", "1 gagnent des points")]
)
def test_the_command_says_it_in_both_languages(tmp_path: Path, lang: str, said: str) -> None:
    for folder, outcome in (("old", Outcome.FAILED), ("new", Outcome.PASSED)):
        write_result(tmp_path / folder, answer(outcome, "ada"))
    asked = ["compare", str(tmp_path / "old"), str(tmp_path / "new"), "--lang", lang]
    shown = CliRunner().invoke(main, asked, catch_exceptions=False)
    assert shown.exit_code == 0
    assert said in " ".join(shown.output.split())
    assert SAYS in shown.output
