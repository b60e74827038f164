"""What is shipped, as wheel and as sdist: never the solutions, never the tests."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.programs

ROOT = Path(__file__).parents[2]
SHIPPED = ("graders", "softmark_worker", "reports", "assignments")


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> Path:
    """A folder with the wheel and the sdist."""
    out = tmp_path_factory.mktemp("packages")
    command = [sys.executable, "-m", "build", "--sdist", "--wheel", "--no-isolation"]
    done = subprocess.run(
        [*command, "--outdir", str(out), str(ROOT)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def names(packages) -> list[str]:
    [wheel] = packages.glob("softmark-*.whl")
    return zipfile.ZipFile(wheel).namelist()


@pytest.fixture(scope="module")
def sdist_names(packages) -> list[str]:
    """The names in the sdist, without the folder that holds all of it."""
    [sdist] = packages.glob("softmark-*.tar.gz")
    with tarfile.open(sdist) as archive:
        return [name.partition("/")[2] for name in archive.getnames()]


def test_the_wheel_holds_four_folders_and_its_own_description(names):
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(SHIPPED)


def test_the_wheel_holds_every_file_of_these(names):
    for folder in SHIPPED:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(ROOT).as_posix() in names


def test_no_solution_is_shipped(names):
    assert not [name for name in names if "solutions" in name or "tests" in name]


def test_the_sdist_has_neither_solutions_nor_tests(sdist_names):
    assert not [name for name in sdist_names if name.startswith(("solutions", "tests"))]


def test_the_sdist_holds_what_a_wheel_is_built_from(sdist_names, names):
    assert {"pyproject.toml", "README.md", "LICENSE", "constraints.txt"} <= set(sdist_names)
    assert {name for name in names if ".dist-info/" not in name} <= set(sdist_names)


def test_importing_the_package_costs_nothing():
    for package in ("graders", "graders.checks", "softmark_worker", "reports"):
        code = f"import sys, {package}; print('torch' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "False"
