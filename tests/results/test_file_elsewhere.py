"""A file that is taken from another folder is one file with two names where that is safe, else a copy."""

import os
from pathlib import Path

import pytest

from graders.results.atomic_write import NotPlain
from graders.results.file_elsewhere import FileElsewhere
from graders.results.read_below import read_below

TEXT = b"what was examined"


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A part with a file, and the file's path among the results."""
    part, out = tmp_path / "part1", tmp_path / "results"
    part.mkdir()
    out.mkdir()
    (part / "result.json").write_bytes(TEXT)
    (part / "result.json").chmod(0o644)
    return part, out / "result.json"


def read(part: Path) -> FileElsewhere:
    return read_below(part, 100, "result.json")


def is_copy(part: Path, path: Path) -> bool:
    assert path.read_bytes() == TEXT
    assert [other.name for other in path.parent.iterdir()] == [path.name]  # nothing unfinished is left
    return not path.samefile(part / "result.json")


def test_our_own_file_takes_no_disk_twice(folders):
    part, path = folders
    read(part).place(path)
    assert not is_copy(part, path)


@pytest.mark.parametrize("before", ["other content", "the same file"])
def test_what_was_there_is_replaced(folders, before):
    part, path = folders
    if before == "other content":
        path.write_bytes(b"of an earlier run")
    else:
        path.hardlink_to(part / "result.json")
    read(part).place(path)
    assert not is_copy(part, path)


def test_a_link_is_not_replaced(folders):
    part, path = folders
    path.symlink_to(part / "elsewhere")
    with pytest.raises(NotPlain):
        read(part).place(path)
    assert path.is_symlink()


@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_a_file_that_others_may_write_to_is_copied(folders, mode):
    part, path = folders
    (part / "result.json").chmod(mode)
    read(part).place(path)
    assert is_copy(part, path)


def test_a_file_of_somebody_else_is_copied(folders, monkeypatch):
    part, path = folders
    somebody = os.geteuid() + 1
    monkeypatch.setattr("graders.results.file_elsewhere.os.geteuid", lambda: somebody)
    read(part).place(path)
    assert is_copy(part, path)


def test_where_a_file_cannot_have_two_names_it_is_copied(folders, monkeypatch):
    part, path = folders

    def refuse(*_, **__):
        raise OSError("Invalid cross-device link")

    monkeypatch.setattr("graders.results.file_elsewhere.os.link", refuse)
    read(part).place(path)
    assert is_copy(part, path)


@pytest.mark.parametrize("how", ["replaced", "written to", "a link now", "gone"])
def test_what_was_examined_is_what_stands_there(folders, how):
    part, path = folders
    file = read(part)
    source = part / "result.json"
    if how == "written to":
        source.write_bytes(b"changed afterwards")
    else:
        source.unlink()
    if how == "replaced":
        source.write_bytes(b"changed afterwards")
    if how == "a link now":
        (part / "secret").write_bytes(b"changed afterwards")
        source.symlink_to("secret")
    file.place(path)
    assert path.read_bytes() == TEXT
    assert not path.is_symlink()
