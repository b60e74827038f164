"""Rosters as people have them: workbooks of Excel, `sep=`, and titles above the table."""

import builtins
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.classroom.class_record import Student
from graders.classroom.csv_table import parse
from graders.classroom.intake.roster import ParsedRoster, RosterOptions, parse_roster
from graders.classroom.intake.roster import read as read_roster
from graders.classroom.intake.roster_columns import BadRoster, find_header

PEOPLE = (Student("0007", "Zoé Roy", "zoe@x.example"), Student("0012", "Al Noël", "al@x.example"))
TABLE = [["id", "nom complet", "courriel"], *([s.id, s.name, s.email] for s in PEOPLE)]
ABOVE = [["Liste des étudiants, M2 NLP"], ["Édité le 20/11/2026", "63 inscrits"]]


def workbook(path: Path, *sheets: list[list[Any]], zeros: str = "") -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet(f"sheet {number}")
        for row in rows:
            sheet.append(row)
        if zeros:
            for cell in sheet["A"]:
                cell.number_format = zeros
    book.save(path)
    return path


def read(path: Path, **options: Any) -> ParsedRoster:
    return read_roster(path, UTC, RosterOptions(**options))


def test_a_workbook_is_read_as_its_csv_would_be(tmp_path: Path) -> None:
    parsed = read(workbook(tmp_path / "liste.xlsx", [], [*ABOVE, [], *TABLE]))
    assert parsed.students == PEOPLE
    assert not parsed.unmatched


def test_numbers_and_times_of_a_workbook_are_those_that_people_see(tmp_path: Path) -> None:
    at = datetime(2026, 11, 20, 23, 10)
    rows = [["id", "name", "submitted at"], [7, "Zoé Roy", at], [12.0, "Al Noël", "20/11/2026 22:00"]]
    parsed = read(workbook(tmp_path / "a.xlsx", rows, zeros="0000"), needs_times=True)
    assert [student.id for student in parsed.students] == ["0007", "0012"]
    assert parsed.at["0007"] == at.replace(tzinfo=UTC)
    assert parsed.at["0012"].hour == 22
    assert [s.id for s in read(workbook(tmp_path / "b.xlsx", rows)).students] == ["7", "12"]


def test_other_sheets_are_told(tmp_path: Path) -> None:
    parsed = read(workbook(tmp_path / "a.xlsx", TABLE, [["id"], ["x"]]))
    assert parsed.students == PEOPLE
    assert [u.why for u in parsed.unmatched] == ["its other sheets were not read: sheet 1"]


def test_a_damaged_workbook_is_told(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", TABLE)
    path.write_bytes(path.read_bytes().replace(b"<", b"?"))
    data = path.read_bytes()
    path.write_bytes(data[:400] + bytes(300) + data[700:])
    with pytest.raises(BadRoster, match=r"a\.xlsx cannot be read"):
        read(path)


def test_without_openpyxl_a_sentence_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real = workbook(tmp_path / "a.xlsx", TABLE), builtins.__import__

    def without(name: str, *arguments: Any) -> Any:
        if name == "openpyxl":
            raise ImportError(name)
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(BadRoster, match=r"pip install 'softmark\[excel\]', or save the sheet as CSV"):
        read(path)


@pytest.mark.parametrize("mark", [";", ",", "\t"])
@pytest.mark.parametrize("says", ["sep={}\r\n", '"sep={}"\n', "SEP={}\n", ""])
@pytest.mark.parametrize("above", [[], ABOVE], ids=["", "titles above"])
def test_sep_and_titles_above_the_table_are_no_students(
    tmp_path: Path, mark: str, says: str, above: list[list[str]]
) -> None:
    lines = [mark.join(f'"{cell}"' if mark in cell else cell for cell in row) for row in [*above, *TABLE]]
    (tmp_path / "r.csv").write_text(says.format(mark) + "\n".join(lines), encoding="utf-8-sig")
    assert read(tmp_path / "r.csv").students == PEOPLE


def test_a_title_with_the_other_mark_does_not_part_the_table(tmp_path: Path) -> None:
    text = (
        "Cours: NLP, groupe A, salle 3, 63 étudiants\nid;nom complet;courriel\n0007;Zoé Roy;zoe@x.example\n"
    )
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    assert read(tmp_path / "r.csv").students == PEOPLE[:1]


def test_a_line_that_cannot_be_used_has_its_own_number_below_titles() -> None:
    rows = [*ABOVE, *TABLE, TABLE[1]]
    [twice] = parse_roster(rows, "r.csv", UTC).unmatched
    assert twice.what == "r.csv, row 6: 0007"


def test_titles_that_somebody_names_say_where_the_table_begins() -> None:
    rows = [["name", "x"], ["Kennung", "Wer"], ["0007", "Zoé Roy"]]
    parsed = parse_roster(rows, "r.csv", UTC, RosterOptions(columns={"id": "kennung", "name": "Wer"}))
    assert parsed.students == (Student("0007", "Zoé Roy"),)


def test_in_an_unknown_language_the_table_begins_where_its_width_does() -> None:
    rows = [
        ["Kurs: NLP"],
        ["ID", "Vollständiger Name", "E-Mail-Adresse", "Status"],
        *(
            [f"Teilnehmer/in {n}", name, f"{n}@x.example", "abgegeben"]
            for n, name in ((1, "Jörg Groß"), (2, "Eva Ott"))
        ),
    ]
    assert [s.name for s in parse_roster(rows, "r.csv", UTC).students] == ["Jörg Groß", "Eva Ott"]


CELLS = st.text("abc éÉ@.1;,", max_size=6)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=5))
def test_the_header_of_any_table_is_one_of_its_rows(rows: list[list[str]]) -> None:
    assert 0 <= find_header(rows) < len(rows)
    assert find_header([["id", "name", "email", "group"], *rows]) == 0


@given(st.sampled_from(",;\t"), st.lists(CELLS, min_size=2, max_size=4))
def test_sep_decides_whatever_the_rows_say(mark: str, row: list[str]) -> None:
    cells = [cell.translate({ord(m): "x" for m in ",;\t"}).strip() or "x" for cell in row]
    table = parse(f"sep={mark}\n{mark.join(cells)}\n".encode())
    assert (table.delimiter, table.texts()) == (mark, [cells])
