"""What a container and AppArmor must allow so that the box works: the profiles that doctor names."""

import json
import re
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path

import pytest

from graders.sandbox.isolation.causes import PROFILES, Cause, cause_from_bubblewrap

REPOSITORY = Path(__file__).parents[2]
BOX = ["bwrap", "--unshare-all", "--hostname", "box", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
FORBIDDEN = json.loads((PROFILES / "seccomp.json").read_text(encoding="utf-8"))["syscalls"][0]["names"]


def forbid(names: list[str]) -> None:
    """Forbid these system calls to the calling process, as a container with such a profile does."""
    import pyseccomp

    profile = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in names:
        try:
            profile.add_rule(pyseccomp.ERRNO(1), name)
        except ValueError:  # this machine has no such call
            continue
    profile.load()


def start_box(names: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(BOX, check=False, capture_output=True, text=True, preexec_fn=partial(forbid, names))


@linux
@pytest.mark.programs
def test_bubblewrap_starts_where_a_container_has_our_profile():
    done = start_box(FORBIDDEN)
    assert done.returncode == 0, done.stderr


@linux
@pytest.mark.programs
def test_doctor_names_the_profile_where_a_container_forbids_more():
    done = start_box(["sethostname"])
    assert cause_from_bubblewrap(done.stderr) is Cause.CONTAINER
    assert str(PROFILES / "seccomp.json") in Cause.CONTAINER.advice


def test_the_profile_of_apparmor_allows_namespaces_to_bubblewrap():
    text = (PROFILES / "softmark-bwrap").read_text(encoding="utf-8")
    assert re.search(
        r"^profile softmark-bwrap /usr/bin/bwrap flags=\(unconfined\) \{\n  userns,\n\}$", text, re.M
    )
    assert str(PROFILES / "softmark-bwrap") in Cause.APPARMOR.advice


def test_the_image_has_all_packages_of_the_wheel_and_the_solutions_in_its_last_stage_alone():
    text = (REPOSITORY / "Containerfile").read_text(encoding="utf-8")
    public, staff = text.split("\nFROM softmark\n")
    packages = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    for package in packages["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        assert f"COPY {package} {package}\n" in public
    assert "COPY solutions" not in public
    assert "COPY solutions solutions" in staff


def test_what_the_image_copies_is_not_ignored():
    ignored = (REPOSITORY / ".containerignore").read_text(encoding="utf-8").split()
    for line in (REPOSITORY / "Containerfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("COPY "):
            for source in line.split()[1:-1]:
                assert f"!{source}" in ignored
                assert (REPOSITORY / source).exists()
