"""The tables of a class as one SQLite file."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from reports.tables.rows import TABLES, Rows

_TYPES = {str: "TEXT", int: "INTEGER", float: "REAL"}


def write(path: Path, blocks: Iterable[Rows]) -> None:
    """Write the file, which must not be there yet.

    Raises:
        OSError: it cannot be written.
    """
    try:
        _write(path, blocks)
    except sqlite3.OperationalError as error:  # a full disk, for example
        raise OSError(str(error)) from error


def _write(path: Path, blocks: Iterable[Rows]) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = OFF")  # the file is written under another name first
        database.execute("PRAGMA synchronous = OFF")
        for table in TABLES:
            columns = ", ".join(f"{name} {_TYPES[kind]}" for name, kind in table.columns)
            database.execute(f"CREATE TABLE {table.name} ({columns})")
        for rows in blocks:
            for table, new in zip(TABLES, rows, strict=True):
                marks = ", ".join("?" * len(table.columns))
                database.executemany(f"INSERT INTO {table.name} VALUES ({marks})", new)  # noqa: S608 - our names
        database.execute("CREATE INDEX exercises_by_id ON exercises (id, exercise)")
        database.execute("CREATE INDEX checks_by_exercise ON checks (exercise, check_name)")
        database.commit()
