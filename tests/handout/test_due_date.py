"""A handout says when it is to be handed in and what lateness costs, in both languages."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from graders.course.exercise import load_assignment
from graders.course.late_policy import LatePolicy
from graders.handout import platform_files
from graders.handout.due_date import describe_due
from graders.handout.platform_files import Bundle
from graders.language import Language, speaking

DUE = datetime(2026, 11, 20, 23, 59, tzinfo=ZoneInfo("Europe/Paris"))


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (LatePolicy(DUE), ["To be handed in by 2026-11-20 23:59 (Europe/Paris)."]),
        (LatePolicy(DUE, grace_minutes=15), ["at most 15 minutes later is in time"]),
        (LatePolicy(DUE, per_day=0.1), ["Each further day begun costs 10% of the maximum."]),
        (LatePolicy(DUE, per_day=0.1, most=0.5, of="reached"), ["of the points reached, and at most 50%."]),
        (LatePolicy(DUE, free_days=2, closes=DUE + timedelta(7)), ["2 late days are free.", "counts 0."]),
        (LatePolicy(DUE.astimezone(timezone(timedelta(hours=1)))), ["(UTC+01:00)"]),
        (LatePolicy(DUE.astimezone(UTC)), ["2026-11-20 22:59 (UTC)"]),
    ],
)
def test_each_rule_of_lateness_has_its_sentence(policy: LatePolicy, says: list[str]) -> None:
    with speaking("en"):
        paragraph = describe_due(policy)
    assert all(sentence in paragraph for sentence in says)


@pytest.mark.parametrize(("language", "says"), [("en", "To be handed in by"), ("fr", "À rendre avant le")])
def test_the_notebook_and_the_readme_say_it(monkeypatch, language: Language, says: str) -> None:
    monkeypatch.setattr(platform_files, "late_policy", lambda _: LatePolicy(DUE, per_day=0.1))
    assert {name for name, text in handed_out(language).items() if says in text} == {
        "README.md",
        "attention.ipynb",
        "attention.py",
    }
    monkeypatch.setattr(platform_files, "late_policy", lambda _: None)
    assert not any(says in text for text in handed_out(language).values())


def handed_out(language: Language) -> dict[str, str]:
    files = Bundle(load_assignment("attention"), language, "moodle", softmark="softmark").students()
    return {name: data.decode("utf-8", "replace") for name, data in files.items()}
