"""Where a core check failed, nobody has to decide the checks that were skipped: the code is wrong."""

from types import SimpleNamespace
from typing import Any

import pytest

from graders.judging.undecidable import decide_where_wrong, undecidable_checks
from graders.results.result import Finding, Outcome

CHECKS = [SimpleNamespace(name=name, core=name.startswith("core")) for name in ("core", "side", "far")]
EXERCISE: Any = SimpleNamespace(checks=CHECKS)
# Only `far` needs the reference, which is not there.
DRAWS: Any = SimpleNamespace(decidable=lambda _, check: check.name != "far")


def of(*outcomes: Outcome) -> list[Finding]:
    return [Finding(c.name, outcome, 0, 1, "") for c, outcome in zip(CHECKS, outcomes, strict=True)]


PASSED, FAILED, RAISED, SKIPPED = Outcome.PASSED, Outcome.FAILED, Outcome.RAISED, Outcome.SKIPPED


@pytest.mark.parametrize(
    ("outcomes", "tried_again"),
    [
        ((FAILED, SKIPPED, SKIPPED), ["side"]),
        ((FAILED, PASSED, SKIPPED), []),
        ((FAILED, FAILED, FAILED), []),
        ((PASSED, SKIPPED, SKIPPED), []),
        ((PASSED, FAILED, SKIPPED), []),
        ((RAISED, SKIPPED, SKIPPED), []),
        ((SKIPPED, FAILED, PASSED), []),
        ((SKIPPED, SKIPPED, FAILED), []),
    ],
)
def test_a_skipped_check_is_tried_again_only_where_a_core_check_failed(
    outcomes: tuple[Outcome, ...], tried_again: list[str]
):
    tried = []

    def try_again(check: Any) -> Finding:
        tried.append(check.name)
        return Finding(check.name, FAILED, 0, 1, "", "again")

    findings = of(*outcomes)
    decided = decide_where_wrong(EXERCISE, DRAWS, findings, try_again)
    assert tried == tried_again
    for before, after in zip(findings, decided, strict=True):
        assert after.check == before.check
        assert after.message == ("again" if after.check in tried_again else None)


def test_undecidable_are_the_skipped_checks_for_which_there_is_a_reference():
    assert [c.name for c in undecidable_checks(EXERCISE, DRAWS, of(FAILED, SKIPPED, SKIPPED))] == ["side"]
    assert undecidable_checks(EXERCISE, DRAWS, of(FAILED, PASSED, Outcome.BROKEN)) == []
