"""What is installed is what was meant: the lock file agrees with constraints.txt, the bill names all."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.maintenance import lock, sbom

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
# torch needs it, and environments of Python 3.11 come with one.
BESIDE = {"setuptools"}


def test_the_lock_file_has_the_versions_of_the_constraints():
    locked = lock.pins(LOCK)
    assert {n: v for n, v in locked.items() if n not in BESIDE} == lock.pins(
        (ROOT / "constraints.txt").read_text(encoding="utf-8")
    )


def test_every_package_of_the_lock_file_has_a_digest():
    digests = lock.digests(LOCK)
    assert len(digests) == len(lock.pins(LOCK))
    assert all(digests.values())
    assert digests["torch"] == 1  # the CPU build, and not the one with CUDA


def test_the_lock_file_names_no_place_but_the_public_one():
    assert not re.search(r"file:|find-links|trusted-host|--index-url", LOCK)
    assert set(re.findall(r"https?://\S+", LOCK)) == {"https://download.pytorch.org/whl/cpu;"}


@pytest.fixture(scope="module")
def bill() -> dict:
    return sbom.bill_of_materials()


def test_the_bill_names_every_dependency_with_its_version(bill):
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    names = {Requirement(text).name.lower() for text in wanted}
    components = {component["name"].lower(): component for component in bill["components"]}
    missing = names - components.keys()
    assert not missing, (
        "pip install -c constraints.txt --editable . (the environment is older than pyproject.toml)"
    )
    assert len(components) > len(names)
    constraints = lock.pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    assert components["numpy"]["version"] == constraints["numpy"]
    assert components["numpy"]["purl"] == f"pkg:pypi/numpy@{constraints['numpy']}"


def test_every_reference_of_the_bill_is_a_component_and_softmark_needs_what_it_declares(bill):
    own = bill["metadata"]["component"]["bom-ref"]
    known = {own, *(component["bom-ref"] for component in bill["components"])}
    by_reference = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
    assert by_reference.keys() == known
    assert all(known.issuperset(needed) for needed in by_reference.values())
    assert any(reference.startswith("pkg:pypi/torch@") for reference in by_reference[own])


def test_the_bill_is_the_same_for_the_same_packages(bill):
    assert sbom.bill_of_materials() == bill
