"""What comes over the network is data: it runs no code here, and is believed only where it fits."""

import io
import multiprocessing
import os
import pickle  # noqa: TID251 - what is refused
import tarfile
from pathlib import Path
from typing import Any

import pytest

from graders.batch.cache_key import of_submission
from graders.cluster.machine_report import describe_machine, objections, read_report, write_report
from graders.cluster.message import HEADER_BYTES, pack, unpack
from graders.cluster.packed_submission import NotPacked, pack_submission, unpack_submission
from graders.cluster.refuse_pickles import refuse_pickles
from graders.submission.files import rank_in_time
from tests.support.submissions import SOLUTIONS


class Evil:
    def __reduce__(self) -> Any:
        return os.mkdir, ("evil",)


@pytest.mark.programs
@pytest.mark.parametrize("loads", [pickle.loads, pickle._loads], ids=["in C", "in Python"])
def test_no_pickle_that_needs_a_class_is_opened(loads: Any, tmp_path: Path):
    evil, plain = pickle.dumps(Evil()), pickle.dumps({"a": [1, b"b"], "type": bytes})

    def try_both(ends: Any) -> None:
        os.chdir(tmp_path)
        refuse_pickles()
        said = [loads(plain) == {"a": [1, b"b"], "type": bytes}]
        try:
            loads(evil)
        except Exception as error:
            said.append(type(error).__name__)
        ends.send(said)

    here, there = multiprocessing.get_context("fork").Pipe()
    process = multiprocessing.get_context("fork").Process(target=try_both, args=(there,))
    process.start()
    process.join()
    assert here.recv() == [True, "PickleRefused"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "message", [b"", b"{}", b"[]\n", b"{\n", b"\xff\n", b"[" * 60_000 + b"\n", b" " * HEADER_BYTES + b"{}\n"]
)
def test_what_is_no_message_is_refused(message: bytes):
    with pytest.raises(ValueError):
        unpack(message)


def test_a_message_comes_back_as_it_was():
    assert unpack(pack({"a": 1}, b"\n\x00{}")) == ({"a": 1}, b"\n\x00{}")


def test_a_folder_is_packed_into_the_same_bytes_and_comes_back(tmp_path: Path):
    folder = tmp_path / "alice"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub/a.py").write_bytes(b"x = 1\n")
    (folder / os.fsdecode(b"\xff.py")).write_bytes(b"y = 2\n")
    (folder / "link.py").symlink_to(SOLUTIONS / "concat_heads.py")
    packed = pack_submission(folder)
    for path in folder.rglob("*.py"):
        os.utime(path, (1, 1), follow_symlinks=False)
    assert pack_submission(folder) == packed
    unpack_submission(packed, tmp_path / "there")
    found = {p.relative_to(tmp_path / "there"): p.read_bytes() for p in (tmp_path / "there").rglob("*.py")}
    assert found == {Path("alice/sub/a.py"): b"x = 1\n", Path("alice") / os.fsdecode(b"\xff.py"): b"y = 2\n"}


def test_which_files_are_later_than_which_is_packed_and_no_time(tmp_path: Path):
    folder = tmp_path / "alice"
    folder.mkdir()
    for name, at in (("a.py", 9000), ("b.py", 10), ("c.py", 20)):
        (folder / name).write_bytes(b"x = 1\n")
        os.utime(folder / name, (at, at))
    unpack_submission(pack_submission(folder), tmp_path / "there")
    there = tmp_path / "there/alice"
    assert rank_in_time([there / name for name in ("a.py", "b.py", "c.py")]) == {
        there / "a.py": 1,
        there / "b.py": 0,
        there / "c.py": 0,
    }
    assert of_submission("run", "alice", there) == of_submission("run", "alice", folder)
    os.utime(folder / "a.py", (1, 1))
    assert of_submission("run", "alice", there) != of_submission("run", "alice", folder)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("../out.py", b"0"), ("/out.py", b"0"), ("a/../../out.py", b"0"), ("link.py", b"2"), ("device", b"3")],
)
def test_nothing_of_an_archive_is_written_outside_of_its_folder(name: str, kind: bytes, tmp_path: Path):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as opened:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "/etc/passwd"
        opened.addfile(member)
    (tmp_path / "there").mkdir()
    with pytest.raises(ValueError, match="is no file below the folder"):
        unpack_submission(archive.getvalue(), tmp_path / "there")
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


def test_what_is_too_large_or_no_file_is_not_sent(tmp_path: Path):
    with (tmp_path / "large.py").open("wb") as file:
        file.truncate(30_000_000)
    (tmp_path / "link.py").symlink_to("large.py")
    for name in ("large.py", "link.py", "absent.py"):
        with pytest.raises(NotPacked):
            pack_submission(tmp_path / name)


@pytest.mark.parametrize("text", [b"", b"{}", b"\xff", b"[" * 100_000, b"x" * 2_000_000])
def test_what_is_no_report_is_refused(text: bytes):
    with pytest.raises(ValueError):
        read_report(text)


def test_a_worker_is_told_from_the_host_by_what_differs():
    facts = {"package torch": "2.13.0", "level": "nested", "file graders/grade.py": "abc"}
    here = describe_machine(facts)
    assert objections(read_report(write_report(here)), here) == []
    other = describe_machine({**facts, "package torch": "2.12.0", "level": "reduced"})
    assert objections(other, here) == [
        "the box (sandbox): reduced there, nested here",
        "torch: 2.12.0 there, 2.13.0 here",
    ]
    many = describe_machine({**facts, **{f"package p{number}": "1" for number in range(9)}})
    assert len(objections(many, here)) == 6
    assert objections(many, here)[-1] == "and 4 differences more"
    assert objections(describe_machine(facts, "no \x1b[31mbox"), here) == ["no box"]
