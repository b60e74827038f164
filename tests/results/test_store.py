"""Results on disk: what was written is read again, and nothing half-written stays."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from graders.results.atomic_write import NotPlain, open_atomically, part_of, sweep, write_atomically
from graders.results.compact import compact
from graders.results.result import CHANGED, Outcome, Result, SubmissionInfo
from graders.results.store import language_of_results, read_result, write_result
from graders.results.walls import is_unwalled
from tests.reports import sample


def of(name: str, **changes: object) -> Result:
    return replace(sample.result(), submission=SubmissionInfo(name, (), ""), **changes)  # type: ignore[arg-type]


def test_a_result_is_read_from_where_it_was_written(tmp_path: Path):
    folder = write_result(tmp_path / "out", of("alice"))
    assert folder == tmp_path / "out/alice"
    assert [path.name for path in folder.iterdir()] == ["result.json"]
    assert read_result(tmp_path / "out", "alice") == of("alice")
    write_result(tmp_path / "out", of("alice", seed=7))
    assert read_result(tmp_path / "out", "alice") == of("alice", seed=7)


@pytest.mark.parametrize("text", [None, "", "[]", "[" * 100_000, b"\xff\xfe"])
def test_what_cannot_be_read_is_no_result(tmp_path: Path, text: str | bytes | None):
    (tmp_path / "alice").mkdir()
    if text is not None:
        (tmp_path / "alice/result.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert read_result(tmp_path, "alice") is None
    assert language_of_results(tmp_path) is None


def test_the_result_of_another_submission_is_none_of_this_one(tmp_path: Path):
    write_result(tmp_path, of("alice")).rename(tmp_path / "bob")
    assert read_result(tmp_path, "bob") is None


def test_the_language_is_that_of_the_first_result_that_says_one(tmp_path: Path):
    assert language_of_results(tmp_path / "absent") is None
    for name, text in (("a", "{"), ("b", "[1]"), ("c", '{"language": "de"}'), ("d", "{}")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "result.json").write_text(text)
    assert language_of_results(tmp_path) is None
    write_result(tmp_path, of("e", language="fr"))
    write_result(tmp_path, of("f", language="en"))
    assert language_of_results(tmp_path) == "fr"


def test_a_file_has_its_old_content_until_the_new_one_is_whole(tmp_path: Path):
    path = tmp_path / "result.json"
    write_atomically(path, b"old")
    with pytest.raises(KeyboardInterrupt), open_atomically(path) as file:
        file.write(b"half")
        file.flush()
        assert path.read_bytes() == b"old"
        raise KeyboardInterrupt
    assert [p.name for p in tmp_path.iterdir()] == ["result.json"]
    write_atomically(path, b"new", durable=True)
    assert path.read_bytes() == b"new"


def test_what_killed_runs_have_left_is_swept_and_nothing_else(tmp_path: Path):
    (tmp_path / "alice/deep").mkdir(parents=True)
    left = [".class.json.12.part", "alice/.result.json.12.part"]
    stays = ["class.part", ".kept", "alice/result.json", "alice/deep/.result.json.12.part"]
    for name in (*left, *stays):
        (tmp_path / name).write_text("")
    sweep(tmp_path)
    files = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert files == {*stays}


@pytest.mark.parametrize(
    ("sandbox", "unwalled"),
    [("open", True), ("process", True), ("nested", False), ("boxed", False), ("fresh", False)],
)
def test_a_level_without_a_wall_is_known_as_one(sandbox: str, unwalled: bool):
    assert is_unwalled(of("alice", sandbox=sandbox)) is unwalled


# wrong, stopped, failed or raised, undecided, unwritten, decided
FACTS = {
    Outcome.PASSED: ".....D",
    Outcome.FAILED: "W.F..D",
    Outcome.RAISED: "WSF..D",
    Outcome.TIMED_OUT: "WS...D",
    Outcome.OUT_OF_MEMORY: "WS...D",
    Outcome.SKIPPED: "...U..",
    Outcome.BROKEN: "...U..",
    Outcome.NOT_ATTEMPTED: "....N.",
    Outcome.UNFINISHED: "....N.",
    Outcome.UNREADABLE: "......",
}


@pytest.mark.parametrize("outcome", list(Outcome))
def test_an_outcome_says_whose_fault_it_is_and_whether_it_is_decided(outcome: Outcome):
    facts = {
        "W": outcome.wrong,
        "S": outcome.stopped,
        "F": outcome.failed_or_raised,
        "U": outcome.undecided,
        "N": outcome.unwritten,
        "D": outcome.decided,
    }
    assert {letter for letter, holds in facts.items() if holds} == {*FACTS[outcome]} - {"."}


def test_what_was_handed_in_and_cannot_be_read_is_told_with_its_reason():
    exercises = sample.result().exercises
    unread = replace(exercises[0], outcome=Outcome.UNREADABLE, message="it is no notebook")
    assert replace(sample.result(), exercises=(exercises[0],)).unreadable is None
    assert replace(sample.result(), exercises=(exercises[0], unread)).unreadable == "it is no notebook"
    assert replace(sample.result(), exercises=(replace(unread, message=None),)).unreadable == ""


def change(folder: Path, old: str, new: str) -> None:
    path = folder / "result.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_result_that_somebody_has_changed_is_known_as_changed(tmp_path: Path):
    folder = write_result(tmp_path, of("alice"))
    change(folder, '"seed": ', '"seed":  ')
    changed = read_result(tmp_path, "alice")
    assert changed is not None
    assert changed.digest == CHANGED
    assert compact(changed).digest == CHANGED
    assert replace(changed, digest="") == of("alice")


def test_a_byte_order_mark_changes_nothing_that_is_read(tmp_path: Path):
    path = write_result(tmp_path, of("alice")) / "result.json"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_result(tmp_path, "alice") == of("alice")


@pytest.mark.parametrize("points", [-5.0, 1e300, 21.0])
def test_a_result_with_impossible_points_is_none(tmp_path: Path, points: float):
    exercises = sample.result().exercises
    forged = (replace(exercises[0], points=points), *exercises[1:])
    total = sum(exercise.points for exercise in forged)
    write_result(tmp_path, of("alice", exercises=forged, points=total))
    assert read_result(tmp_path, "alice") is None


def test_a_result_whose_sum_is_wrong_is_none(tmp_path: Path):
    write_result(tmp_path, of("alice", points=sample.result().max_points))
    assert read_result(tmp_path, "alice") is None


def test_a_pipe_or_a_link_in_the_place_of_a_result_is_none_and_nobody_waits(tmp_path: Path):
    other = write_result(tmp_path / "elsewhere", of("alice")) / "result.json"
    (tmp_path / "alice").mkdir()
    os.mkfifo(tmp_path / "alice/result.json")
    assert read_result(tmp_path, "alice") is None
    (tmp_path / "alice/result.json").unlink()
    for target in (other, "/dev/zero"):
        (tmp_path / "alice/result.json").symlink_to(target)
        assert read_result(tmp_path, "alice") is None
        (tmp_path / "alice/result.json").unlink()


def test_only_a_plain_file_is_replaced(tmp_path: Path):
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("link", "pipe", "folder", "absent/file"):
        before = sorted(tmp_path.iterdir())
        with pytest.raises(OSError, match=r".") as refused:
            write_atomically(tmp_path / name, b"new")
        assert refused.value.strerror
        assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "kept").read_text() == "kept"


def test_a_link_in_the_place_of_a_submissions_folder_leads_to_nobody_elses_result(tmp_path: Path):
    write_result(tmp_path, sample.result(id="alice"))
    before = (tmp_path / "alice/result.json").read_bytes()
    (tmp_path / "bob").symlink_to("alice")
    (tmp_path / "carol").touch()
    for name in ("bob", "carol"):
        with pytest.raises(NotPlain, match="something that is no folder has this name"):
            write_result(tmp_path, sample.result(id=name))
    assert (tmp_path / "alice/result.json").read_bytes() == before


def test_a_link_in_the_place_of_the_unfinished_file_is_not_followed(tmp_path: Path):
    (tmp_path / "kept").write_text("kept")
    part_of(tmp_path / "new").symlink_to(tmp_path / "kept")
    write_atomically(tmp_path / "new", b"new")
    assert ((tmp_path / "kept").read_text(), (tmp_path / "new").read_text()) == ("kept", "new")
