"""A run goes on where the last one ended, however that ended, and does only what has changed."""

import errno
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import time
import zipfile
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.batch import folder_lock, prepare_run
from graders.batch.save_results import ResultWriter
from graders.classroom.intake.download import Entry
from graders.classroom.intake.take import STAGE
from graders.cli.main import main
from graders.course.exercise import load_assignment
from reports.pages import templating

pytestmark = [pytest.mark.programs, pytest.mark.slow]  # each run forks processes
COUNT = 6  # submissions, where a box grades them
RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"


def hand_in(folder: Path, **words: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, word in words.items():
        (folder / f"{name}.py").write_text(f"# {word}\n", encoding="utf-8")


def grade(root: Path, *more: str) -> Result:
    command = ["grade", str(root / "in"), "--assignment", "attention", "--out", str(root / "out")]
    return CliRunner().invoke(main, [*command, "--unsafe", "--jobs", "1", *more], catch_exceptions=False)


def graded(root: Path, *more: str) -> str:
    """The ids that were graded, as the summary has them."""
    done = grade(root, *more)
    found = re.search(r"^graded: \d+(?: \((.*)\))?$", done.output, re.MULTILINE)
    assert found, done.output
    return found[1] or ""


def test_only_what_was_changed_is_graded_again(tmp_path: Path, quick):
    hand_in(tmp_path / "in", alice="right", bob="wrong", carol="hangs")
    assert graded(tmp_path) == "alice, bob, carol"
    assert graded(tmp_path) == ""
    hand_in(tmp_path / "in", bob="right at last")
    assert graded(tmp_path) == "bob"
    done = grade(tmp_path)
    assert "cached: 3 (alice, bob, carol)" in done.output
    assert "timed out: 1 (carol)" in done.output
    assert done.exit_code == 1


def test_other_settings_are_another_result(tmp_path: Path, quick):
    hand_in(tmp_path / "in", alice="right")
    graded(tmp_path)
    more = ["--limit", "call=7s"]  # `test_key.py` has that each setting counts
    assert graded(tmp_path, *more) == "alice"
    assert graded(tmp_path, *more) == ""


def seeds(root: Path, *names: str) -> set[int]:
    return {json.loads((root / f"out/{name}/result.json").read_text("utf-8"))["seed"] for name in names}


def test_the_whole_class_has_one_secret_seed_which_is_kept(tmp_path: Path, quick, monkeypatch):
    drawn = iter([41, 42, 43])
    monkeypatch.setattr("graders.batch.run_seed.secrets.randbelow", lambda most: next(drawn))
    hand_in(tmp_path / "in", alice="right", bob="wrong")
    graded(tmp_path)
    assert seeds(tmp_path, "alice", "bob") == {42}
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("index.html")}
    hand_in(tmp_path / "in", carol="right")
    assert graded(tmp_path) == "carol"
    assert seeds(tmp_path, "alice", "bob", "carol") == {42}
    assert "<dt>Seed</dt><dd>42</dd>" in (tmp_path / "out/index.html").read_text(encoding="utf-8")
    for name in ("alice", "bob"):
        page = tmp_path / "out" / name / "index.html"
        assert page.read_bytes() == before[page]
        assert "Seed" not in page.read_text(encoding="utf-8")
    assert graded(tmp_path, "--seed", "7") == "alice, bob, carol"
    assert graded(tmp_path) == ""
    assert (tmp_path / "out/seed.txt").read_text(encoding="ascii") == "7\n"
    (tmp_path / "out/seed.txt").write_text("no number", encoding="ascii")
    graded(tmp_path)
    assert seeds(tmp_path, "alice") == {43}


def test_our_own_fault_is_tried_again_each_time(tmp_path: Path, quick):
    hand_in(tmp_path / "in", alice="ours", bob="right")
    assert graded(tmp_path) == "alice, bob"
    done = grade(tmp_path)
    assert "graded: 1 (alice)" in done.output
    assert "broken, softmark's own fault: 1 (alice)" in done.output
    assert done.exit_code == 3


def test_those_that_failed_can_be_graded_again_and_the_others_left(tmp_path: Path, quick):
    hand_in(tmp_path / "in", alice="right", bob="wrong", carol="hangs")
    graded(tmp_path)
    hand_in(tmp_path / "in", alice="right and changed", david="right")
    done = grade(tmp_path, "--only-failed")
    assert "graded: 3 (bob, carol, david)" in done.output
    assert "left as they were, though changed since: 1 (alice)" in done.output
    assert graded(tmp_path) == "alice"


def test_one_submission_can_be_named_and_all_can_be_forced(tmp_path: Path, quick):
    hand_in(tmp_path / "in", alice="right", bob="wrong", carol="right")
    assert graded(tmp_path, "--only", "alice", "--only", "bob") == "alice, bob"
    assert graded(tmp_path, "--only", "bob") == ""
    assert graded(tmp_path, "--only", "bob", "--force") == "bob"
    assert graded(tmp_path) == "carol"
    assert graded(tmp_path, "--force") == "alice, bob, carol"
    assert (tmp_path / "out/grades.csv").read_text(encoding="utf-8").count("\n") == 4


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--only", "alicia"], "there is no submission 'alicia': did you mean alice?"),
        (["--only", "zzz"], "there are alice, bob"),
        (["--force", "--only-failed"], "give one of the two"),
    ],
    ids=["near", "far", "both"],
)
def test_what_cannot_be_meant_is_wrong_usage(tmp_path: Path, quick, more: list[str], says: str):
    hand_in(tmp_path / "in", alice="right", bob="wrong")
    done = grade(tmp_path, *more)
    assert done.exit_code == 2
    assert says in " ".join(done.output.replace("│", " ").split())


def test_a_page_is_made_again_only_where_it_would_differ(tmp_path: Path, quick):
    hand_in(tmp_path / "in", alice="right", bob="wrong", carol="wrong")
    graded(tmp_path)
    pages = {name: tmp_path / "out" / name / "index.html" for name in ("alice", "bob", "carol")}
    before = {name: (page.stat().st_ino, page.read_bytes()) for name, page in pages.items()}
    pages["bob"].unlink()
    pages["carol"].write_bytes(before["carol"][1][:-20])
    graded(tmp_path)
    assert {name: page.read_bytes() for name, page in pages.items()} == {n: b[1] for n, b in before.items()}
    assert pages["alice"].stat().st_ino == before["alice"][0]
    done = CliRunner().invoke(main, ["report", str(tmp_path / "out")], catch_exceptions=False)
    assert done.exit_code == 0
    assert pages["alice"].stat().st_ino == before["alice"][0]
    CliRunner().invoke(main, ["report", str(tmp_path / "out"), "--force"], catch_exceptions=False)
    assert pages["alice"].stat().st_ino != before["alice"][0]
    assert pages["alice"].read_bytes() == before["alice"][1]


def test_a_second_run_on_the_same_folder_is_refused(tmp_path: Path, quick, monkeypatch):
    hand_in(tmp_path / "in", alice="right")
    monkeypatch.setattr(folder_lock, "PATIENCE_S", 0.1)
    with folder_lock.lock_folder(tmp_path / "out"):
        done = grade(tmp_path)
        assert done.exit_code == 2
        assert "another run of softmark is writing to" in done.output
        assert CliRunner().invoke(main, ["report", str(tmp_path / "out")]).exit_code == 2
        assert not (tmp_path / "out/alice").exists()
    assert graded(tmp_path) == "alice"


def test_what_a_killed_run_has_left_half_written_is_removed(tmp_path: Path, quick):
    hand_in(tmp_path / "in", alice="right")
    (tmp_path / "out/alice").mkdir(parents=True)
    for name in (".index.html.71.part", "alice/.result.json.72.part"):
        (tmp_path / "out" / name).write_text("{", encoding="utf-8")
    graded(tmp_path)
    assert not list((tmp_path / "out").rglob(".*"))


def test_a_full_disk_is_said_and_the_same_command_goes_on(tmp_path: Path, quick, monkeypatch):
    hand_in(tmp_path / "in", alice="right", bob="right", carol="right", david="right")
    honest = ResultWriter.__call__

    def full(self: ResultWriter, entry: Entry, result) -> None:
        if entry.id == "carol":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.out / "carol/result.json"))
        honest(self, entry, result)

    with monkeypatch.context() as patched:
        patched.setattr(ResultWriter, "__call__", full)
        done = grade(tmp_path)
    assert done.exit_code == 3
    assert "No space left on device" in done.output
    assert "2 of 4 submissions done" in done.output
    assert "the same command goes on from there" in done.output
    assert graded(tmp_path) == "carol, david"


def test_ctrl_c_ends_in_order_and_says_how_to_go_on(tmp_path: Path, quick, monkeypatch):
    hand_in(tmp_path / "in", alice="right", bob="right", carol="right")
    honest = ResultWriter.__call__

    def interrupted(self: ResultWriter, entry: Entry, result) -> None:
        if entry.id == "carol":
            os.kill(os.getppid(), signal.SIGINT)
            time.sleep(60)
        honest(self, entry, result)

    # Where the tests were started in the background, the signal may be ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with monkeypatch.context() as patched:
        patched.setattr(ResultWriter, "__call__", interrupted)
        done = grade(tmp_path)
    signal.signal(signal.SIGINT, before)
    assert done.exit_code == 3
    assert "interrupted, with 2 of 3 submissions done" in done.output
    rows = (tmp_path / "out/grades.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert [row.split(",")[:2] for row in rows] == [["alice", "2"], ["bob", "2"], ["carol", ""]]
    assert graded(tmp_path) == "carol"


@pytest.fixture
def start(monkeypatch) -> Callable[[Path, Path], BaseProcess]:
    """Starts a run, forked from this process: it begins at once, with all that is imported here."""
    templating.load()
    monkeypatch.setattr(
        prepare_run, "load_assignment", lambda name: load_assignment(name).only(["concat_heads"])
    )

    def started(root: Path, out: Path) -> BaseProcess:
        command = ["grade", str(root / "in"), "--assignment", "attention", "--out", str(out)]
        command += ["--unsafe", "--sandbox", "open", "--jobs", "2", "--seed", "1"]
        run = multiprocessing.get_context("fork").Process(target=main, args=(command,))
        run.start()
        return run

    return started


def exit_status(run: BaseProcess) -> int | None:
    run.join()
    return run.exitcode


def kept(out: Path) -> dict[str, object]:
    found = {}
    for path in sorted(out.glob("*/result.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        del result["graded_at"], result["seconds"], result["digest"]
        found[path.parent.name] = result
    return found


def test_a_run_that_is_killed_again_and_again_gives_the_same_results(tmp_path: Path, start):
    (tmp_path / "in").mkdir()
    for number in range(COUNT):
        code = RIGHT if number % 3 else RIGHT.replace("transpose(1, 2).", "")
        (tmp_path / f"in/s{number}.py").write_text(f"# {number}\n{code}", encoding="utf-8")
    began = time.monotonic()
    assert exit_status(start(tmp_path, tmp_path / "whole")) == 1
    took = time.monotonic() - began
    moments = random.Random(1)
    out = tmp_path / "killed"
    for _ in "1":
        run = start(tmp_path, out)
        run.join(took * moments.uniform(0.5, 0.95))
        run.kill()
        run.join()
        for path in out.rglob("result.json"):
            json.loads(path.read_text(encoding="utf-8"))
    assert exit_status(start(tmp_path, out)) == 1
    assert kept(out) == kept(tmp_path / "whole")
    assert len(kept(out)) == COUNT
    for folder in ("killed", "whole"):
        assert not [path for path in (tmp_path / folder).rglob("*") if path.name.startswith(".")]
        assert len(list((tmp_path / folder).glob("*/index.html"))) == COUNT


def removing(monkeypatch: pytest.MonkeyPatch, at: str, remove: Callable[[Path], None]) -> None:
    """Remove something from the folder of results before the result of the submission `at` is written."""
    honest = ResultWriter.__call__

    def write(self: ResultWriter, entry: Entry, result) -> None:
        if entry.id == at:
            remove(self.out)
        honest(self, entry, result)

    monkeypatch.setattr(ResultWriter, "__call__", write)


def test_a_folder_of_results_that_is_removed_during_a_run_ends_it_and_is_not_made_anew(
    tmp_path: Path, quick, monkeypatch
):
    hand_in(tmp_path / "in", alice="right", bob="right", carol="right")
    with monkeypatch.context() as patched:
        removing(patched, "bob", shutil.rmtree)
        done = grade(tmp_path)
    assert done.exit_code == 3
    assert f"{tmp_path / 'out'} was removed or changed while the run went on" in done.output
    assert "Missing: seed.txt, class.json, alice/result.json." in done.output
    assert "Traceback" not in done.output
    assert not (tmp_path / "out").exists()
    assert graded(tmp_path) == "alice, bob, carol"


@pytest.mark.parametrize("gone", ["alice/result.json", "seed.txt", "class.json"])
def test_a_file_of_the_results_that_is_removed_during_a_run_is_named(
    tmp_path: Path, quick, monkeypatch, gone: str
):
    hand_in(tmp_path / "in", alice="right", bob="right")
    with monkeypatch.context() as patched:
        removing(patched, "bob", lambda out: (out / gone).unlink())
        done = grade(tmp_path)
    assert done.exit_code == 3
    assert f"Missing: {gone}." in done.output
    assert grade(tmp_path).exit_code == 0


def test_what_was_unpacked_and_is_removed_during_a_run_costs_nobody_points(
    tmp_path: Path, quick, monkeypatch
):
    hand_in(tmp_path / "files", alice="right", bob="right", carol="right")
    with zipfile.ZipFile(tmp_path / "in", "w") as archive:
        for file in (tmp_path / "files").iterdir():
            archive.write(file, file.name)
    with monkeypatch.context() as patched:
        removing(patched, "bob", lambda out: shutil.rmtree(out / STAGE))
        done = grade(tmp_path)
    assert done.exit_code == 3
    assert "No such file or directory" in done.output
    assert not (tmp_path / "out/bob/result.json").exists()
    assert graded(tmp_path) == "bob, carol"
