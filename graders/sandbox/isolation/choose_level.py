"""Which rung holds here: each is built and tried, best first. There is no silent step down."""

from collections.abc import Iterator
from dataclasses import dataclass

from graders.language import tr, translatable
from graders.sandbox.box import Box, BoxBroken
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.isolation.selftest import holes
from graders.sandbox.limits import Limits
from graders.sandbox.process_lost import ProcessLost

# What would lift a rung, by words in the reason why it does not hold.
_ADVICE = (
    (
        ("'bwrap'", "bwrap: not found"),
        translatable("install bubblewrap (Debian, Ubuntu: apt install bubblewrap)"),
    ),
    (
        ("setting up uid map",),
        translatable(
            "AppArmor forbids user namespaces: "
            "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or a profile for bwrap"
        ),
    ),
    (
        ("No space left", "ENOSPC"),
        translatable("user namespaces are used up or forbidden: sysctl user.max_user_namespaces"),
    ),
    (
        ("clone: ", "unshare", "Creating new namespace"),
        translatable("namespaces are forbidden here: run softmark outside of this container"),
    ),
    (
        ("libseccomp",),
        translatable("install libseccomp (Debian, Ubuntu: apt install libseccomp2) and pyseccomp"),
    ),
    (
        ("LANDLOCK", "Landlock", "syscall: "),
        translatable("a kernel with Landlock in its list of security modules (5.13 or newer)"),
    ),
    (("only its owner may read",), translatable("a Python that every user may read, such as the system's")),
    (("GPU driver", "pilote de GPU"), translatable("install NVIDIA's driver")),
)


@dataclass(frozen=True)
class Step:
    """A rung that was tried, and why it does not hold, where it does not. Text for staff."""

    level: IsolationLevel
    problem: str | None

    @property
    def advice(self) -> str | None:
        """What would make it hold, where that is known."""
        problem = self.problem or ""
        return next((tr(advice) for words, advice in _ADVICE if any(w in problem for w in words)), None)


class NoIsolation(Exception):
    """The wanted rung does not hold here. Text for whoever asked for it."""


def try_level(level: IsolationLevel, limits: Limits, device: str = "cpu") -> tuple[Box | None, Step]:
    """A warm box on a rung, where it holds; the caller closes it."""
    box = Box(level, limits, device)
    try:
        box.start()
        found = holes(box) if level is not IsolationLevel.OPEN else []
    except (BoxBroken, ProcessLost, OSError) as error:
        found = [f"{error}{f' ({error.staff})' if isinstance(error, ProcessLost) and error.staff else ''}"]
    if found:
        box.close()
        return None, Step(level, "; ".join(found))
    return box, Step(level, None)


def choose_level(limits: Limits, device: str = "cpu") -> Iterator[tuple[Box | None, Step]]:
    """Every rung tried in turn, best first, until the caller has enough."""
    for level in IsolationLevel:
        yield try_level(level, limits, device)


def best(limits: Limits, device: str = "cpu") -> tuple[Box, list[Step]]:
    """A warm box on the best rung that holds, and the steps that led there.

    Raises:
        NoWall: not even `open` works.
    """
    steps = []
    for box, step in choose_level(limits, device):
        steps.append(step)
        if box:
            return box, steps
    raise NoIsolation(tr("no process can be started: {why}", why=steps[-1].problem))


def wanted(level: IsolationLevel, limits: Limits, device: str = "cpu") -> Box:
    """A warm box on this rung and no other.

    Raises:
        NoWall: it does not hold here.
    """
    box, step = try_level(level, limits, device)
    if box is None:
        says = tr("the box {name} cannot be had here: {why}", name=repr(level.value), why=step.problem)
        advice = [tr("To have it: {advice}", advice=step.advice)] if step.advice else []
        raise NoIsolation("\n".join([says, *advice]))
    return box
