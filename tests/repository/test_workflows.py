"""What CI runs is what was meant: actions by digest, few rights, the lowest versions, releases by tag."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.maintenance.lowest import lowest_versions
from tests.maintenance.release import find_problems, sections

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINNED = re.compile(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def read(path: Path) -> dict[str, Any]:
    flow: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return flow


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_each_action_is_pinned_by_its_digest(path: Path) -> None:
    used = re.findall(r"uses: .*", path.read_text(encoding="utf-8"))
    assert used and [line for line in used if not PINNED.fullmatch(line)] == []


def test_an_action_has_one_digest_for_a_version() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    used = set(re.findall(r"uses: (\S+?)@(\S+) # (\S+)", text))
    assert len({name for name, _, _ in used}) == len(used)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_reads_unless_a_job_says_otherwise_and_each_job_ends(path: Path) -> None:
    flow = read(path)
    assert flow["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 120 for job in flow["jobs"].values())
    writing = [name for name, job in flow["jobs"].items() if "permissions" in job]
    assert writing == (["publish"] if path.name == "release.yml" else [])


def test_the_lowest_python_and_its_lowest_packages_are_tried() -> None:
    jobs = read(ROOT / ".github/workflows/test.yml")["jobs"]
    lowest = PROJECT["requires-python"].removeprefix(">=")
    assert jobs["test"]["strategy"]["matrix"]["python"][0] == lowest
    assert jobs["journey"]["strategy"]["matrix"]["python"][0] == lowest
    assert {"python-version": lowest}.items() <= jobs["lowest"]["steps"][1]["with"].items()


def test_each_dependency_has_a_lowest_version() -> None:
    versions = list(lowest_versions((ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    assert "torch==2.6" in versions and "pyseccomp==0.1.2; sys_platform == 'linux'" in versions
    assert len(versions) > len(PROJECT["dependencies"])
    with pytest.raises(ValueError, match="torch: no lower bound"):
        list(lowest_versions('[project]\ndependencies = ["torch"]\noptional-dependencies = {}'))


def test_a_release_has_the_version_of_its_tag_and_a_page_of_changes() -> None:
    changelog = "# Changes\n\n## Unreleased\n\n## 1.2\n\n- code: x\n"
    assert find_problems("v1.2", "1.2", changelog) == []
    assert sections(changelog)["1.2"] == "- code: x"
    for tag, version, changes, problem in (
        ("v1.3", "1.2", changelog, "is not v1.2"),
        ("1.2", "1.2", changelog, "is not v1.2"),
        ("v1.3", "1.3", changelog, "no section 1.3"),
        ("v1.2", "1.2", changelog.replace("## 1.2", "- code: y\n\n## 1.2"), "under Unreleased"),
    ):
        [found] = find_problems(tag, version, changes)
        assert problem in found


def test_nothing_is_published_that_was_not_tested() -> None:
    jobs = read(ROOT / ".github/workflows/release.yml")["jobs"]
    assert set(jobs["publish"]["needs"]) == {"test", "journey"}
    assert all(jobs[name]["needs"] == "build" for name in ("test", "journey"))
    assert jobs["publish"]["permissions"]["id-token"] == "write"
