"""Odd files in a folder of results, and every command that reads it. Not collected by pytest.

    python -m tests.fuzz.results_folder --seconds 600 --seed 1

One file of the folder, or a whole folder of a student, is damaged, edited, or becomes a link, a pipe or a
folder. No command may let an exception through or hang, and what other students have must stay: their
result, and after `report`, `grade` and `gather` their page and their line in grades.csv.
"""

import contextlib
import csv
import hashlib
import json
import os
import random
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from graders.results import heads
from tests.batch.conftest import grade_without_box
from tests.fuzz.forked_command import run_command
from tests.fuzz.fuzzing import fuzz
from tests.fuzz.odd_values import change_json, damage

STUDENTS = {"alice": "right", "bob": "wrong", "carol": "hangs", "dave": "nothing"}
NOTEBOOK = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
ROSTER = "id,name,email\nalice,Alice,a@x\nbob,Bob,b@x\ncarol,Carol,c@x\nerin,Erin,e@x\n"
OVERRIDES = "id,exercise,points,comment\nalice,,1,see me\nbob,concat_heads,0.5,\n"
OF_STUDENT = (
    "result.json",
    "result.json",
    "result.json",
    "index.html",
    "heads.json",
    "notebook.ipynb",
    "notebook.html",
)
OF_CLASS = (
    "class.json",
    "class.json",
    "seed.txt",
    "overrides.csv",
    "course.toml",
    "index.html",
    "grades.csv",
    "part.json",
)
GRADE = ("grade", "in", "--assignment", "attention", "--unsafe", "--jobs", "1", "--no-timing")
COMMANDS = (
    ("report", "{out}", "--jobs", "1"),
    ("report", "{out}", "--force"),
    ("report", "{out}", "--lang", "fr", "--jobs", "2"),
    (*GRADE, "--out", "{out}"),
    (*GRADE, "--out", "{out}", "--only-failed", "--notebooks"),
    (*GRADE, "--out", "{out}", "--force", "--roster", "roster.csv"),
    ("results", "{out}", "--to", "all.sqlite"),
    ("results", "{out}", "--to", "all.parquet", "--jobs", "2"),
    ("export", "{out}", "junit", "--to", "all.xml"),
    ("export", "{out}", "gradescope", "--to", "scope"),
    ("export", "{out}", "gradescope", "--to", "bob.json", "--only", "bob"),
    ("export", "{out}", "moodle", "--template", "moodle.csv"),
    ("export", "{out}", "canvas", "--template", "canvas.csv", "--column", "TP 1"),
)
GATHER = ("gather", "part1", "part2", "--out", "all", "--jobs", "1")
WRITES_PAGES = ("report", "grade", "gather")


def main() -> None:
    """Damage folders until the time is up."""
    with made_class() as made:
        fuzz(made.judge, __doc__)


@dataclass(frozen=True)
class MadeClass:
    """A class that was graded at once in `out`, and in two parts, and a place for copies of it."""

    root: Path

    def judge(self, number: int) -> str:
        """Damage a copy and run a command on it; the kind of damage and the status."""
        draws = random.Random(number)
        folder = self.root / "copy"
        shutil.copytree(self.root / "made", folder, symlinks=True)
        try:
            return _judge(draws, folder)
        finally:
            shutil.rmtree(folder)


@contextmanager
def made_class() -> Iterator[MadeClass]:
    """A class of four, graded without a box."""
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        grade_without_box(patch)
        made = Path(name) / "made"
        (made / "in").mkdir(parents=True)
        for student, word in STUDENTS.items():
            (made / f"in/{student}.py").write_text(f"# {word}\n# {student}\n", encoding="utf-8")
        _write_tables(made)
        for words in _preparing():
            ran = run_command(words, made)
            assert ran.status in (0, 1), ran.said
        for out in ("out", "part1", "part2"):
            _add_files(made / out)
        yield MadeClass(Path(name))


def _write_tables(made: Path) -> None:
    from tests.support.downloads import GRADEBOOK, WORKSHEET

    (made / "roster.csv").write_text(ROSTER, encoding="utf-8")
    (made / "moodle.csv").write_text(WORKSHEET, encoding="utf-8")
    (made / "canvas.csv").write_text(GRADEBOOK, encoding="utf-8")


def _preparing() -> Iterator[tuple[str, ...]]:
    yield (*GRADE, "--out", "out", "--roster", "roster.csv")
    for part in (1, 2):
        yield (*GRADE, "--out", f"part{part}", "--part", f"{part}/2", "--seed", "5")


def _add_files(out: Path) -> None:
    """What a run of other options would have written too."""
    (out / "overrides.csv").write_text(OVERRIDES, encoding="utf-8")
    for student in out.glob("*/result.json"):
        result = json.loads(student.read_text(encoding="utf-8"))
        drawing = heads.Drawing("concat_heads", "Heads", False, "none", ("a", "b"), (), ("a note",))
        drawn = heads.Heads("k", result["submission"]["sha256"], "a b", (drawing,))
        (student.parent / "heads.json").write_text(heads.to_json(drawn), encoding="utf-8")
        (student.parent / "notebook.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")


def _judge(draws: random.Random, folder: Path) -> str:
    gathers = draws.random() < 0.25
    out = folder / (draws.choice(("part1", "part2")) if gathers else "out")
    before = {path.parent.name: path.read_bytes() for path in folder.glob("*/*/result.json")}
    rows = _rows(folder / "out")
    kind, whose = _spoil(draws, folder, out)
    words = (*GATHER, *draws.choice(((), ("--incomplete",)))) if gathers else draws.choice(COMMANDS)
    words = tuple(word.format(out="out") for word in words)
    ran = run_command(words, folder)
    told = f"{kind}, then {' '.join(words)}"
    assert ran.fault is None, f"{told}: {ran.fault}"
    _require_others(folder, out, whose, before, told)
    ended = folder / ("all" if gathers else "out")
    if (
        words[0] in WRITES_PAGES
        and ran.status != 2
        and whose
        and not (gathers and "--incomplete" not in words)
    ):
        _require_pages(ended, whose, rows, f"{told} ({ran.status}: {ran.said[-600:]})")
    assert (ran.status == 2) <= (not whose or gathers), (
        f"{told}: one student's file stopped the class: {ran.said[-600:]}"
    )
    return f"{kind.split(' of ')[0]:28} {words[0]:8} {ran.status}"


def _rows(out: Path) -> dict[str, list[str]]:
    with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        text = file.read()
    return {row[0]: row for row in csv.reader(text.splitlines()) if row}


def _require_others(folder: Path, out: Path, whose: str, before: dict[str, bytes], told: str) -> None:
    if "--force" in told or "only-failed" in told:
        return
    for path in out.glob("*/result.json"):
        name = path.parent.name
        if name in before and name != whose and path.is_file():
            assert _same_result(path.read_bytes(), before[name]), f"{told}: {name}'s result is another"


def _same_result(one: bytes, other: bytes) -> bool:
    keys = ("points", "max_points", "exercises", "submission", "undecided_points")
    left, right = json.loads(one), json.loads(other)
    return all(left[key] == right[key] for key in keys)


def _require_pages(out: Path, whose: str, rows: dict[str, list[str]], told: str) -> None:
    others = [name for name in STUDENTS if name != whose]
    now = _rows(out)
    for name in others:
        page = out / name / "index.html"
        assert page.is_file(), f"{told}: {name} has no page"
        assert page.read_bytes().endswith(b"</html>\n"), f"{told}: {name}'s page is cut"
        assert name in now, f"{told}: {name} is not in grades.csv"
        if "override" not in told:
            assert rows[name][2:4] == now[name][2:4] or out.name == "all", (
                f"{told}: {name} has {now[name]}, had {rows[name]}"
            )


def _spoil(draws: random.Random, folder: Path, out: Path) -> tuple[str, str]:
    """Spoil something below `out`: what was done, and whose it is; empty where it is the class's."""
    students = sorted(path.parent.name for path in out.glob("*/result.json"))
    whose = draws.choice(students) if draws.random() < 0.7 else ""
    if whose and draws.random() < 0.12:
        path = out / whose
        if draws.random() < 0.3:
            path.rename(folder / "moved")
            path.symlink_to(next(name for name in students if name != whose))
            return f"link to another student's of {whose}/", whose
        return f"{_replace(draws, path, folder)} of {whose}/", whose
    if not whose and draws.random() < 0.15:
        return _add_odd_folder(draws, out), ""
    path = out / whose / draws.choice(OF_STUDENT if whose else OF_CLASS)
    data = path.read_bytes() if path.is_file() else b""
    name = path.relative_to(folder)
    if draws.random() < 0.25:
        return f"{_replace(draws, path, folder)} of {name}", whose
    if path.suffix in (".json", ".ipynb") and data and draws.random() < 0.75:
        text = change_json(draws, data.decode())
        if path.name == "result.json" and draws.random() < 0.6:
            text = _with_digest(text)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return f"edited JSON of {name}", whose
    if path.name == "course.toml":
        path.write_bytes(damage(draws, Path("assignments/course.toml").read_bytes()))
        return f"damaged bytes of {name}", whose
    path.write_bytes(damage(draws, data))
    return f"damaged bytes of {name}", whose


def _with_digest(text: str) -> str:
    """The text of a result as somebody writes it who makes the digest anew."""
    tree = json.loads(text)
    if not isinstance(tree, dict):
        return text
    tree["digest"] = ""
    empty = json.dumps(tree)
    digest = hashlib.sha256(empty.encode("utf-8", "surrogatepass")).hexdigest()
    before, _, after = empty.rpartition('"digest": ""')
    return f'{before}"digest": "{digest}"{after}'


def _replace(draws: random.Random, path: Path, folder: Path) -> str:
    """Put something that is no plain file, or none, in the place of a file or folder."""
    kept = folder / "moved"
    if path.is_dir() or path.exists():
        path.rename(kept)
    kind = draws.choice(
        ("pipe", "endless link", "circle", "link elsewhere", "folder", "socket", "nothing", "link to nothing")
    )
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "endless link":
        path.symlink_to("/dev/zero")
    elif kind == "circle":
        path.symlink_to(path.name)
    elif kind == "link elsewhere":
        path.symlink_to(kept if kept.exists() else "/etc/passwd")
    elif kind == "link to nothing":
        path.symlink_to(folder / "absent" / "file")
    elif kind == "folder":
        path.mkdir()
        (path / "index.html").mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(os.path.relpath(path))
    return kind


def _add_odd_folder(draws: random.Random, out: Path) -> str:
    name = draws.choice(
        (b"new\nline", b"\xff\xfe", b"a" * 250, b" ", b"CON", b"<b>", b"-x", b"\x1b[31m", "é".encode())
    )
    folder = os.path.join(os.fsencode(out), name)  # noqa: PTH118 - bytes
    with contextlib.suppress(OSError):
        os.mkdir(folder)  # noqa: PTH102
    inner = os.path.join(folder, draws.choice((b"result.json", b"index.html", b"notebook.ipynb")))  # noqa: PTH118
    if draws.random() < 0.3:
        os.mkfifo(inner)
    else:
        shutil.copy(
            out / sorted(path.parent.name for path in out.glob("[ab]*/result.json"))[0] / "result.json", inner
        )
    return "odd folder"


if __name__ == "__main__":
    main()
