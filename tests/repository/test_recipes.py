"""The recipes of docs/recipes/ grade every part once, and end well where only answers are wrong."""

import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs/recipes"
# Writes down how it was called, and ends with the status 1, as where somebody's answer is wrong.
STUB = """#!/bin/sh
echo "$@" >> "$CALLS"
out=$(echo "$@" | sed 's/.*--out \\([^ ]*\\).*/\\1/')
mkdir -p "$out" && echo graded > "$out/part.json"
exit ${STATUS:-1}
"""
# The host is the first word; its home is a folder of its own.
SSH = """#!/bin/sh
host=$1; shift
mkdir -p "$HOSTS/$host" && cd "$HOSTS/$host" && exec sh -c "$*"
"""
pytestmark = pytest.mark.programs


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a class and a seed, and programs that stand for softmark and ssh."""
    (tmp_path / "bin").mkdir()
    for name, text in (("softmark", STUB), ("ssh", SSH)):
        (tmp_path / "bin" / name).write_text(text, encoding="utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "in").mkdir()
    (tmp_path / "in/alice.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "seed.txt").write_text("7\n", encoding="ascii")
    return tmp_path


def run(place: Path, command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    path = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "CALLS": str(place / "calls"), **variables}
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)


def calls(place: Path) -> list[list[str]]:
    return [shlex.split(line) for line in (place / "calls").read_text(encoding="utf-8").splitlines()]


def value(call: list[str], option: str) -> str:
    return call[call.index(option) + 1]


def parts(place: Path) -> list[str]:
    found = calls(place)
    assert {value(call, "--assignment") for call in found} == {"attention"}
    assert all(value(call, "--out").endswith(f"part{value(call, '--part').split('/')[0]}") for call in found)
    return sorted(value(call, "--part") for call in found)


def slurm(place: Path, task: int, **more: str) -> subprocess.CompletedProcess[str]:
    own = {"HANDED_IN": "in", "ASSIGNMENT": "attention", "SEED_FILE": "seed.txt", "RESULTS": "results"}
    return run(
        place,
        ["sh", str(RECIPES / "slurm.sh")],
        SLURM_ARRAY_TASK_ID=str(task),
        SLURM_ARRAY_TASK_COUNT="1",
        SLURM_CPUS_PER_TASK="4",
        PARTS="3",
        **own,
        **more,
    )


def test_each_task_of_a_slurm_array_grades_its_part(place: Path):
    assert [slurm(place, task).returncode for task in (1, 2, 3)] == [0, 0, 0]
    assert parts(place) == ["1/3", "2/3", "3/3"]
    assert {value(call, "--jobs") for call in calls(place)} == {"4"}


def test_a_task_that_softmark_could_not_grade_fails(place: Path):
    assert slurm(place, 1, STATUS="3").returncode == 3
    assert slurm(place, 1, STATUS="0").returncode == 0


def test_each_index_of_a_kubernetes_job_grades_its_part_though_indices_count_from_0(place: Path):
    job = yaml.safe_load((RECIPES / "kubernetes.yaml").read_text(encoding="utf-8"))
    [container] = job["spec"]["template"]["spec"]["containers"]
    variables = {entry["name"]: entry["value"] for entry in container["env"]}
    assert variables["PARTS"] == str(job["spec"]["completions"])
    assert job["spec"]["completionMode"] == "Indexed"
    assert variables["JOBS"] == container["resources"]["requests"]["cpu"]
    mounted = {mount["mountPath"] for mount in container["volumeMounts"]}
    paths = (variables["HANDED_IN"], variables["RESULTS"], str(Path(variables["SEED_FILE"]).parent))
    assert mounted == set(paths)
    names = {mount["name"] for mount in container["volumeMounts"]}
    assert names == {volume["name"] for volume in job["spec"]["template"]["spec"]["volumes"]}
    here = variables | {"HANDED_IN": "in", "RESULTS": "results", "SEED_FILE": "seed.txt", "PARTS": "3"}
    for index in range(3):
        command = [*container["command"], *container["args"]]
        assert run(place, command, JOB_COMPLETION_INDEX=str(index), **here).returncode == 0
    assert parts(place) == ["1/3", "2/3", "3/3"]


def steps(job: dict[str, Any]) -> dict[str, str]:
    return {step["name"]: step["run"] for step in job["steps"] if "run" in step}


def test_each_job_of_an_actions_matrix_grades_its_part_and_the_last_gathers(place: Path):
    workflow = yaml.safe_load((RECIPES / "actions.yml").read_text(encoding="utf-8"))
    jobs, matrix = workflow["jobs"], workflow["jobs"]["grade"]["strategy"]["matrix"]["part"]
    assert matrix == list(range(1, int(workflow["env"]["PARTS"]) + 1))
    assert jobs["gather"]["needs"] == "grade"
    for script in (*steps(jobs["grade"]).values(), *steps(jobs["gather"]).values()):
        assert subprocess.run(["bash", "-n", "-c", script], check=False).returncode == 0
    for part in matrix:
        # As the runner calls bash.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps(jobs["grade"])["Grade"]]
        done = run(place, command, SEED="7", PART=str(part), PARTS="4", ASSIGNMENT="attention")
        assert done.returncode == 0, done.stderr
    assert parts(place) == ["1/4", "2/4", "3/4", "4/4"]
    assert (place / "seed.txt").read_text(encoding="ascii") == "7\n"
    assert "softmark gather parts/part* --out results" in steps(jobs["gather"])["Gather"]


def test_each_host_grades_its_part_by_ssh_and_the_parts_come_back(place: Path):
    (place / "hosts.txt").write_text("one\ntwo\n\nthree", encoding="utf-8")
    command = ["sh", str(RECIPES / "ssh.sh"), "in", "attention", "seed.txt", "hosts.txt", "parts"]
    done = run(place, command, HOSTS=str(place / "hosts"))
    assert done.returncode == 0, done.stderr
    assert parts(place) == ["1/3", "2/3", "3/3"]
    assert all(path.is_dir() for path in (place / "parts").glob("part*"))  # what gather is given
    for number, host in enumerate(("one", "two", "three"), 1):
        assert (place / f"parts/part{number}/part.json").read_text(encoding="ascii") == "graded\n"
        assert (place / "hosts" / host / "softmark/in/alice.py").is_file()
        assert (place / "hosts" / host / "softmark/seed.txt").stat().st_mode & 0o077 == 0


def test_a_host_that_fails_is_named_and_costs_only_its_part(place: Path):
    (place / "hosts.txt").write_text("one\ntwo\n", encoding="utf-8")
    (place / "bin/ssh").write_text(SSH.replace("host=$1", '[ "$1" != one ] || exit 255; host=$1'), "utf-8")
    command = ["sh", str(RECIPES / "ssh.sh"), "in", "attention", "seed.txt", "hosts.txt", "parts"]
    done = run(place, command, HOSTS=str(place / "hosts"))
    assert done.returncode == 1
    assert "part 1 failed: see parts/log1.txt" in done.stderr
    assert (place / "parts/part2/part.json").exists()
    assert not (place / "parts/part1").exists()


@pytest.mark.parametrize("name", ["slurm.sh", "ssh.sh"])
def test_a_script_is_plain_shell(name: str):
    for shell in ("sh", "bash"):
        assert subprocess.run([shell, "-n", str(RECIPES / name)], check=False).returncode == 0
