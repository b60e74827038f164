"""What this machine lacks if an isolation level fails, and how to get it."""

import errno
import shlex
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from graders.language import tr, translatable

LINE_LIMIT = 200  # characters of a report by another program
PROFILES = Path(__file__).with_name("profiles")
_FILES = {
    "apparmor": shlex.quote(str(PROFILES / "softmark-bwrap")),
    "seccomp": shlex.quote(str(PROFILES / "seccomp.json")),
}


class Cause(Enum):
    """What is missing. The value is the advice."""

    NO_FORKED_BOXES = translatable("run softmark on Linux, or in WSL or a container with Linux")
    NO_BUBBLEWRAP = translatable("install bubblewrap (Debian, Ubuntu: apt install bubblewrap)")
    APPARMOR = translatable(
        "AppArmor forbids user namespaces; allow them to bubblewrap: "
        "sudo cp {apparmor} /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/softmark-bwrap"
    )
    CONTAINER = translatable(
        "start the container with --security-opt seccomp={seccomp} and --security-opt unmask=ALL"
    )
    NAMESPACES_USED_UP = translatable(
        "user namespaces are used up or forbidden: sysctl user.max_user_namespaces"
    )
    NAMESPACES_FORBIDDEN = translatable(
        "namespaces are forbidden here: run softmark outside of this container"
    )
    NO_LIBSECCOMP = translatable("install libseccomp (Debian, Ubuntu: apt install libseccomp2) and pyseccomp")
    NO_LANDLOCK = translatable("a kernel with Landlock in its list of security modules (5.13 or newer)")
    PYTHON_NOT_READABLE = translatable("a Python that every user may read, such as the system's")
    NO_GPU_DRIVER = translatable("install NVIDIA's driver")

    @property
    def says(self) -> str:
        """What is missing, in the current language."""
        return tr(_WHAT_IS_MISSING[self])

    @property
    def advice(self) -> str:
        """How to get what is missing, in the current language."""
        return tr(self.value, **_FILES)


_WHAT_IS_MISSING = {
    Cause.NO_FORKED_BOXES: translatable("boxes exist on Linux alone"),
    Cause.NO_BUBBLEWRAP: translatable("bubblewrap is not installed"),
    Cause.APPARMOR: translatable("AppArmor forbids user namespaces"),
    Cause.CONTAINER: translatable("the container forbids mounts or a host name of one's own"),
    Cause.NAMESPACES_USED_UP: translatable("user namespaces are used up or forbidden"),
    Cause.NAMESPACES_FORBIDDEN: translatable("namespaces are forbidden here"),
    Cause.NO_LIBSECCOMP: translatable("libseccomp cannot be used"),
    Cause.NO_LANDLOCK: translatable("the kernel has no Landlock"),
    Cause.PYTHON_NOT_READABLE: translatable("Python lies where only its owner may read"),
    Cause.NO_GPU_DRIVER: translatable("no GPU driver is installed here"),
}


def describe_failure(report: object, cause: Cause | None) -> str:
    """What is missing, in one line: our own sentence, or the last line of the report of another program."""
    if cause is not None:
        return cause.says
    lines = str(report).strip().splitlines()
    return lines[-1].strip()[:LINE_LIMIT] if lines else tr("it said nothing")


# bubblewrap reports errors only as text: words of its messages, from its source code.
_BUBBLEWRAP = {
    "setting up uid map": Cause.APPARMOR,
    "set hostname": Cause.CONTAINER,
    "mount proc": Cause.CONTAINER,
    "No space left": Cause.NAMESPACES_USED_UP,
    "Creating new namespace": Cause.NAMESPACES_FORBIDDEN,
    "unshare": Cause.NAMESPACES_FORBIDDEN,
}


def cause_from_bubblewrap(text: str) -> Cause | None:
    """The cause that an error message of bubblewrap names, if it is a known one."""
    return next((cause for words, cause in _BUBBLEWRAP.items() if words in text), None)


def cause_from_report(report: Mapping[str, Any]) -> Cause | None:
    """The cause that the worker reports: the system call that failed, with its error number."""
    if report.get("call") == "clone":
        used_up = report.get("errno") == errno.ENOSPC
        return Cause.NAMESPACES_USED_UP if used_up else Cause.NAMESPACES_FORBIDDEN
    # Only Landlock's calls are made by syscall(2), since the C library has no function for them.
    return Cause.NO_LANDLOCK if report.get("call") == "syscall" else None
