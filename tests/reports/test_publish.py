import subprocess
import sys
from pathlib import Path

import pytest

from graders.results.compact import compact
from graders.results.result import to_json
from reports import publish
from tests.reports import sample
from tests.reports.markup import assert_sound


def test_a_submission_becomes_a_page(tmp_path: Path) -> None:
    publish.publish_one(tmp_path, sample.result())
    assert_sound((tmp_path / "alice" / "index.html").read_text(encoding="utf-8"))
    assert [path.name for path in (tmp_path / "alice").iterdir()] == ["index.html"]


def test_a_notebook_beside_the_result_also_becomes_a_page(tmp_path: Path) -> None:
    _put(tmp_path / "alice" / "notebook.ipynb", '{"cells": [{"cell_type": "markdown", "source": "# Hi"}]}')
    publish.publish_one(tmp_path, sample.result())
    assert "<h2>Hi</h2>" in (tmp_path / "alice" / "notebook.html").read_text(encoding="utf-8")
    assert 'href="notebook.html"' in (tmp_path / "alice" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["", "{}", "[" * 100_000])
def test_a_file_that_is_not_a_notebook_gets_no_page(tmp_path: Path, text: str) -> None:
    _put(tmp_path / "alice" / "notebook.ipynb", text)
    publish.publish_one(tmp_path, sample.result())
    assert not (tmp_path / "alice" / "notebook.html").exists()
    assert "notebook.html" not in (tmp_path / "alice" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("id", ["", ".", "..", "../bob", "/tmp/x", "a/b", "a\\b", "a\0b"])
def test_an_id_cannot_lead_to_another_folder(tmp_path: Path, id: str) -> None:  # noqa: A002
    with pytest.raises(ValueError, match="cannot be the name of a folder"):
        publish.publish_one(tmp_path / "out", sample.result(id=id))
    assert not list(tmp_path.iterdir())


def test_a_class_becomes_a_page_and_a_gradebook(tmp_path: Path) -> None:
    publish.publish_class(tmp_path / "new", [sample.result()], [], ["a note"])
    assert "a note" in (tmp_path / "new" / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "new" / "grades.csv").read_bytes().startswith(b"id,points")


def test_writing_again_replaces_the_file(tmp_path: Path) -> None:
    publish.publish_class(tmp_path, [sample.result()], [])
    before = (tmp_path / "index.html").stat().st_ino
    publish.publish_class(tmp_path, [sample.result(id="bob")], [])
    assert (tmp_path / "index.html").stat().st_ino != before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["grades.csv", "index.html"]


def test_a_failed_write_leaves_no_file_behind(tmp_path: Path) -> None:
    (tmp_path / "index.html").mkdir()
    with pytest.raises(OSError, match=r"index\.html"):
        publish.publish_class(tmp_path, [], [])
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_results_are_read_back_sorted_by_id(tmp_path: Path) -> None:
    for name in ("bob", "alice", "Đặng"):
        _put(tmp_path / name / "result.json", to_json(sample.result(id=name)))
    results, notes = publish.load_results(tmp_path)
    assert [result.submission.id for result in results] == ["alice", "bob", "Đặng"]
    assert results[0] == compact(sample.result()) and not notes


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        '{"schema": "softmark/result/1"}',
        '{"schema": "softmark/result/9"}',
        "[" * 200_000,
        to_json(sample.result(id="bob")),
        to_json(sample.result()).replace('"outcome": "passed"', '"outcome": "<script>"'),
        to_json(sample.result(points=7654)).replace("7654", "NaN"),
        to_json(sample.result(points=7654)).replace("7654", '"many"'),
        to_json(sample.result(points=7654)).replace("7654", "1" * 5_000),
    ],
)
def test_a_result_that_cannot_be_read_becomes_a_note(tmp_path: Path, text: str) -> None:
    _put(tmp_path / "alice" / "result.json", text)
    _put(tmp_path / "carol" / "result.json", to_json(sample.result(id="carol")))
    results, notes = publish.load_results(tmp_path)
    assert [result.submission.id for result in results] == ["carol"]
    assert len(notes) == 1
    assert notes[0].startswith("alice: the result could not be read and is left out (")


def test_undecodable_bytes_and_folders_become_notes(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "result.json").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "bob" / "result.json").mkdir(parents=True)
    results, notes = publish.load_results(tmp_path)
    assert not results and len(notes) == 2


def test_an_empty_folder_has_no_results(tmp_path: Path) -> None:
    assert publish.load_results(tmp_path / "absent") == ([], [])


@pytest.mark.programs
def test_heavy_packages_are_imported_only_when_needed() -> None:
    show = "import sys, reports.publish, reports.terminal; print(*sys.modules)"
    known = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True).stdout
    assert "reports.pages.student_page" in known.split()
    assert not {"matplotlib", "nbconvert", "nbformat", "nh3", "bleach", "numpy", "torch"} & set(known.split())


def test_surrogates_do_not_stop_a_page(tmp_path: Path) -> None:
    publish.publish_one(tmp_path, sample.result(title="\ud800"))
    assert "?" in (tmp_path / "alice" / "index.html").read_text(encoding="utf-8")


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
