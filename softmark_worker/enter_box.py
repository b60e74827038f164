"""A forked interpreter enters the box that bubblewrap has built: its namespaces, its paths, its few rights.

bubblewrap starts a small program, the holder, in the box. The interpreter cannot be that program, since it
must not import torch again; so it joins the holder's namespaces (setns(2)) and gives up what bubblewrap
takes from a program: every capability that the interpreter does not need, and new privileges for good.
"""

import fcntl
import io
import json
import os
import signal
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from softmark_worker import syscalls

NS_GET_USERNS = 0xB701  # ioctl_ns(2)
CHDIR = "/tmp"  # noqa: S108 (of the box)

# In the order in which they are joined: the folders last, since /proc goes with them.
_JOINED = {
    "cgroup": syscalls.CLONE_NEWCGROUP,
    "ipc": syscalls.CLONE_NEWIPC,
    "uts": syscalls.CLONE_NEWUTS,
    "net": syscalls.CLONE_NEWNET,
    "pid": syscalls.CLONE_NEWPID,
    "mnt": syscalls.CLONE_NEWNS,
}


class HolderLost(Exception):
    """bubblewrap could not build the box."""


def redirect(errors: int) -> None:
    """Put nothing on 0 and 1 and the host's file on 2, written to at once, as `python -u` does."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for source, target in ((nothing, 0), (nothing, 1), (errors, 2)):
        os.dup2(source, target)
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        raw = io.FileIO(descriptor, "wb", closefd=False)
        stream = io.TextIOWrapper(raw, "utf-8", "backslashreplace", write_through=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.close(nothing)
    os.close(errors)


def join_namespaces(information: int, report: int) -> None:
    """Join the namespaces of the holder; a process that is forked from here on is in all of them.

    Args:
        information: a file into which bubblewrap writes the holder's process id, as JSON, before the holder
            runs.
        report: where the holder writes once the box is built around it.

    Raises:
        HolderLost: bubblewrap ended before.
        OSError: the kernel refuses.
    """
    if not os.read(report, 1):
        raise HolderLost
    holder = json.loads(os.pread(information, 4096, 0))["child-pid"]
    folder = f"/proc/{holder}/ns"
    opened = {name: os.open(f"{folder}/{name}", os.O_RDONLY) for name in ("user", *_JOINED)}
    # bubblewrap builds the box in one user namespace and runs the program in one below it.
    owner = fcntl.ioctl(opened["mnt"], NS_GET_USERNS)
    different = {name: kind for name, kind in _JOINED.items() if not _is_own(name, opened[name])}
    final = not _is_own("user", opened["user"])
    inside = not os.path.samestat(os.fstat(owner), os.fstat(opened["user"]))
    if not _is_own("user", owner):
        syscalls.setns(owner, syscalls.CLONE_NEWUSER)
    for name, kind in different.items():
        syscalls.setns(opened[name], kind)
    if final and inside:
        syscalls.setns(opened["user"], syscalls.CLONE_NEWUSER)
    for descriptor in (information, report, owner, *opened.values()):
        os.close(descriptor)
    os.chdir(CHDIR)


def give_up_rights(asked: dict[str, Any]) -> None:
    """Give up the capabilities that an interpreter in a box does not need, and new privileges for good."""
    if asked["holder"]:
        syscalls.keep_capabilities(asked["capabilities"])
        syscalls.no_new_privileges()


def rename_folders(folders: dict[str, str]) -> None:
    """Tell Python where the box has the folders from which modules were imported, and will be."""

    def renamed(path: Any) -> Any:
        inside = [f for f in folders if isinstance(path, str) and (path == f or path.startswith(f"{f}/"))]
        return folders[inside[0]] + path[len(inside[0]) :] if inside else path

    sys.path[:] = map(renamed, sys.path)
    sys.path_importer_cache.clear()
    for name in ("prefix", "exec_prefix", "executable"):
        setattr(sys, name, renamed(getattr(sys, name)))
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType):
            _rename_paths(module, renamed)


def _rename_paths(module: ModuleType, renamed: Callable[[Any], Any]) -> None:
    """Rename the paths of a module: those that it is found by, and those by which it finds others."""
    own = vars(module)  # not getattr: some modules make up whatever they are asked for
    spec = own.get("__spec__")
    loader = getattr(spec, "loader", None)
    for holder, names in ((own, ("__file__", "__cached__")), (vars(spec) if spec else {}, ("origin",))):
        for name in names:
            if name in holder:
                holder[name] = renamed(holder[name])
    for paths in (own.get("__path__"), getattr(spec, "submodule_search_locations", None)):
        if isinstance(paths, list):
            paths[:] = map(renamed, paths)
    if loader is not None and isinstance(getattr(loader, "path", None), str):
        loader.path = renamed(loader.path)


def _is_own(name: str, descriptor: int) -> bool:
    """Whether this process is in the namespace already."""
    return os.path.samestat(os.fstat(descriptor), os.stat(f"/proc/self/ns/{name}"))  # noqa: PTH116
