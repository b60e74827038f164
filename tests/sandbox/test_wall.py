"""Every isolation level is tried before it is trusted, and a hole is found where there is one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from graders.sandbox.box import Box
from graders.sandbox.isolation import cgroups, choose_level, command, seccomp, selftest, visible_paths
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.isolation.seccomp import ALLOWED, IN_SCRATCH, REFUSED
from graders.sandbox.limits import Limits

pytestmark = pytest.mark.programs

HOLES = {
    "read_files": "read files of this machine",
    "connect": "connect to other programs",
    "fork": "start processes",
    "execute": "start programs",
    "signal_others": "end other processes",
    "write_files": "write outside",
}


def test_an_isolation_level_has_no_hole(any_box):
    if any_box.level.walled:
        assert selftest.holes(any_box) == []


def test_where_no_wall_stands_the_self_test_finds_every_hole():
    with Box(IsolationLevel.OPEN, Limits()) as box:
        found = " ".join(selftest.holes(box))
    for says in HOLES.values():
        assert says in found


def test_a_limit_that_is_not_enforced_is_a_hole(level, monkeypatch):
    kernel = Limits().for_box
    monkeypatch.setattr(
        Limits, "for_box", lambda limits: kernel() | {"memory_bytes": 8 << 30, "processes": 500}
    )
    monkeypatch.setattr(cgroups, "create_group", lambda limits: None)
    with Box(level, Limits(shared_bytes=8 << 30)) as box:
        box.limits = Limits(memory_bytes=64 << 20)
        found = " ".join(selftest.holes(box))
    assert "more memory" in found
    assert "more threads" in found


def test_without_bubblewrap_softmark_says_what_each_level_lacks(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    box, step = choose_level.try_level(IsolationLevel.NESTED, Limits())
    assert box is None
    assert "bubblewrap" in step.problem
    assert "install bubblewrap" in step.advice


def test_a_level_asked_for_that_does_not_hold_is_an_error_and_no_step_down(monkeypatch):
    monkeypatch.setattr(selftest, "FORBIDDEN", Path(__file__).parents[1] / "handed_in/attention/nora.py")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(choose_level.NoIsolation, match=r"the box 'boxed' cannot be had here"):
        choose_level.wanted(IsolationLevel.BOXED, Limits())


def test_without_libseccomp_no_isolation_level_is_offered(monkeypatch):
    def none(**_: object) -> bytes:
        raise seccomp.NoFilter("libseccomp cannot be used: it is not there")

    monkeypatch.setattr(seccomp, "compile_filter", none)
    for level in (IsolationLevel.NESTED, IsolationLevel.BOXED, IsolationLevel.FRESH, IsolationLevel.REDUCED):
        box, step = choose_level.try_level(level, Limits())
        assert box is None
        assert "libseccomp2" in step.advice


def test_no_call_is_both_allowed_and_refused():
    assert len({*ALLOWED, *REFUSED, *IN_SCRATCH}) == len(ALLOWED) + len(REFUSED) + len(IN_SCRATCH)


@pytest.mark.parametrize(
    "name",
    ["fork", "execve", "socket", "ptrace", "mount", "unshare", "setns", "bpf", "io_uring_setup", "kill"],
)
def test_dangerous_calls_are_refused_by_name(name):
    assert name in REFUSED


def test_python_started_by_a_path_with_two_dots_is_found_in_the_box(monkeypatch):
    plain = command.command(IsolationLevel.NESTED, Limits(), None, "fork_server", "3")
    through_a_folder = Path(sys.prefix, "lib", "..", "bin", Path(sys.executable).name)
    monkeypatch.setattr(sys, "executable", str(through_a_folder))
    dotted = command.command(IsolationLevel.NESTED, Limits(), None, "fork_server", "3")
    assert dotted == plain


def test_what_is_hidden_is_cut_out_of_what_may_be_read(tmp_path: Path):
    for name in ("site/torch", "site/graders/checks", "site/solutions", "bin"):
        (tmp_path / name).mkdir(parents=True)
    hidden = [tmp_path / "site/graders", tmp_path / "site/solutions"]
    assert visible_paths.around(tmp_path, hidden) == [tmp_path / "bin", tmp_path / "site/torch"]
    assert visible_paths.around(tmp_path / "bin", hidden) == [tmp_path / "bin"]
    assert visible_paths.around(tmp_path / "site/graders", hidden) == []


def left_groups() -> list[Path]:
    return [path for parent in cgroups.writable() for path in parent.glob(f"softmark-{os.getpid()}-*")]


def test_a_closed_box_leaves_no_control_group(level):
    before = left_groups()
    with Box(level) as box:
        with box.fork():
            assert len(left_groups()) == len(before) + len(cgroups.writable())
        child = box.fork()
    assert left_groups() == before
    child.close()


def test_the_filter_loads_where_nothing_else_does():
    code = (
        "import sys, os; from softmark_worker import syscalls; syscalls.no_new_privileges();"
        "syscalls.filter_calls(bytes.fromhex(sys.argv[1]));\n"
        "try:\n    os.fork()\nexcept PermissionError:\n    print('refused')"
    )
    program = seccomp.compile_filter(scratch=True, own_processes=True, cuda=False).hex()
    done = subprocess.run([sys.executable, "-c", code, program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "refused"
