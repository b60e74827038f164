"""Of several versions in one hand-in the one counts that is marked as later, or that was written later."""

import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.extraction.extract import Source, extract, study
from graders.extraction.rivals import find_equals
from graders.submission.read import read
from tests.support.notebooks import notebook

# The file that counts, and the others with what they lack; all of them define f, and no two alike.
MADE: dict[str, tuple[str, dict[str, str]]] = {
    "numbers": ("rendu_v10.py", {"rendu_v9.py": "", "rendu.py": ""}),
    "corrected": ("attention_corrected.py", {"attention.py": "def more(): pass"}),
    "folders": ("final/attention.py", {"brouillon/attention.py": "def more(): pass"}),
    "draft of another name": ("rendu.ipynb", {"brouillon.ipynb": "def g(): return 1"}),
    "a second download": ("rendu (1).ipynb", {"rendu.ipynb": ""}),
    "decomposed accents": ("rendu_corrige\u0301.py", {"rendu.py": ""}),
    "old": ("heads.py", {"old/heads.py": "def g(): return 1"}),
}


def lay(folder: Path, files: dict[str, str], times: dict[str, int] | None = None) -> Path:
    """These files in a folder, written in this order; `times` are minutes."""
    for name, code in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(notebook(code) if name.endswith("ipynb") else code.encode())
        at = 1_700_000_000 + 60 * (times or {}).get(name, 0)
        os.utime(path, (at, at))
    return folder


def pack(path: Path, files: dict[str, str], times: dict[str, int] | None = None) -> Path:
    """The same as a zip."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, code in files.items():
            info = zipfile.ZipInfo(name, (2026, 11, 20, 10, (times or {}).get(name, 0), 0))
            archive.writestr(info, notebook(code) if name.endswith("ipynb") else code)
    return path


def chosen(path: Path) -> tuple[str, list[str], str]:
    """The file that counts, those that might as well, and the remark on it."""
    program = study(read(path), ["f", "g"])
    source = extract(program, "f", None)
    assert isinstance(source, Source)
    equals = [equal.definitions[0].file for equal in find_equals(program, "f", None)]
    return source.definitions[0].file, equals, " ".join(remark.says for remark in source.remarks)


def codes(last: str, others: dict[str, str]) -> dict[str, str]:
    own = {last: "def f(x): return x"}
    return own | {
        name: f"def f(x): return {n} * x\n{code}" for n, (name, code) in enumerate(others.items(), 2)
    }


@pytest.mark.parametrize("case", MADE)
@pytest.mark.parametrize("order", [1, -1])
def test_the_name_of_the_later_version_counts_in_every_order(tmp_path: Path, case: str, order: int) -> None:
    last, others = MADE[case]
    files = dict([*codes(last, others).items()][::order])
    for path in (lay(tmp_path / "rendu", files), pack(tmp_path / "rendu.zip", files)):
        file, equals, says = chosen(path)
        assert (file, equals) == (last, [])
        assert says.endswith(f"the one in {last} counts. By its name it is the later version.")


@pytest.mark.parametrize("last", ["a.py", "b.py"])
def test_without_marks_the_file_that_was_written_later_counts(tmp_path: Path, last: str) -> None:
    files = {"a.py": "def f(x): return x", "b.py": "def f(x): return 2 * x"}
    for path in (
        lay(tmp_path / "rendu", files, {last: 5}),
        pack(tmp_path / "rendu.zip", files, {last: 5}),
    ):
        assert chosen(path)[:2] == (last, [])
        assert "It was changed last." in chosen(path)[2]


def test_a_mark_counts_before_the_time(tmp_path: Path) -> None:
    files = {"rendu.py": "def f(x): return x", "rendu_v2.py": "def f(x): return 2 * x"}
    assert chosen(pack(tmp_path / "rendu.zip", files, {"rendu.py": 30}))[0] == "rendu_v2.py"


def test_then_the_file_with_most_of_what_is_asked_counts(tmp_path: Path) -> None:
    files = {
        "a.py": "def f(x): return x\ndef h(): pass\ndef i(): pass",
        "b.py": "def f(x): return 2\ndef g(): return 1",
    }
    file, equals, says = chosen(pack(tmp_path / "rendu.zip", files))
    assert (file, equals) == ("b.py", [])
    assert "It has more of what is asked for." in says


@pytest.mark.parametrize(
    "names", [("a.py", "b.py"), ("one/heads.py", "two/heads.py"), ("rendu.ipynb", "rendu - Copie.ipynb")]
)
def test_where_nothing_decides_both_are_equals(tmp_path: Path, names: tuple[str, str]) -> None:
    texts = ["def f(x): return x", "def f(x): return 2 * x"]
    found = []
    for number, turned in enumerate((texts, texts[::-1])):
        file, equals, says = chosen(pack(tmp_path / f"{number}.zip", dict(zip(names, turned, strict=True))))
        assert sorted([file, *equals]) == sorted(names)
        assert "Nothing says which one is the last" in says
        found.append(turned[names.index(file)])
    assert found[0] == found[1]  # the content decides which is tried first, and not the name


def test_an_import_that_may_mean_two_folders_does_not_choose_between_them(tmp_path: Path) -> None:
    files = {
        "rendu.ipynb": "from heads import f",
        "one/heads.py": "def f(x): return x",
        "two/heads.py": "def f(x): return 2 * x",
    }
    file, equals, _ = chosen(pack(tmp_path / "rendu.zip", files))
    assert sorted([file, *equals]) == ["one/heads.py", "two/heads.py"]
    file, equals, _ = chosen(pack(tmp_path / "one.zip", files | {"rendu.ipynb": "from one.heads import f"}))
    assert (file, equals) == ("one/heads.py", [])


def test_a_helper_comes_from_the_folder_of_what_needs_it(tmp_path: Path) -> None:
    files = {
        "brouillon/main.py": "from layers import g\ndef f(x): return g(x)",
        "brouillon/parts.py": "def g(x): return 1",
        "final/main.py": "from layers import g\ndef f(x): return g(x)",
        "final/parts.py": "def g(x): return 2",
    }
    source = extract(study(read(pack(tmp_path / "rendu.zip", files))), "f", None)
    assert isinstance(source, Source)
    assert {definition.file for definition in source.definitions} == {"final/main.py", "final/parts.py"}


def test_archives_are_versions_too(tmp_path: Path) -> None:
    folder = tmp_path / "rendu"
    folder.mkdir()
    for name, text in {"tp_v1.zip": "def f(x): return x", "tp_v2.zip": "def f(x): return 2 * x"}.items():
        pack(folder / name, {"heads.py": text})
    assert chosen(folder)[:2] == ("tp_v2/heads.py", [])


PATHS = (
    "a.py",
    "a_v2.py",
    "a_final.py",
    "old/a.py",
    "b.py",
    "b (1).py",
    "c.ipynb",
    "c - Copie.ipynb",
    "x/b.py",
)


@settings(max_examples=40, deadline=None)
@given(st.permutations(PATHS), st.integers(2, 9), st.randoms())
def test_no_choice_depends_on_the_order_of_files(tmp_path_factory, order, count, random) -> None:
    folder = tmp_path_factory.mktemp("made")
    times = {name: random.choice([0, 5]) for name in order}
    files = {name: f"def f(x): return {PATHS.index(name)} * x" for name in order[:count]}
    turned = dict(random.sample([*files.items()], len(files)))
    first, second = (chosen(pack(folder / f"{n}.zip", each, times)) for n, each in enumerate((files, turned)))
    assert (first[0], sorted(first[1]), first[2]) == (second[0], sorted(second[1]), second[2])
    laid = chosen(lay(folder / "laid", turned, times))
    assert (laid[0], sorted(laid[1])) == (first[0], sorted(first[1]))
