"""The tables of a class as two Parquet files. It needs pyarrow, which is installed only on demand."""

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import pyarrow
from pyarrow import parquet

from reports.tables.rows import TABLES, Rows, Table, columns

_TYPES = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}


def write(paths: tuple[Path, Path], blocks: Iterable[Rows]) -> None:
    """Write the rows of the exercises to the first path, those of the checks to the second."""
    schemas = [_schema(table) for table in TABLES]
    with ExitStack() as stack:
        writers = [
            stack.enter_context(parquet.ParquetWriter(path, schema, compression="zstd"))
            for path, schema in zip(paths, schemas, strict=True)
        ]
        for rows in blocks:
            for table, schema, writer, new in zip(TABLES, schemas, writers, rows, strict=True):
                writer.write_table(pyarrow.table(columns(table, new), schema=schema))


def _schema(table: Table) -> pyarrow.Schema:
    return pyarrow.schema([(name, _TYPES[kind]) for name, kind in table.columns])
