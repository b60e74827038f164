"""CSV tables: every cell is read, and filling some cells changes no other byte."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.classroom.csv_table import BadTable, parse, read

CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
ROWS = st.lists(st.lists(CELLS, min_size=2, max_size=5), min_size=1, max_size=6)


def written(rows: list[list[str]], **how) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, **how).writerows(rows)
    return text.getvalue().encode()


# What the csv module writes is ambiguous if a cell contains a carriage return and lines end without one.
FORMS = st.sampled_from([(csv.QUOTE_MINIMAL, "\r\n"), (csv.QUOTE_ALL, "\n"), (csv.QUOTE_ALL, "\r\n")])


@given(ROWS, FORMS)
def test_what_the_csv_module_writes_is_read_as_it_was(rows, form):
    rows = [["a", "b"], *rows]
    table = parse(written(rows, quoting=form[0], lineterminator=form[1]))
    if table.delimiter == ",":
        assert table.texts() == [row for row in rows if any(cell.strip() for cell in row)]


@given(ROWS, CELLS, st.data())
def test_filling_a_cell_changes_no_other_byte(rows, new, data):
    table = parse(written([["a", "b"], *rows]))
    row = data.draw(st.integers(0, len(table.rows) - 1))
    column = data.draw(st.integers(0, 6))
    fill = parse(table.fill({(row, column): new}))
    expected = table.texts()
    expected[row] += [""] * (column + 1 - len(expected[row]))
    expected[row][column] = new
    assert fill.texts() == [cells for cells in expected if any(cell.strip() for cell in cells)]
    cells = table.rows[row]
    if column < len(cells):
        before, after = table.text[: cells[column].start], table.text[cells[column].end :]
        assert fill.text.startswith(before)
        assert fill.text.endswith(after)


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_or_read_and_written_unchanged(data: bytes):
    try:
        table = parse(data)
    except UnicodeError:
        return
    assert table.fill({}) == data
    assert all(cell.text for row in table.rows for cell in row if cell.text.strip())


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["bare", "marked"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"], ids=["comma", "semicolon", "tab"])
def test_delimiter_and_mark_stay(mark: bytes, delimiter: str):
    data = mark + f'a{delimiter}"b c"\r\n"1{delimiter}2"{delimiter}\r\n'.encode()
    assert parse(data).texts() == [["a", "b c"], [f"1{delimiter}2", ""]]
    assert parse(data).fill({(1, 1): 'x"y'}) == data[:-2] + b'"x""y"\r\n'


def test_a_file_that_cannot_be_opened_is_reported(tmp_path: Path):
    with pytest.raises(BadTable, match="cannot be opened"):
        read(tmp_path / "none.csv")


def test_a_character_missing_in_the_encoding_is_reported():
    table = parse("nom;note\nZo\xe9;\n".encode("cp1252"))
    assert table.fill({(1, 1): "12,5"}).endswith(b"Zo\xe9;12,5\n")
    with pytest.raises(BadTable, match="cp1252"):
        table.fill({(1, 1): "→"})
