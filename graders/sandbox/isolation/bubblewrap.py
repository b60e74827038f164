"""The command that starts the warm interpreter under bubblewrap (bwrap(1))."""

import os

from graders.locations import WORKER
from graders.sandbox.isolation.gpu import Gpu
from graders.sandbox.isolation.visible_paths import SYSTEM, ours, python, within

SCRATCH = "/tmp"  # noqa: S108 (inside the box: a folder of its own)


def wrap_command(environment: dict[str, str], scratch_bytes: int, gpu: Gpu | None) -> list[str]:
    """The command up to the interpreter and its arguments."""
    arguments = ["bwrap", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "box"]
    if os.getuid() == 0:
        # No user namespace: the warm interpreter must be able to change to a uid that is not root's.
        arguments += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
        arguments += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        arguments += ["--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000"]
    arguments += ["--clearenv"]
    for name, value in environment.items():
        arguments += ["--setenv", name, value]
    arguments += ["--dir", "/etc", "--proc", "/proc", "--dev", "/dev"]
    arguments += ["--perms", "1777", "--size", str(scratch_bytes), "--tmpfs", SCRATCH]
    arguments += [*_system(), *_python(), *(_gpu(gpu) if gpu else ()), *_hiding_mounts()]
    arguments += ["--ro-bind", str(WORKER), "/worker", "--chdir", SCRATCH]
    # Last: if softmark is not root, the student's uid owns the folders that bubblewrap creates.
    return [*arguments, "--remount-ro", "/", "--remount-ro", "/dev"]


def _system() -> list[str]:
    """Bind mounts of the system's folders; those that are symbolic links on the host become links again."""
    arguments = []
    for folder in SYSTEM:
        if folder.is_symlink():
            arguments += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.exists():
            arguments += ["--ro-bind", str(folder), str(folder)]
    return arguments


def _python() -> list[str]:
    arguments = []
    for folder, place in python().items():
        for parent in reversed(place.parents[:-1]):
            arguments += ["--perms", "0755", "--dir", str(parent)]  # else 0700: no access for another uid
        arguments += ["--ro-bind", str(folder), str(place)]
    return arguments


def _hiding_mounts() -> list[str]:
    """Empty folders mounted over softmark's own wherever they lie in a bind mount."""
    bound = {folder: folder for folder in SYSTEM if not folder.is_symlink()} | python()
    hidden = {place / path for folder, place in bound.items() for path in within(folder, ours())}
    return [word for path in sorted(hidden) for word in ("--tmpfs", str(path))]


def _gpu(gpu: Gpu) -> list[str]:
    arguments = ["--ro-bind", "/sys", "/sys"]
    for device in gpu.devices:
        arguments += ["--dev-bind", device, device]
    for folder in gpu.libraries:
        arguments += ["--ro-bind-try", folder, folder]
    return arguments
