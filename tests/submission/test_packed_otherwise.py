"""What is not packed as asked is read all the same: tars, notebooks named otherwise; else it is told."""

import gzip
import io
import json
import tarfile
import tracemalloc
import unicodedata
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.submission import archive, tar_members
from graders.submission.archive_member import BROKEN
from graders.submission.read import Unreadable, read
from tests.support.notebooks import notebook

CODE = b"x = 1\n"
FORMATS = [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]


def tar(files: Mapping[str, bytes], form: int = tarfile.PAX_FORMAT, mode: str = "w:gz") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode, format=form) as opened:  # type: ignore[call-overload]
        for number, (name, data) in enumerate(files.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(data), 1_790_000_000.5 + 600 * number
            opened.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def names(path: Path) -> list[str]:
    return [file.name for file in read(path).files]


def reason(path: Path) -> str:
    with pytest.raises(Unreadable) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("ending", "mode"), [(".tar.gz", "w:gz"), (".tgz", "w:gz"), (".tar", "w")])
def test_a_tar_is_read_as_a_zip_is(tmp_path: Path, form: int, ending: str, mode: str) -> None:
    long = f"{'d' * 90}/{'e' * 60}/answers.py"
    files = {"rendu/a.py": CODE, "rendu/données.csv": b"1;2", long: CODE * 9, "rendu/empty.txt": b""}
    submission = read(put(tmp_path / f"alice{ending}", tar(files, form, mode)))
    assert sorted(file.name for file in submission.files) == sorted(["rendu/a.py", long])
    assert submission.other_files == ("rendu/données.csv", "rendu/empty.txt")
    assert [file.written for file in submission.files] == [
        1,
        0,
    ]  # long names come first, and were written later


def test_a_tar_in_a_folder_or_in_a_zip_is_opened_and_says_no_other_verdict(tmp_path: Path) -> None:
    inner = tar({"a.ipynb": notebook("x = 1")})
    put(tmp_path / "bob" / "rendu.tar.gz", inner)
    assert names(tmp_path / "bob") == ["a.ipynb"]
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as packed:
        packed.writestr("rendu.tgz", inner)
    assert names(tmp_path / "z.zip") == ["a.ipynb"]
    put(tmp_path / "t.tar", tar({"deep/z.zip": (tmp_path / "z.zip").read_bytes()}, mode="w"))
    assert names(tmp_path / "t.tar") == ["deep/a.ipynb"]


@pytest.mark.parametrize("name", ["../up.py", "/etc/up.py", "a/../../up.py"])
def test_a_tar_with_paths_outside_itself_is_refused(tmp_path: Path, name: str) -> None:
    assert "leads out of the archive" in reason(put(tmp_path / "a.tar.gz", tar({"a.py": CODE, name: CODE})))


def test_links_in_a_tar_are_told_and_not_followed(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as opened:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
            link = tarfile.TarInfo(f"link{kind!r}.py")
            link.type, link.linkname = kind, "/etc/passwd"
            opened.addfile(link)
        member = tarfile.TarInfo("a.py")
        member.size = len(CODE)
        opened.addfile(member, io.BytesIO(CODE))
    submission = read(put(tmp_path / "a.tgz", packed.getvalue()))
    assert [file.name for file in submission.files] == ["a.py"]
    assert ["is a link" in remark.says for remark in submission.remarks] == [True, True]


def test_an_archive_is_known_by_its_bytes_whatever_its_ending(tmp_path: Path) -> None:
    assert names(put(tmp_path / "really-a-tar.zip", tar({"a.py": CODE}))) == ["a.py"]
    assert "is of the kind RAR" in reason(
        put(tmp_path / "really-a-rar.zip", b"Rar!\x1a\x07\x01\x00" + b"0" * 99)
    )
    assert "is a broken tar" in reason(put(tmp_path / "a.tar.gz", tar({"a.py": CODE * 999})[:80]))


def test_a_bomb_of_gzip_takes_no_memory_and_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tar_members, "STREAM_LIMIT", 40_000_000)
    head = tarfile.TarInfo("data.bin")
    head.size = 60_000_000
    bomb = put(tmp_path / "a.tar.gz", gzip.compress(head.tobuf() + bytes(60_000_000), 1))
    tracemalloc.start()
    assert "is a broken tar" in reason(bomb)
    assert tracemalloc.get_traced_memory()[1] < 8_000_000
    tracemalloc.stop()


def test_a_long_header_of_a_tar_is_refused(tmp_path: Path) -> None:
    head = tarfile.TarInfo("name")
    head.type, head.size = tarfile.GNUTYPE_LONGNAME, 50_000_000
    assert "is a broken tar" in reason(
        put(tmp_path / "a.tar.gz", gzip.compress(head.tobuf() + bytes(50_000_000)))
    )


WHOLE = tar({"a.py": CODE, "d" * 120 + "/b.py": CODE, "c.zip": b"PK"}, mode="w")


@given(
    at=st.integers(0, len(WHOLE) - 1), data=st.binary(min_size=1, max_size=12), cut=st.integers(0, len(WHOLE))
)
def test_any_damage_to_a_tar_gives_files_or_a_sentence(at: int, data: bytes, cut: int) -> None:
    damaged = (WHOLE[:at] + data + WHOLE[at + len(data) :])[:cut]
    try:
        for member in tar_members.tar_members(damaged):
            member.read(1000)
    except BROKEN:
        pass
    try:
        archive.read_archive(damaged, "a.tar")
    except Unreadable as error:
        assert str(error)


def test_json_that_is_a_notebook_is_read_and_other_json_is_not(tmp_path: Path) -> None:
    old = json.dumps({"metadata": {"name": ""}, "nbformat": 3, "worksheets": [{"cells": []}]})
    colab = json.dumps({"nbformat": 4, "metadata": {}, "cells": []})
    files = {
        "rendu.json": notebook("x = 1").decode(),
        "old.json": old,
        "colab.json": colab,
        "vocab.json": json.dumps({"cells": 3, "tokens": ["a"] * 900}),
        "model.safetensors.index.json": json.dumps({"metadata": {"total_size": 1}, "weight_map": {}}),
        "rows.json": "[1, 2]",
    }
    for name, text in files.items():
        put(tmp_path / "in" / name, text.encode())
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    put(tmp_path / "a.tar", tar({name: text.encode() for name, text in files.items()}, mode="w"))
    for path in (tmp_path / "in", tmp_path / "a.zip", tmp_path / "a.tar"):
        submission = read(path)
        assert [file.name for file in submission.files] == ["colab.json", "old.json", "rendu.json"]
        assert [cell.source for cell in submission.files[2].cells] == ["x = 1"]
        assert set(submission.other_files) == {"vocab.json", "model.safetensors.index.json", "rows.json"}
        assert not submission.remarks


@pytest.mark.parametrize(
    "name", ["alice.tar.gz", "alice.tgz", "alice.ipynb.txt", "alice.ipynb.json", "alice.zip"]
)
def test_an_id_has_no_ending_of_a_file(tmp_path: Path, name: str) -> None:
    data = notebook("x = 1")
    packed = tar({"a.ipynb": data}) if name.endswith("gz") else data
    if name.endswith(".zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive_:
            archive_.writestr("a.ipynb", data)
    else:
        put(tmp_path / name, packed)
    assert read(tmp_path / name).id == "alice"


def test_two_files_whose_accents_are_written_in_two_ways_are_both_read(tmp_path: Path) -> None:
    both = [unicodedata.normalize(form, "été.py") for form in ("NFC", "NFD")]
    assert sorted(names(put(tmp_path / "a.tar.gz", tar(dict.fromkeys(both, CODE))))) == sorted(both)
