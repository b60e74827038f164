"""Read the rows of a workbook of Excel (`.xlsx`) as the texts that a CSV of it would have."""

import re
import warnings
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

from graders.classroom.csv_table import LIMIT, BadTable
from graders.language import list_names, tr, translatable

ROW_LIMIT = 200_000
COLUMN_LIMIT = 500
_UNPACKED = 10 * LIMIT  # bytes of all its parts
_ZEROS = re.compile("0{2,}")


def is_workbook(path: Path) -> bool:
    """Whether a file is a workbook, whatever its name says."""
    try:
        with zipfile.ZipFile(path) as parts:
            return "xl/workbook.xml" in parts.namelist()
    except (OSError, zipfile.BadZipFile, ValueError):
        return False


def read_workbook(path: Path) -> tuple[list[list[str]], str]:
    """The rows of the first sheet that has any, without empty ones; and a sentence if there are other sheets.

    Raises:
        BadTable: it is damaged or too large, or openpyxl is not installed.
    """
    try:
        from openpyxl import load_workbook  # an extra: nothing else needs it
    except ImportError:
        message = translatable(
            "{file} is a workbook of Excel, which openpyxl reads: install it with pip install "
            "'softmark[excel]', or save the sheet as CSV"
        )
        raise BadTable(tr(message, file=path.name)) from None
    with zipfile.ZipFile(path) as parts:
        if path.stat().st_size > LIMIT or sum(part.file_size for part in parts.infolist()) > _UNPACKED:
            raise BadTable(tr("{file} is larger than {most} MB", file=path.name, most=LIMIT // 1_000_000))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what openpyxl does not know: styles, pictures
            book = load_workbook(path, read_only=True, data_only=True)
            try:
                sheets = {sheet.title: _rows(sheet) for sheet in book.worksheets}
            finally:
                book.close()
    except Exception as error:
        raise BadTable(tr("{file} cannot be read ({reason})", file=path.name, reason=error)) from None
    filled = [title for title, rows in sheets.items() if rows]
    others = tr("its other sheets were not read: {names}", names=list_names(filled[1:])) if filled[1:] else ""
    return (sheets[filled[0]] if filled else []), others


def _rows(sheet: Any) -> list[list[str]]:
    rows = []
    for cells in sheet.iter_rows(max_row=ROW_LIMIT, max_col=COLUMN_LIMIT):
        row = [_text(cell) for cell in cells]
        if any(row):
            rows.append(row)
    return rows


def _text(cell: Any) -> str:
    """The text of a cell, as people see it: 7 in the format `0000` is the number of a student, 0007."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    zeros = cell.number_format if isinstance(value, int) and not isinstance(value, bool) else ""
    return str(value).strip().zfill(len(zeros) if _ZEROS.fullmatch(zeros or "") else 0)
