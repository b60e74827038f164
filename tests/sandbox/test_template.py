"""An interpreter that is forked from the template has no more than one that bubblewrap starts itself."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import try_level
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.template import Template, current_template
from graders.timing.cpu_clock import descendants
from tests.support.processes import alive

HOST = """
import os, socket, time
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.template import Template

ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
with open(os.devnull, "w+b") as errors:
    Template(ours).fork(IsolationLevel.BOXED, Limits(), theirs, errors)
print("started", flush=True)
time.sleep(60)
"""
EQUAL = ("Uid", "Gid", "Groups", "CapPrm", "CapEff", "CapAmb", "NoNewPrivs", "Threads")


@pytest.fixture
def template() -> Template:
    template = current_template()
    assert template is not None
    return template


def kinds_of_files(process: Path) -> set[str]:
    """What a process has open. It may close a file while this looks."""
    kinds = set()
    for link in (process / "fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            kinds.add(str(link.readlink()).split(":")[0])
    return kinds


def facts(pid: int) -> dict[str, Any]:
    """What the kernel says of a process: its rights, namespaces, files and environment."""
    process = Path(f"/proc/{pid}")
    lines = (line.split(":", 1) for line in (process / "status").read_text().splitlines())
    status = {name: value.strip() for name, value in lines}
    kinds = kinds_of_files(process)
    own = {link.name for link in (process / "ns").iterdir() if link.readlink() != host_namespace(link.name)}
    return {
        **{name: status[name] for name in EQUAL},
        "bounding": int(status["CapBnd"], 16) | int(status["CapInh"], 16),
        "depth": len(status["NSpid"].split()),
        "namespaces": own,
        "files": {"file" if "deleted" in kind else kind for kind in kinds},
        "environment": {*(process / "environ").read_bytes().split(b"\0")} - {b"PWD=/tmp"},
        "folders": {path.name for path in (process / "root").iterdir()},
        "at": (process / "cwd").readlink(),
    }


def host_namespace(name: str) -> Path:
    return Path(f"/proc/self/ns/{name}").readlink()


@pytest.mark.programs
@pytest.mark.skipif(os.getuid() != 0, reason="only root may look at a process that may not be traced")
@pytest.mark.parametrize(  # both levels are forked below the same bubblewrap
    "level", [IsolationLevel.NESTED, pytest.param(IsolationLevel.BOXED, marks=pytest.mark.nightly)]
)
def test_a_forked_interpreter_has_no_more_than_a_program_of_bubblewrap(level, template, monkeypatch):
    seen = []
    for forked in (True, False):
        if not forked:
            monkeypatch.setattr("graders.sandbox.template._template", None)
        box, step = try_level(level, Limits())
        if box is None:
            pytest.skip(step.problem)
        with box:
            # bubblewrap runs the interpreter below two processes of its own.
            pids = [box.pid, *descendants(box.pid)]
            seen.append(facts(next(pid for pid in pids if is_interpreter(pid))))
    forked, program = seen
    assert forked.pop("bounding") & ~program.pop("bounding") == 0
    assert forked == program


def is_interpreter(pid: int) -> bool:
    command = Path(f"/proc/{pid}/cmdline").read_bytes()
    return b"python" in command and b"bwrap" not in command


@pytest.mark.programs
def test_a_box_of_the_template_is_ready_without_another_import(template):
    for _ in range(2):
        with Box(IsolationLevel.OPEN) as box, box.fork():
            assert box.pid in descendants(template.pid)


@pytest.mark.programs
@pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed")
def test_a_box_whose_host_is_killed_while_it_is_built_ends_by_itself(tmp_path):
    slow, pid_file = tmp_path / "bwrap", tmp_path / "pid"
    slow.write_text(f'#!/bin/sh\necho $$ > {pid_file}\nsleep 0.5\nexec {shutil.which("bwrap")} "$@"\n')
    slow.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    with subprocess.Popen([sys.executable, "-c", HOST], stdout=subprocess.PIPE, env=environment) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"started\n"
        while not pid_file.exists() or not pid_file.read_text():
            time.sleep(0.01)
        host.kill()
    holder = int(pid_file.read_text())
    deadline = time.monotonic() + 20
    while (left := of_session(holder)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


def of_session(leader: int) -> list[int]:
    """The processes of a session that still run."""
    processes = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ProcessLookupError):
            if entry.name.isdigit() and os.getsid(int(entry.name)) == leader and alive(int(entry.name)):
                processes.append(int(entry.name))
    return processes
