"""What is shipped: graders, reports and the assignments' files, never solutions or tests."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def names(tmp_path_factory) -> list[str]:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = out.glob("softmark-*.whl")
    return zipfile.ZipFile(wheel).namelist()


def test_the_wheel_holds_three_folders_and_its_own_description(names):
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"graders", "reports", "assignments"}


def test_the_wheel_holds_every_file_of_these(names):
    for folder in ("graders", "reports", "assignments"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(ROOT).as_posix() in names


def test_no_solution_is_shipped(names):
    assert not [name for name in names if "solutions" in name or "tests" in name]


def test_importing_the_package_costs_nothing():
    for package in ("graders", "graders.checks", "graders.worker", "reports"):
        code = f"import sys, {package}; print('torch' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "False"
