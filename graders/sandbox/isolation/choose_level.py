"""Which rung holds here: each is built and tried, best first. There is no silent step down."""

from collections.abc import Iterator
from dataclasses import dataclass

from graders.language import later, tr
from graders.sandbox.box import Box, BoxBroken
from graders.sandbox.isolation.level import Rung
from graders.sandbox.isolation.selftest import holes
from graders.sandbox.limits import Limits
from graders.sandbox.process_lost import Lost

# What would lift a rung, by words in the reason why it does not hold.
_ADVICE = (
    (("'bwrap'", "bwrap: not found"), later("install bubblewrap (Debian, Ubuntu: apt install bubblewrap)")),
    (
        ("setting up uid map",),
        later(
            "AppArmor forbids user namespaces: "
            "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or a profile for bwrap"
        ),
    ),
    (
        ("No space left", "ENOSPC"),
        later("user namespaces are used up or forbidden: sysctl user.max_user_namespaces"),
    ),
    (
        ("clone: ", "unshare", "Creating new namespace"),
        later("namespaces are forbidden here: run softmark outside of this container"),
    ),
    (("libseccomp",), later("install libseccomp (Debian, Ubuntu: apt install libseccomp2) and pyseccomp")),
    (
        ("LANDLOCK", "Landlock", "syscall: "),
        later("a kernel with Landlock in its list of security modules (5.13 or newer)"),
    ),
    (("only its owner may read",), later("a Python that every user may read, such as the system's")),
    (("GPU driver", "pilote de GPU"), later("install NVIDIA's driver")),
)


@dataclass(frozen=True)
class Step:
    """A rung that was tried, and why it does not hold, where it does not. Text for staff."""

    rung: Rung
    problem: str | None

    @property
    def advice(self) -> str | None:
        """What would make it hold, where that is known."""
        problem = self.problem or ""
        return next((tr(advice) for words, advice in _ADVICE if any(w in problem for w in words)), None)


class NoWall(Exception):
    """The wanted rung does not hold here. Text for whoever asked for it."""


def tried(rung: Rung, limits: Limits, device: str = "cpu") -> tuple[Box | None, Step]:
    """A warm box on a rung, where it holds; the caller closes it."""
    box = Box(rung, limits, device)
    try:
        box.start()
        found = holes(box) if rung is not Rung.OPEN else []
    except (BoxBroken, Lost, OSError) as error:
        found = [f"{error}{f' ({error.staff})' if isinstance(error, Lost) and error.staff else ''}"]
    if found:
        box.close()
        return None, Step(rung, "; ".join(found))
    return box, Step(rung, None)


def climb(limits: Limits, device: str = "cpu") -> Iterator[tuple[Box | None, Step]]:
    """Every rung tried in turn, best first, until the caller has enough."""
    for rung in Rung:
        yield tried(rung, limits, device)


def best(limits: Limits, device: str = "cpu") -> tuple[Box, list[Step]]:
    """A warm box on the best rung that holds, and the steps that led there.

    Raises:
        NoWall: not even `open` works.
    """
    steps = []
    for box, step in climb(limits, device):
        steps.append(step)
        if box:
            return box, steps
    raise NoWall(tr("no process can be started: {why}", why=steps[-1].problem))


def wanted(rung: Rung, limits: Limits, device: str = "cpu") -> Box:
    """A warm box on this rung and no other.

    Raises:
        NoWall: it does not hold here.
    """
    box, step = tried(rung, limits, device)
    if box is None:
        says = tr("the box {name} cannot be had here: {why}", name=repr(rung.value), why=step.problem)
        advice = [tr("To have it: {advice}", advice=step.advice)] if step.advice else []
        raise NoWall("\n".join([says, *advice]))
    return box
