"""Odd rosters, overrides, worksheets and gradebooks, and the commands that read them. Not collected by
pytest.

    python -m tests.fuzz.tables --seconds 600 --seed 1

Cells, rows, delimiters, ends of lines, quotes and encodings of a right table are changed. No command may
let an exception through or hang, no result may change, and what a platform gets back has as many rows as it
gave.
"""

import csv
import io
import random
import shutil
from pathlib import Path

from tests.fuzz.forked_command import Ran, run_command
from tests.fuzz.fuzzing import fuzz
from tests.fuzz.odd_values import ODD_TEXTS, damage
from tests.fuzz.results_folder import GRADE, OVERRIDES, ROSTER, STUDENTS, MadeClass, made_class
from tests.support.downloads import FEUILLE, GRADEBOOK, WORKSHEET

TITLES = (
    "id", "ID", "Identifier", "identifiant", "name", "nom", "prénom", "last name", "first name", "email",
    "username",
    "group", "submitted at", "late", "exercise", "exercice", "points", "note", "Grade", "Maximum Grade",
    "comment",
    "Section", "Student", "SIS User ID", "TP 1 (555)", "Attention (777)", "Feedback comments",
    "Grade can be changed",
)  # fmt: skip
ODD_CELLS = (
    *ODD_TEXTS, "alice", "Bob", "carol ", "Participant 11", "Participant 11", "12", "1" * 400, "5 000,5",
    "1.000,50",
    "-3", "1e400", "20 novembre 2026", "Friday, 20 November 2026, 11:58 PM", "32 January 2026",
    "2026-13-45",
    "31/12/9999 23:59", "1970-01-01", "0000-00-00", "2026-03-29 02:30", "2026-11-20T10:00:00+99:00", 'a"b',
    '"', '""',
    "'", "a,b", "a;b", "a\tb", "concat_heads", "absent_exercise", "EX", "(read only)", "Points Possible",
    "yes", "oui",
)  # fmt: skip
ENCODINGS = (
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1", "mac-roman",
    "cp437", "shift_jis", "utf-7", "cp037",
)  # fmt: skip
TABLES = {
    "roster": (ROSTER, (*GRADE, "--out", "out", "--roster", "{file}")),
    "overrides": (OVERRIDES, ("report", "out", "--jobs", "1")),
    "moodle": (WORKSHEET, ("export", "out", "moodle", "--template", "{file}", "--to", "back.csv")),
    "feuille": (FEUILLE, ("export", "out", "moodle", "--template", "{file}", "--to", "back.csv")),
    "canvas": (
        GRADEBOOK,
        ("export", "out", "canvas", "--template", "{file}", "--to", "back.csv", "--column", "777"),
    ),
}
COLUMNS = (
    (),
    (),
    ("--column", "Grade"),
    ("--column", "555"),
    ("--column", "TP 1"),
    ("--column", ""),
    ("--column", "é"),
)


def main() -> None:
    """Try tables until the time is up."""
    with made_class() as made:
        fuzz(lambda number: judge(made, number), __doc__)


def judge(made: MadeClass, number: int) -> str:
    """Change a table and give it to its command; the kind of table and the status."""
    draws = random.Random(number)
    folder = made.root / "copy"
    shutil.copytree(made.root / "made", folder, symlinks=True)
    try:
        name = draws.choice(list(TABLES))
        text, words = TABLES[name]
        file = folder / ("out/overrides.csv" if name == "overrides" else "table.csv")
        data = change_table(draws, text)
        file.write_bytes(data)
        if name == "roster" and draws.random() < 0.5:
            words = (*words, "--only", draws.choice(list(STUDENTS)))
        more = draws.choice(COLUMNS) if words[0] == "export" else ()
        results = _results(folder)
        ran = run_command([*(word.format(file=file) for word in words), *more], folder)
        told = f"{name}, {data[:600]!r} ({len(data)} bytes)"
        assert ran.fault is None, f"{told}: {ran.fault}"
        assert _results(folder) == results, f"{told}: a result is another: {ran.said[-500:]}"
        _require_table(folder, file, name, ran, told)
        return f"{name:10} {ran.status}"
    finally:
        shutil.rmtree(folder)


def change_table(draws: random.Random, text: str) -> bytes:
    """The bytes of a table that somebody's program might have written, or damaged."""
    delimiter = ";" if text.count(";") > text.count(",") else ","
    rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter))
    for _ in range(draws.randrange(6)):
        _change_rows(draws, rows)
    if draws.random() < 0.03:
        rows += rows[1:2] * 20_000
    written = io.StringIO()
    form = {
        "delimiter": draws.choice((*[delimiter] * 6, ",", ";", "\t", "|", " ")),
        "lineterminator": draws.choice(("\n", "\n", "\r\n", "\r\n", "\r", "\n\n")),
        "quoting": draws.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONE)),
    }
    csv.writer(written, **form, escapechar="\\").writerows(rows)
    told = written.getvalue()
    if draws.random() < 0.1:
        told = draws.choice(("sep=;\n", "\n\n", "# a list\n", "\ufeff\ufeff")) + told
    data = told.encode(draws.choice((*["utf-8"] * 12, *ENCODINGS)), draws.choice(("replace", "ignore")))
    return damage(draws, data) if draws.random() < 0.15 else data


def _change_rows(draws: random.Random, rows: list[list[str]]) -> None:
    if not rows:
        return
    row = draws.choice(rows)
    kind = draws.randrange(14)
    if kind == 0:
        rows.append(list(row))
    elif kind == 1:
        rows.remove(row)
    elif kind == 2:
        rows.insert(draws.randrange(len(rows) + 1), [])
    elif kind == 3:
        row[:] = row[: draws.randrange(len(row) + 1)]
    elif kind == 4:
        row += [draws.choice(ODD_CELLS)] * draws.choice((1, 3, 300))
    elif kind == 5:
        draws.shuffle(row)
    elif kind == 6 and rows[0]:
        rows[0][draws.randrange(len(rows[0]))] = draws.choice(TITLES)
    elif kind == 7 and len(rows) > 1:
        rows[0], rows[1] = rows[1], rows[0]
    elif row:
        row[draws.randrange(len(row))] = draws.choice(ODD_CELLS)


def _results(folder: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in folder.glob("out/*/result.json")}


def _require_table(folder: Path, file: Path, name: str, ran: Ran, told: str) -> None:
    back = folder / "back.csv"
    if name in ("moodle", "feuille") and ran.status == 0:
        ends = (b"\n", b"\r")
        counts = [[path.read_bytes().count(end) for end in ends] for path in (file, back)]
        assert counts[0] == counts[1] or b"softmark" in back.read_bytes(), f"{told}: rows are lost: {counts}"
    if name == "overrides" and ran.status != 2:
        text = (folder / "out/grades.csv").read_text(encoding="utf-8-sig")
        assert all(student in text for student in STUDENTS), f"{told}: somebody is not in grades.csv"


if __name__ == "__main__":
    main()
