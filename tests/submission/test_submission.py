"""Reading submissions: every kind of file, and every kind of broken file."""

import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.submission import archive, zip_members
from graders.submission import decode as decoding
from graders.submission import files as gather
from graders.submission.decode import decode
from graders.submission.kept_texts import keep_texts
from graders.submission.read import Unreadable, read
from tests.support.notebooks import markdown, notebook


def put(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def reason(path: Path) -> str:
    with pytest.raises(Unreadable) as caught:
        read(path)
    return str(caught.value)


def test_a_notebooks_cells_keep_their_numbers_among_all_cells(tmp_path: Path) -> None:
    put(tmp_path, {"rendu.ipynb": notebook(markdown(), "x = 1\ny = 2", markdown(), "z = 3")})
    submission = read(tmp_path / "rendu.ipynb")
    (file,) = submission.files
    assert (submission.id, file.name, file.kind) == ("rendu", "rendu.ipynb", "notebook")
    assert [(cell.number, cell.source) for cell in file.cells] == [(2, "x = 1\ny = 2"), (4, "z = 3")]


def test_a_module_is_one_cell_without_a_number(tmp_path: Path) -> None:
    put(tmp_path, {"model.py": "x = 1\r\ny = 2\r\n"})
    (file,) = read(tmp_path / "model.py").files
    assert [(cell.number, cell.source) for cell in file.cells] == [(None, "x = 1\ny = 2\n")]


def test_an_old_notebook_is_read_too(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "heading", "level": 1, "metadata": {}, "source": "Title"},
        {"cell_type": "code", "language": "python", "metadata": {}, "outputs": [], "input": ["x = ", "1"]},
    ]
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    put(tmp_path, {"old.ipynb": json.dumps(old)})
    (file,) = read(tmp_path / "old.ipynb").files
    assert [(cell.number, cell.source) for cell in file.cells] == [(2, "x = 1")]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_every_old_format_is_read(tmp_path: Path, version: int) -> None:
    cells = [{"cell_type": "markdown"}, {"cell_type": "code", "input" if version > 1 else "code": "x = 1"}]
    place = {"worksheets": [{"cells": cells}] * 2} if version > 1 else {"cells": cells * 2}
    put(tmp_path, {"old.ipynb": json.dumps({"nbformat": version} | place)})
    (file,) = read(tmp_path / "old.ipynb").files
    assert [(cell.number, cell.source) for cell in file.cells] == [(2, "x = 1"), (4, "x = 1")]


def test_a_notebook_of_too_many_cells_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "CELL_LIMIT", 3)
    assert "more than 3 cells" in reason(put(tmp_path, {"a.ipynb": notebook(*["x = 1"] * 4)}) / "a.ipynb")


def test_only_a_few_of_many_broken_files_are_explained(tmp_path: Path) -> None:
    message = reason(put(tmp_path, {f"{number:02}.ipynb": "" for number in range(20)}))
    assert "04.ipynb is empty" in message and message.endswith("15 more files could not be read.")


def test_names_equal_on_some_file_systems_are_both_read(tmp_path: Path) -> None:
    submission = read(put(tmp_path, {"A.py": "x = 1", "a.py": "x = 2", "b.py": "x = 3"}))
    assert [file.name for file in submission.files] == ["A.py", "a.py", "b.py"]
    assert "a.py has the same name as A.py" in submission.remarks[0].says


def test_the_encoding_that_a_module_declares_is_honoured(tmp_path: Path) -> None:
    text = "# -*- coding: latin-1 -*-\nname = 'été'\n"
    put(tmp_path, {"a.py": text.encode("latin-1"), "b.py": "\ufeffname = 'été'".encode()})
    first, second = read(tmp_path).files
    assert "été" in first.cells[0].source
    assert second.cells[0].source == "name = 'été'"


ENCODINGS = {
    "utf-8-sig": None,
    "utf-16": "is in the encoding UTF-16",
    "utf-16-le": "is in the encoding UTF-16",
    "utf-32": "is in the encoding UTF-32",
    "cp1252": "is in the encoding Windows-1252",
    "latin-1": "is in the encoding Windows-1252",
}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_text_is_read_in_the_encoding_that_it_is_in(encoding: str, newline: str) -> None:
    text = "name = 'été'\nx = 1\n"
    file, remarks = decode("a.py", text.replace("\n", newline).encode(encoding))
    assert file.cells[0].source.lstrip("\ufeff") == text
    expected = ENCODINGS[encoding]
    assert [expected in remark.says for remark in remarks if expected] == [True] * (expected is not None)


@pytest.mark.parametrize("declared", ["klingon", "zlib", "punycode", "ascii"])
def test_an_encoding_that_cannot_be_right_is_not_believed(declared: str) -> None:
    file, (remark,) = decode("a.py", f"# coding: {declared}\nx = 'é'".encode())
    assert file.cells[0].source.endswith("x = 'é'")
    assert "is not in the encoding that it names, and was read as UTF-8" in remark.says


def test_a_notebook_in_another_encoding_is_read(tmp_path: Path) -> None:
    text = notebook("name = 'été'").decode().replace("\\u00e9", "é")
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        file, _ = decode("a.ipynb", text.encode(encoding))
        assert file.cells[0].source == "name = 'été'"


@pytest.mark.parametrize(
    "opening",
    [
        "```python",
        "```{python}",
        "```{python width=3, echo=FALSE}",
        "~~~ {.python}",
        "```{code-cell} ipython3",
    ],
)
def test_the_cells_of_markdown_keep_their_lines(tmp_path: Path, opening: str) -> None:
    text = f"# Title\n\n{opening}\nx = 1\n{opening[:3]}\n\n```bash\nls\n```\n\n{opening}\ny = 2\n\nz = 3"
    (file,) = read(put(tmp_path, {"a.md": text}) / "a.md").files
    assert [cell.source for cell in file.cells] == ["\n\n\nx = 1", "\n" * 11 + "y = 2\n\nz = 3"]


def test_texts_beside_code_are_kept_within_bounds(tmp_path: Path) -> None:
    notebook = {"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": "x = 1"}]}
    notebook["cells"] += [{"cell_type": "markdown", "source": ["## Q1\n", "since"]}]
    module = '# %% [markdown]\n# ## Q2\n# because\n# %%\nx = 1\n# %% [md]\n"""\nQ3\n"""\n'
    files = {"a.ipynb": json.dumps(notebook), "b.py": module, "c.md": "Q4 \x1b[31m", "d.md": "y" * 50_000}
    texts = keep_texts(read(put(tmp_path, files)))
    assert [(text.file, text.cell) for text in texts] == [
        ("a.ipynb", 2),
        ("b.py", None),
        ("b.py", None),
        ("c.md", None),
        ("d.md", None),
    ]
    assert [text.text for text in texts[:4]] == ["## Q1\nsince", "## Q2\nbecause", "\nQ3\n", "Q4 "]
    assert len(texts[-1].text) < 9_000


def test_a_readme_is_no_notebook_unless_it_says_so_or_is_alone(tmp_path: Path) -> None:
    example = "```python\nx = 1\n```\n"
    put(
        tmp_path,
        {"a.py": "x = 1", "README.md": example, "b.md": "---\njupyter:\n  jupytext: 1\n---\n" + example},
    )
    submission = read(tmp_path)
    assert [file.name for file in submission.files] == ["a.py", "b.md"]
    assert submission.other_files == ("README.md",)
    assert len(read(put(tmp_path / "alone", {"answers.md": example})).files) == 1


def test_endings_that_browsers_add_are_dropped(tmp_path: Path) -> None:
    put(tmp_path, {"a.ipynb.txt": notebook("x = 1"), "b.ipynb.json": notebook("x = 1"), "c.py.txt": "x = 1"})
    assert [file.kind for file in read(tmp_path).files] == ["notebook", "notebook", "module"]


def test_a_lone_surrogate_becomes_a_replacement_character(tmp_path: Path) -> None:
    put(tmp_path, {"rendu.ipynb": notebook("x = 1  # \ud800")})
    (file,) = read(tmp_path / "rendu.ipynb").files
    assert file.cells[0].source == "x = 1  # \ufffd"


def test_a_folder_is_read_without_caches_and_hidden_files(tmp_path: Path) -> None:
    good: dict[str, str | bytes] = {
        "a.ipynb": notebook("x = 1"),
        "pkg/attn.py": "y = 1",
        "weights.pt": b"\x00",
        "sub/notes.txt": "hello",
    }
    skipped = [
        ".ipynb_checkpoints/a-checkpoint.ipynb",
        "__pycache__/a.py",
        ".venv/b.py",
        "__MACOSX/._a.ipynb",
    ]
    put(tmp_path / "alice.martin", good | dict.fromkeys([*skipped, ".hidden.py"], "z = 1"))
    submission = read(tmp_path / "alice.martin")
    assert submission.id == "alice.martin"
    assert [file.name for file in submission.files] == ["a.ipynb", "pkg/attn.py"]
    assert submission.other_files == ("sub/notes.txt", "weights.pt")
    assert read(tmp_path / "alice.martin", id="7").id == "7"


def test_a_long_name_keeps_its_end_which_says_what_the_file_is(tmp_path: Path) -> None:
    alone = put(tmp_path / "one", {f"{'a' * 240}.py": "x = 1\n"})
    deep = put(tmp_path / "two", {f"{'b' * 120}/{'c' * 120}/work.py": "x = 1\n"})
    packed = zipped(tmp_path / "three.zip", {f"{'b' * 120}/{'c' * 120}/work.py": "x = 1\n"})
    for path in (next(alone.iterdir()), alone, deep, packed):
        [file] = read(path).files
        assert file.name.endswith(".py") and len(file.name) <= 200


def test_a_zip_of_a_folder_reads_like_the_folder(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.ipynb": notebook("x = 1"), "pkg/attn.py": "y = 1", "w.pt": b"\x00"}
    from_folder = read(put(tmp_path / "bob", files))
    from_zip = read(zipped(tmp_path / "bob.zip", files | {"__MACOSX/._a.ipynb": "junk"}))
    assert from_zip == from_folder


def test_a_zip_alone_in_a_students_folder_is_opened(tmp_path: Path) -> None:
    (tmp_path / "carol").mkdir()
    zipped(tmp_path / "carol" / "devoir.zip", {"a.py": "x = 1"})
    submission = read(tmp_path / "carol")
    assert (submission.id, [file.name for file in submission.files]) == ("carol", ["a.py"])


def test_a_zip_in_a_zip_is_opened_and_one_beside_code_is_named(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", {"a.py": "x = 1"}).read_bytes()
    middle = zipped(tmp_path / "middle.zip", {"work/inner.zip": inner, "photo.png": b"\x89"}).read_bytes()
    submission = read(zipped(tmp_path / "outer.zip", {"middle.zip": middle}))
    assert [file.name for file in submission.files] == ["work/a.py"]
    beside = read(zipped(tmp_path / "beside.zip", {"b.py": "x = 2", "inner.zip": inner}))
    assert [file.name for file in beside.files] == ["b.py"]
    assert "inner.zip was not opened" in beside.unread[0].says
    several = read(put(tmp_path / "dora", {"one.zip": inner, "two.zip": inner}))
    assert [file.name for file in several.files] == ["one/a.py", "two/a.py"]


def test_another_archive_is_named(tmp_path: Path) -> None:
    assert "work.rar is an archive that is not opened here" in reason(put(tmp_path, {"work.rar": b"Rar!"}))


def test_a_broken_file_beside_a_good_one_is_a_remark(tmp_path: Path) -> None:
    submission = read(put(tmp_path, {"a.ipynb": "<html>", "b.py": "x = 1"}))
    assert [file.name for file in submission.files] == ["b.py"]
    (remark,) = submission.remarks
    assert remark.file == "a.ipynb"
    assert "a.ipynb is not a notebook" in remark.says


BROKEN: dict[str, tuple[str | bytes, str]] = {
    "empty.ipynb": (b"", "is empty"),
    "html.ipynb": ("<html></html>", "not JSON"),
    "list.ipynb": ("[]", "JSON of another kind"),
    "formless.ipynb": ("{}", "does not say its format"),
    "true.ipynb": ('{"nbformat": true, "cells": []}', "does not say its format"),
    "cells.ipynb": ('{"nbformat": 4, "cells": {"a": 1}}', "no list of cells"),
    "nested.ipynb": ("[" * 100_000, "not JSON"),
    "old.ipynb": ('{"nbformat": 3, "worksheets": [7]}', "old format"),
    "ancient.ipynb": ('{"nbformat": -1}', "old format"),
    "bytes.py": (b"x = \xff\x01", "it is no text"),
    "report.pdf": (b"%PDF", "no notebook (.ipynb)"),
    "broken.zip": (b"PK\x03\x04 no", "broken zip"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_alone_is_explained(tmp_path: Path, name: str) -> None:
    content, expected = BROKEN[name]
    assert expected in reason(put(tmp_path, {name: content}) / name)


def test_a_damaged_cell_is_left_out_with_a_remark(tmp_path: Path) -> None:
    damaged = {"cell_type": "code", "source": 7}
    put(tmp_path, {"a.ipynb": notebook("x = 1", damaged, "y = 2")})
    submission = read(tmp_path / "a.ipynb")
    assert [cell.number for cell in submission.files[0].cells] == [1, 3]
    assert [(remark.cell, remark.file) for remark in submission.remarks] == [(2, "a.ipynb")]


def test_an_empty_init_file_is_accepted(tmp_path: Path) -> None:
    submission = read(put(tmp_path, {"pkg/__init__.py": "", "pkg/a.py": "x = 1"}))
    assert (len(submission.files), submission.remarks) == (2, ())


def test_a_folder_without_code_and_a_missing_path_are_explained(tmp_path: Path) -> None:
    put(tmp_path / "dave", {"report.pdf": b"%PDF"})
    assert reason(tmp_path / "dave") == (
        "There is no notebook (.ipynb) and no module (.py) in dave. There is: report.pdf."
    )
    assert reason(tmp_path / "erin.ipynb") == "There is no file erin.ipynb."


def test_links_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path, {"secret.py": "x = 1", "frank/own.py": "y = 1"})
    (tmp_path / "frank" / "link.py").symlink_to(tmp_path / "secret.py")
    (tmp_path / "frank" / "loop").symlink_to(tmp_path)
    assert [file.name for file in read(tmp_path / "frank").files] == ["own.py"]
    assert "is a link" in reason(tmp_path / "frank" / "link.py")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a matter of Unix")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    put(tmp_path, {"own.py": "y = 1"})
    os.mkfifo(tmp_path / "pipe.py")
    assert [file.name for file in read(tmp_path).files] == ["own.py"]


def large(output: str, source: str = "x = 1") -> bytes:
    """A notebook whose output has some 25 MB."""
    whole = json.loads(notebook(source, markdown(), "y = 2"))
    whole["cells"][0]["outputs"] = [{"output_type": "display_data", "data": {"image/png": output}}]
    whole["cells"][1]["attachments"] = {"photo.png": {"image/png": output}}
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    "output", ["x", '"', "\\", "}]", "é"], ids=["plain", "quotes", "backslashes", "ends", "é"]
)
@pytest.mark.parametrize(
    "encoding",  # where outputs end is looked for in the decoded text
    ["utf-8", pytest.param("utf-16", marks=pytest.mark.nightly)],
)
def test_a_notebook_may_be_large_because_of_its_outputs(tmp_path: Path, output: str, encoding: str) -> None:
    data = large(output * (25_000_000 // len(json.dumps(output)[1:-1]) // 2))
    assert len(data) > decoding.CODE_LIMIT
    put(tmp_path, {"rendu.ipynb": data.decode().encode(encoding)})
    (file,) = read(tmp_path / "rendu.ipynb").files
    assert [(cell.number, cell.source) for cell in file.cells] == [(1, "x = 1"), (3, "y = 2")]


@pytest.mark.parametrize(
    "source", ['{"outputs": [1, 2]}', 'print("\\"outputs\\": [")', '"outputs"', "# \\", '"outputs":[{"']
)
def test_code_that_names_outputs_stays_as_it_is(source: str) -> None:
    file, remarks = decode("a.ipynb", notebook(source, source))
    assert ([cell.source for cell in file.cells], remarks) == ([source, source], ())


def test_a_notebook_that_is_large_without_its_outputs_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoding, "CODE_LIMIT", 1_000)
    put(tmp_path, {"small.ipynb": large("x" * 10_000), "large.ipynb": large("x", "#" * 1_000)})
    assert [file.name for file in read(tmp_path).files] == ["small.ipynb"]
    assert "without its outputs" in reason(tmp_path / "large.ipynb")


def test_outputs_that_do_not_end_make_a_notebook_unreadable(tmp_path: Path) -> None:
    put(tmp_path, {"cut.ipynb": large("x" * 1_000)[:600]})
    assert "its content is not JSON" in reason(tmp_path / "cut.ipynb")


@given(st.lists(st.text(max_size=9), max_size=4), st.recursive(st.text(max_size=5), st.lists, max_leaves=9))
def test_whatever_the_outputs_are_the_code_is_read(sources: list[str], output: object) -> None:
    whole = json.loads(notebook(*sources))
    for cell in whole["cells"]:
        cell["outputs"] = [{"outputs": output}, output]
    bare = decode("a.ipynb", notebook(*sources))[0].cells
    assert decode("a.ipynb", json.dumps(whole, ensure_ascii=False).encode())[0].cells == bare


def test_too_large_a_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gather, "MODULE_LIMIT", 10)
    put(tmp_path, {"large.py": "x = 1  # much more than ten", "small.py": "y = 1"})
    submission = read(tmp_path)
    assert [file.name for file in submission.files] == ["small.py"]
    assert "large.py is larger than" in submission.remarks[0].says


def test_too_many_files_are_not_all_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gather, "FILE_LIMIT", 3)
    submission = read(put(tmp_path, {f"m{number}.py": "x = 1" for number in range(9)}))
    assert len(submission.files) == 3
    assert "more than 3 files" in submission.remarks[0].says


@pytest.mark.parametrize("name", ["../up.py", "/etc/up.py", "a/../../up.py", "C:/up.py", "..\\up.py"])
def test_a_zip_with_paths_outside_itself_is_refused(tmp_path: Path, name: str) -> None:
    assert "leads out of the archive" in reason(zipped(tmp_path / "z.zip", {"a.py": "x = 1", name: "y = 1"}))


def test_a_locked_zip_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "z.zip", {"a.py": "x = 1"})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flag for encryption, in the table of contents
    path.write_bytes(bytes(data))
    assert "locked with a password" in reason(path)


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = zipped(tmp_path / "z.zip", {"bomb.ipynb": b" " * 15_000_000, "a.py": "x = 1"})
    submission = read(path)
    assert [file.name for file in submission.files] == ["a.py"]
    assert "packed in a way" in submission.remarks[0].says


def test_a_zip_with_too_many_members_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "FILE_LIMIT", 3)
    assert "more than 3 files" in reason(zipped(tmp_path / "z.zip", {f"m{n}.py": "x = 1" for n in range(9)}))


def test_a_zip_with_a_huge_table_of_contents_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_members, "DIRECTORY_LIMIT", 100)
    assert "broken zip" in reason(zipped(tmp_path / "z.zip", {f"m{n}.py": "x = 1" for n in range(9)}))


def test_a_link_in_a_zip_is_not_followed(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.py")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("a.py", "x = 1")
    submission = read(tmp_path / "z.zip")
    assert [file.name for file in submission.files] == ["a.py"]
    assert "link.py is a link" in submission.remarks[0].says


def test_a_damaged_member_is_a_remark(tmp_path: Path) -> None:
    path = zipped(tmp_path / "z.zip", {"a.py": "x = 1", "b.py": "y = 22222222222222222222222222"})
    data = path.read_bytes()
    at = data.index(b"b.py") + 4
    path.write_bytes(data[:at] + b"\xff\xff" + data[at + 2 :])
    submission = read(path)
    assert [file.name for file in submission.files] == ["a.py"]
    assert "b.py is damaged" in submission.remarks[0].says


def test_the_fingerprint_is_over_names_and_bytes(tmp_path: Path) -> None:
    prints = {
        read(put(tmp_path / str(number), files)).sha256
        for number, files in enumerate(
            [{"a.py": "x", "b.py": "y"}, {"a.py": "y", "b.py": "x"}, {"a.py": "xy"}, {"ab.py": "xy"}]
        )
    }
    assert len(prints) == 4


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_explained(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("any")
    for name in ("x.zip", "x.ipynb", "x.py"):
        path = folder / name
        path.write_bytes(data)
        try:
            read(path)
        except Unreadable as error:
            assert str(error)


json_keys = st.sampled_from(["source", "cell_type", "cells", "input", "x"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("code"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(json_keys, inner, max_size=4),
    max_leaves=10,
)


@given(st.sampled_from([2, 3, 4, 5]), json_values, json_values)
def test_any_json_in_a_notebook_is_read_or_explained(version: int, inner: object, worksheets: object) -> None:
    data = {
        "nbformat": version,
        "nbformat_minor": 0,
        "metadata": {},
        "cells": inner,
        "worksheets": worksheets,
    }
    try:
        decode("x.ipynb", json.dumps(data).encode())
    except Unreadable as error:
        assert str(error)


def test_reading_from_a_zip_writes_nothing(tmp_path: Path) -> None:
    read(zipped(tmp_path / "z.zip", {"a.py": "x = 1"}))
    assert [path.name for path in tmp_path.iterdir()] == ["z.zip"]
