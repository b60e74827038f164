"""The attacks: a file for each, handed in as a student would, whose docstring says how it must end.

    \"\"\"The environment of every process is read from /proc.

    outcome: raised or failed
    bites: open
    \"\"\"

The first line describes the attack. These keys may follow, one on a line:

`exercise`  the exercise for which it is handed in; `concat_heads` by default
`checks`    the checks that are run, or `all`; those of `REDUCED` by default
`outcome`   how the exercise may end, the usual way first; what usually times out has less time to do so
`points`    the most points that it may get; 0 by default
`says`      words that a message or an output of the exercise contains; for an attack on the isolation its own
            words, which show that it ran in a call
`bites`     `open`: without isolation it reads a token or does harm, so the attack works; `itself`: at no
            level can it see or harm anything but its own process, and `says` shows that it did
`needs`     `tracing`: it works only where a process may trace another one of the same user
`open_at`   the isolation level that does not stop it, as SECURITY.md says under "Known and open"
"""

import platform
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from graders.course.course_file import read_course
from graders.course.exercise import Assignment, load_assignment
from graders.diagnosis.fingerprint import is_behaviour_trial
from graders.results.result import Outcome
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from tests.conftest import NIGHTLY

HERE = Path(__file__).parent
KEYS = {"exercise", "checks", "outcome", "points", "says", "bites", "needs", "open_at"}
# The minimum number of attacks in each family.
FAMILIES = {"read": 14, "forge": 18, "exhaust": 14, "escape": 12, "timing": 6}
DRAWS = 10
# Two checks of an exercise, so that an attack that hangs costs seconds; zeros fail both.
REDUCED = {
    "count_parameters": ("counts_a_real_block", "counts_the_rest"),
    "concat_heads": ("puts_each_head_in_its_columns", "leaves_its_input_alone"),
    "scaled_dot_product_attention": ("follows_its_definition", "leaves_its_arguments_alone"),
    "feed_forward": ("computes_what_the_reference_computes", "treats_positions_alike_and_apart"),
}
LIMITS = Limits(
    call_s=0.8,
    later_call_s=0.3,
    load_s=2.5,
    submission_s=4.0,
    cpu_s=20,
    memory_bytes=256 << 20,
    file_bytes=8 << 20,
    output_bytes=1 << 20,
)
# For attacks that hang: they burn all the time that they get.
IMPATIENT = replace(LIMITS, call_s=0.2, later_call_s=0.1)
# The isolation levels that must stop every attack. The others isolate nothing: there attacks must succeed.
WALLS = [level for level in IsolationLevel if level.walled]
# At the best level every attack is tried. At the others: every attack on the isolation itself, which each
# level builds in its own way, and few of those on the channel, the grader and the clock, whose code
# is the same at every level. None where every process is a new interpreter that imports torch: its wall is
# bubblewrap too, and `tests/sandbox/test_wall.py` looks for holes in it. With SOFTMARK_NIGHTLY=1
# every attack is tried at every level.
ON_ISOLATION = {"read", "escape"}
ALL, FEW, NONE = slice(None), slice(1, None, 24), slice(0)
SAMPLED = {
    IsolationLevel.BOXED: (ALL, FEW),
    IsolationLevel.REDUCED: (ALL, FEW),
    IsolationLevel.FRESH: (NONE, NONE),
}
# Time for three processes where each is a new interpreter: one is lost with the batched calls, and one with
# each check.
SLOW = replace(LIMITS, submission_s=1.5 * LIMITS.submission_s)


def limits_on(level: IsolationLevel) -> Limits:
    """The limits of an attack at an isolation level."""
    return SLOW if level is IsolationLevel.FRESH else LIMITS


@dataclass(frozen=True)
class Attack:
    """One attack and how grading it must end."""

    family: str
    path: Path
    does: str
    outcomes: frozenset[Outcome]
    hangs: bool = False
    exercise: str = "concat_heads"
    checks: tuple[str, ...] = ()
    points: float = 0
    says: str = ""
    bites: str = ""
    needs_tracing: bool = False
    open_at: IsolationLevel | None = None

    @property
    def id(self) -> str:
        """Its name in the tests' output."""
        return f"{self.family}-{self.path.stem}"

    @property
    def assignment(self) -> Assignment:
        """An assignment of its exercise alone, with few checks."""
        return reduced(self.exercise, self.checks)


@cache
def attacks() -> tuple[Attack, ...]:
    """The whole corpus, in the order of its names."""
    return tuple(read(path) for family in FAMILIES for path in sorted((HERE / family).glob("*.py")))


def cases() -> list[tuple[IsolationLevel, Attack]]:
    """Which attacks are tried at which isolation level."""
    return [(level, attack) for level in WALLS for family in FAMILIES for attack in chosen(level, family)]


def chosen(level: IsolationLevel, family: str) -> list[Attack]:
    """The attacks of a family that are tried at an isolation level."""
    whole_family = [attack for attack in attacks() if attack.family == family and attack.open_at != level]
    return whole_family[ALL if NIGHTLY else SAMPLED.get(level, (ALL, ALL))[family not in ON_ISOLATION]]


def read(path: Path) -> Attack:
    """The attack in a file, described by the docstring at its top."""
    # Read as text: some attacks cannot be parsed.
    _, text, _ = path.read_text(encoding="utf-8").split('"""', 2)
    does, _, rest = text.strip().partition("\n\n")
    keys = dict(line.split(": ", 1) for line in rest.splitlines())
    assert "\n" not in does, f"{path}: an attack is described in one line"
    assert keys.keys() <= KEYS, f"{path}: unknown keys {keys.keys() - KEYS}"
    return Attack(
        family=path.parent.name,
        path=path,
        does=does,
        outcomes=frozenset(Outcome(word) for word in keys["outcome"].split(" or ")),
        hangs=keys["outcome"].startswith(Outcome.TIMED_OUT),
        exercise=keys.get("exercise", "concat_heads"),
        checks=tuple(keys.get("checks", "").split()),
        points=float(keys.get("points", 0)),
        says=keys.get("says", ""),
        bites=keys.get("bites", ""),
        needs_tracing=keys.get("needs") == "tracing",
        open_at=IsolationLevel(keys["open_at"]) if "open_at" in keys else None,
    )


@cache
def reduced(exercise: str, checks: tuple[str, ...] = ()) -> Assignment:
    """The exercise alone, with these checks or those of `REDUCED`, and few draws; one trial of behaviour.

    Two mistakes at once in all trials of a behaviour take seconds to try, which no attack changes.
    """
    whole = load_assignment(_assignment_of(exercise)).only([exercise])
    [exercise_found] = whole.exercises
    by_name = {check.name: replace(check, draws=min(check.draws, DRAWS)) for check in exercise_found.checks}
    names = tuple(by_name) if checks == ("all",) else checks or REDUCED[exercise]
    wanted = tuple(by_name[name] for name in names)
    all_draws = exercise_found.diagnostic_draws

    def few_draws(seed: int) -> list[Any]:
        drawn = all_draws(seed)
        return drawn[:1] if drawn and is_behaviour_trial(drawn[0]) else drawn

    found = replace(exercise_found, checks=wanted, diagnostic_draws=few_draws)
    return replace(whole, exercises=(found,))


def _assignment_of(exercise: str) -> str:
    course = read_course()
    return next(a for a in course if any(e["name"] == exercise for e in course[a]["exercises"]))


def bites_here(attack: Attack) -> bool:
    """Whether the attack can succeed on this machine where nothing isolates it."""
    if sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"):
        return False
    return not attack.needs_tracing or _may_trace()


def _may_trace() -> bool:
    try:
        return Path("/proc/sys/kernel/yama/ptrace_scope").read_text().strip() == "0"
    except OSError:  # the kernel has no such restriction
        return True
