"""Attacks of the corpus at every isolation level: each gains nothing, learns nothing, leaves nothing."""

import ast
import re

import pytest

from graders.results.result import Outcome, Result
from graders.sandbox.isolation.level import IsolationLevel
from tests.conftest import NIGHTLY
from tests.hostile.corpus import FAMILIES, HERE, ON_ISOLATION, WALLS, Attack, attacks, cases
from tests.hostile.ground import Ground, Seen, harm, rows, show, survivors, told, traces

pytestmark = pytest.mark.programs

ATTACKS = attacks()
# What an attack may call while it is loaded: to make a value that it uses later.
PLAIN = {"re.compile", "ctypes.CDLL", "platform.machine", "bytearray", "os.path.expanduser"}
DECLARES = {"libc"}  # whose functions get the types of their arguments
ON_REPORTS = {"forge", "exhaust"}  # what they write to people lies, or is endless
MOST_BYTES = 1 << 18  # of a result: one submission must not fill the class's pages


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
    assert attack.says in told(exercise)
    assert harm(result) == []
    assert_nothing_leaks(walled, attack, result)
    if is_followed(walled, attack):
        assert walled.honest().points == 2
    walled.settle()
    assert survivors(before) == set()
    assert traces() == []
    assert walled.planted.written() == written


def is_followed(walled: Ground, attack: Attack) -> bool:
    """Whether an honest submission shows that an attack left nothing; what reads leaves least."""
    if walled.level is IsolationLevel.FRESH:  # there it has an interpreter of its own
        return False
    return NIGHTLY or walled.level is WALLS[0] or attack.family != "read"


def assert_nothing_leaks(walled: Ground, attack: Attack, result: Result) -> None:
    # What a page shows is in the result; how it shows it does not depend on the isolation level.
    pages = NIGHTLY or (walled.level is WALLS[0] and attack.family in ON_REPORTS)
    shown = show(result, pages)
    assert walled.planted.found_in(*shown.texts) == set()
    assert len(shown.json) < MOST_BYTES
    if pages:
        assert_harmless(shown)


def assert_harmless(shown: Seen) -> None:
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown.terminal
    )
    assert not re.search(r"<(script|img|iframe)\b[^>]*softmark", shown.page)
    header, row = rows(shown.csv)
    assert len(header) == len(row)
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)


def test_every_attack_on_the_isolation_shows_that_it_ran():
    for attack in ATTACKS:
        if attack.family in ON_ISOLATION:
            assert attack.says, attack.id
            assert attack.bites in ("open", "itself"), attack.id


@pytest.mark.parametrize("family", [*sorted(ON_ISOLATION), "timing", "clocked"])
def test_no_attack_on_the_isolation_or_the_clock_acts_outside_of_a_call(family: str):
    """What stands at the top of a file is cut away, or runs while nobody looks at what it gives."""
    for path in (HERE / family).glob("*.py"):
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            assert not acts(statement), f"{path.name}, line {statement.lineno}"


def acts(statement: ast.stmt) -> bool:
    """Whether a statement calls a function of the attack's own, or changes something, when it runs."""
    if isinstance(statement, ast.FunctionDef):
        return any(
            isinstance(node, ast.Call) for default in statement.args.defaults for node in ast.walk(default)
        )
    if isinstance(statement, ast.For | ast.While | ast.With | ast.If | ast.Try):
        return True
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Attribute):
        return ast.unparse(statement.targets[0]).partition(".")[0] not in DECLARES
    if not isinstance(statement, ast.Assign | ast.Expr):
        return False
    calls = [ast.unparse(node.func) for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return any(call not in PLAIN for call in calls)


def test_the_corpus_is_large():
    for family, least in FAMILIES.items():
        assert sum(attack.family == family for attack in ATTACKS) >= least, family


def test_every_attack_has_a_description_of_its_own():
    assert len({attack.does for attack in ATTACKS}) == len(ATTACKS)
