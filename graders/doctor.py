"""What this machine offers, and what to install: facts for `softmark doctor`."""

import platform
import shutil
import subprocess
from dataclasses import dataclass
from importlib.metadata import version

import torch

from graders import reference
from graders.child import Lost
from graders.rung import Rung, best
from graders.sandbox import Box, BoxBroken


@dataclass(frozen=True)
class Fact:
    """One line: what was looked at, what was found, whether it is well, and what to do if not."""

    what: str
    found: str
    well: bool = True
    advice: str | None = None


def facts() -> list[Fact]:
    """All facts, the box last."""
    return [
        Fact("softmark", version("softmark")),
        Fact("Python", f"{platform.python_version()} on {platform.platform(terse=True)}"),
        Fact("torch", f"{torch.__version__}, {_build()}"),
        Fact("devices", ", ".join(["cpu", *_devices()])),
        _solutions(),
        _bubblewrap(),
        _box(),
    ]


def _build() -> str:
    return f"built for CUDA {torch.version.cuda}" if torch.version.cuda else "CPU build"


def _devices() -> list[str]:
    return [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]


def _solutions() -> Fact:
    found = reference.folder()
    if found:
        return Fact("references", f"in {found}")
    advice = f"only instructors have them; {reference.VARIABLE} may say where they lie"
    return Fact("references", "none: checks that need one are skipped", True, advice)


def _bubblewrap() -> Fact:
    if shutil.which("bwrap") is None:
        return Fact("bubblewrap", "not installed", False, "Debian and Ubuntu: apt install bubblewrap")
    said = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout
    return Fact("bubblewrap", said.strip())


def _box() -> Fact:
    rung, problem = best()
    if rung is Rung.OPEN:
        return Fact("box", f"open: {problem}", False, "check works on one's own code; grade needs --unsafe")
    try:
        with Box(rung) as box, box.fork():
            return Fact("box", f"{rung}: bubblewrap, and namespaces of its own for each submission")
    except (BoxBroken, Lost, OSError) as error:
        return Fact("box", f"{rung} does not start: {error}", False, "report this")
