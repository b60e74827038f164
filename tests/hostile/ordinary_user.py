"""Starts a program as an ordinary user, in a namespace of processes and of IPC of its own.

What attacks do without a wall ends there: they reach this namespace's processes and that user's files.
"""

import os
import shlex
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
USER = 64_217  # nobody's
NAMESPACES = ("--mount", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc")


def why_not() -> str | None:
    """Why no program can be started so here; None if it can."""
    missing = [name for name in ("unshare", "setpriv") if shutil.which(name) is None]
    if sys.platform != "linux" or missing:
        return f"there is no {' and no '.join(missing or ['Linux'])}"
    return None


def command(folder: Path, *arguments: str) -> list[str]:
    """The command line that runs Python with these arguments as an ordinary user.

    Args:
        folder: which becomes the user's own, and home.
        arguments: for Python, which starts in the repository.
    """
    variables = [f"HOME={folder}", f"TMPDIR={folder}", "PATH=/usr/bin:/bin", "LANG=C.UTF-8"]
    python = shlex.join(["env", "-i", *variables, sys.executable, "-B", *arguments])
    if os.getuid():
        return ["unshare", "--user", "--map-current-user", *NAMESPACES, "sh", "-c", f"{python}; exit $?"]
    # The shell stays root's and the first process, which code of the user cannot end.
    as_user = f"setpriv --reuid={USER} --regid={USER} --clear-groups --inh-caps=-all {python}; exit $?"
    steps = [*_readable(folder), f"chown {USER}:{USER} {shlex.quote(str(folder))}", as_user]
    return ["unshare", *NAMESPACES, "sh", "-c", "\n".join(["set -e", *steps[:-1], "set +e", as_user])]


def _readable(folder: Path) -> list[str]:
    """Steps that show what Python needs in folders that only root may enter, and nothing else of them."""
    needed = {Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), ROOT, folder}
    hidden: dict[Path, list[Path]] = {}
    for path in sorted(needed):
        closed = [parent for parent in path.parents if not parent.stat().st_mode & 0o001]
        if closed:
            hidden.setdefault(closed[-1], []).append(path)
    steps = []
    for parent, paths in hidden.items():
        keep = [(shlex.quote(str(path)), f"/proc/self/fd/{number}") for number, path in enumerate(paths, 3)]
        steps += [f"exec {fd.rpartition('/')[2]}<{path}" for path, fd in keep]
        steps.append(f"mount -t tmpfs -o mode=755 none {shlex.quote(str(parent))}")
        steps += [f"mkdir -p {path} && mount -c --bind {fd} {path}" for path, fd in keep]
    return steps
