"""The options of a cluster: what is unsafe or does not fit is refused before anything is started."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli.main import main
from graders.cluster.addresses import BadAddress, parse_address
from tests.support.course_copies import ROOT, run_in_copy

WITHOUT_DASK = """
import sys
from importlib.machinery import PathFinder

find = PathFinder.find_spec
def find_others(name, path=None, target=None):
    return None if name in {"distributed", "dask", "cryptography"} else find(name, path, target)
PathFinder.find_spec = find_others
from graders.cli.main import main
main()
"""

IMPORTED = """
import sys
DASKS = {"dask", "distributed", "cryptography", "msgpack"}
for name in [name for name in sys.modules if name.partition(".")[0] in DASKS]:
    del sys.modules[name]  # another test has imported it
import graders.cli.actions.grade, graders.cli.commands.worker, graders.cli.commands.cluster
print(sorted(DASKS.intersection(sys.modules)))
"""


@pytest.mark.parametrize(
    "address",
    [
        "tcp://10.0.0.1:8786",
        "tcp://host:8786",
        "tcp://0.0.0.0:8786",
        "tcp://[::]:8786",
        "tcp://127.0.0.1.evil.org",
    ],
)
def test_nothing_leads_out_of_the_machine_without_encryption(address: str):
    with pytest.raises(BadAddress, match="without encryption"):
        parse_address(address)


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1:8786", "ucx://a:1", "tls://", "tls://a:b", "tcp://127.0.0.1/x"]
)
def test_what_is_no_address_is_refused(address: str):
    with pytest.raises(BadAddress, match="is no address"):
        parse_address(address)


def test_the_loopback_needs_no_certificate_and_the_port_may_be_left_out():
    assert str(parse_address("tcp://127.0.0.1")) == "tcp://127.0.0.1:8786"
    assert str(parse_address("tcp://[::1]:1")) == "tcp://[::1]:1"
    assert str(parse_address("tls://host")) == "tls://host:8786"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["cluster", "scheduler", "--address", "tls://0.0.0.0:8786"], "needs --certificates DIR"),
        (["worker", "tls://host:8786"], "needs --certificates DIR"),
        (["worker", "tcp://127.0.0.1:8786", "--certificates", "."], "begins with tls://"),
        (
            ["worker", "tls://host:8786", "--certificates", "."],
            "`softmark cluster init` makes it",
        ),
        (["cluster", "scheduler", "--address", "tcp://0.0.0.0:8786"], "without encryption"),
    ],
)
def test_what_does_not_fit_is_refused(words: list[str], says: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert says in done.output


def test_certificates_alone_are_no_cluster(tmp_path: Path):
    words = ["grade", str(tmp_path), "--assignment", "attention", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(main, [*words, "--certificates", str(tmp_path)])
    assert done.exit_code == 2
    assert "--certificates goes with --cluster ADDRESS" in done.output


@pytest.mark.programs
@pytest.mark.parametrize(
    "words",
    [
        ["grade", ".", "--assignment", "attention", "--out", "out", "--cluster", "tcp://127.0.0.1:1"],
        ["worker", "tcp://127.0.0.1:1"],
        ["cluster", "scheduler"],
        ["cluster", "init", "certificates"],
    ],
    ids=["grade", "worker", "scheduler", "init"],
)
def test_without_dask_a_cluster_says_what_to_install(words: list[str], tmp_path: Path):
    command = [sys.executable, "-P", "-c", WITHOUT_DASK, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'softmark[cluster]'" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.programs
def test_grading_without_a_cluster_imports_nothing_of_dask():
    done = run_in_copy(ROOT, IMPORTED)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.programs
def test_a_scheduler_that_is_not_there_is_named(tmp_path: Path, monkeypatch):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/alice.py").write_text("x = 1\n", encoding="utf-8")
    given = ["--assignment", "attention", "--out", str(tmp_path / "out"), "--seed", "1", "--no-timing"]
    words = ["grade", str(tmp_path / "in"), *given, "--cluster", "tcp://127.0.0.1:9"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 3
    assert "no scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "0 of 1 submissions done" in done.stderr
