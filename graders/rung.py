"""Which box this machine can build, and the command that starts the warm interpreter in it.

`nested`: bubblewrap around the warm interpreter, and new namespaces for every submission inside it.
`open`: no wall at all, only time and resource limits; for one's own code.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from enum import StrEnum, unique
from pathlib import Path

import graders.worker

WORKER = Path(graders.worker.__file__).parent
OURS = ("graders", "reports", "assignments", "solutions")
THREADS = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# A fixed hash seed makes sets of strings iterate alike in every run: the same findings every time.
ENVIRONMENT = {
    "PATH": "/usr/bin",
    "HOME": "/tmp",  # noqa: S108 (inside the box: a scratch folder of its own)
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "MPLBACKEND": "agg",
    **THREADS,
}


@unique
class Rung(StrEnum):
    """How well student code is enclosed, best first."""

    NESTED = "nested"
    OPEN = "open"


def command(rung: Rung, script: str, *arguments: str) -> list[str]:
    """The argument list that runs a script of `graders/worker/` on `rung`."""
    flags = ["-s", "-P", "-B", "-u"]
    if rung is Rung.OPEN:
        return [sys.executable, *flags, str(WORKER / script), *arguments]
    return [*_bubblewrap(), str(_boxed(Path(sys.executable))), *flags, f"/worker/{script}", *arguments]


def best() -> tuple[Rung, str | None]:
    """The best rung that holds on this machine, and where it is not the best of all, why."""
    if shutil.which("bwrap") is None:
        return Rung.OPEN, "bubblewrap is not installed (Debian and Ubuntu: apt install bubblewrap)"
    tried = subprocess.run(
        command(Rung.NESTED, "probe.py"), capture_output=True, text=True, check=False, timeout=30
    )
    if tried.returncode == 0:
        return Rung.NESTED, None
    words = (tried.stderr or tried.stdout).strip().splitlines() or [f"status {tried.returncode}"]
    return Rung.OPEN, f"bubblewrap cannot make its namespaces here: {words[-1]}"


def _bubblewrap() -> list[str]:
    arguments = ["bwrap", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "box"]
    if os.getuid() == 0:
        # No user namespace here: the warm interpreter must be able to become a user that is not root.
        arguments += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
        arguments += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        arguments += ["--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000"]
    arguments += ["--clearenv"]
    for name, value in ENVIRONMENT.items():
        arguments += ["--setenv", name, value]
    arguments += ["--dir", "/etc", "--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp"]  # noqa: S108
    return [*arguments, *_system(), *_python(), "--ro-bind", str(WORKER), "/worker", "--chdir", "/tmp"]  # noqa: S108


def _system() -> list[str]:
    """The system's libraries, as the host has them: real folders bound, links made again."""
    arguments = []
    for folder in (Path("/usr"), Path("/lib"), Path("/lib64"), Path("/bin"), Path("/etc/alternatives")):
        if folder.is_symlink():
            arguments += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.exists():
            arguments += ["--ro-bind", str(folder), str(folder)]
    return arguments


def _python() -> list[str]:
    """The interpreter and its packages, without ours: no check and no reference exists in the box."""
    base, prefix = Path(sys.base_prefix), Path(sys.prefix)
    arguments = []
    if not base.is_relative_to("/usr"):
        for parent in reversed(base.parents[:-1]):
            arguments += ["--perms", "0755", "--dir", str(parent)]  # else 0700, closed to another uid
        arguments += ["--ro-bind", str(base), str(base)]
    if prefix != base:
        arguments += ["--ro-bind", str(prefix), str(_boxed(prefix))]
    for scheme in ("purelib", "platlib"):
        packages = Path(sysconfig.get_path(scheme))
        for name in OURS:
            if (packages / name).is_dir():
                arguments += ["--tmpfs", str(_boxed(packages / name))]
    return arguments


def _boxed(path: Path) -> Path:
    """Where a path of the virtual environment lies in the box: under /env, since /tmp is covered there."""
    prefix = Path(sys.prefix)
    if sys.prefix != sys.base_prefix and path.is_relative_to(prefix):
        return Path("/env") / path.relative_to(prefix)
    return path
