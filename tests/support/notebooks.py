"""Submissions made of a few lines, and what comes of them when they are extracted and loaded."""

import builtins
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from graders.extraction.extract import Missing, Program, Source, extract, study, to_wire
from graders.submission.decode import decode
from graders.submission.read import Submission
from softmark_worker import run_source
from softmark_worker.run_source import Loaded


def notebook(*cells: str | dict[str, Any]) -> bytes:
    """A notebook with these cells: a text is a code cell, a dict a cell as it stands in the file."""
    made = [
        cell
        if isinstance(cell, dict)
        else {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": cell.splitlines(keepends=True),
        }
        for cell in cells
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}).encode()


def markdown(text: str = "words") -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def handed_in(files: dict[str, str | bytes]) -> Program:
    """The program of these files; a text is a module's."""
    raw = {name: text if isinstance(text, bytes) else text.encode() for name, text in files.items()}
    decoded = tuple(decode(name, data)[0] for name, data in sorted(raw.items()))
    return study(Submission("someone", decoded, "", (), ()))


def cells(*sources: str | dict[str, Any]) -> Program:
    """The program of one notebook."""
    return handed_in({"rendu.ipynb": notebook(*sources)})


def taken(program: Program, symbol: str, stub: str | None = None) -> Source:
    found = extract(program, symbol, stub)
    assert isinstance(found, Source), found
    return found


def missing(program: Program, symbol: str, stub: str | None = None) -> Missing:
    found = extract(program, symbol, stub)
    assert isinstance(found, Missing), found
    return found


def kept(source: Source) -> list[str]:
    """The first words of the kept statements, in the order in which they run."""
    return [
        piece.code.split("\n")[line - 1].encode()[column:].decode().strip()
        for module in source.modules
        for piece in module.pieces
        for line, column in piece.keep
    ]


def loading(source: Source) -> AbstractContextManager[Loaded]:
    """Load a source in this process, and leave the process as it was."""
    return loading_plain(to_wire(source))


@contextmanager
def loading_plain(wire: dict[str, Any]) -> Iterator[Loaded]:
    """The same for a source as plain values."""
    names = {name: getattr(builtins, name, None) for name in ("input", "display", "get_ipython")}
    modules, finders = dict(sys.modules), list(sys.meta_path)
    try:
        yield run_source.load(json.loads(json.dumps(wire)))
    finally:
        sys.meta_path[:] = finders
        for name in set(sys.modules) - set(modules):
            del sys.modules[name]
        sys.modules |= {name: modules[name] for name in ("__main__", "__mp_main__") if name in modules}
        for name, value in names.items():
            if value is None:
                vars(builtins).pop(name, None)
            else:
                setattr(builtins, name, value)


def value(program: Program, symbol: str) -> Any:
    """What the symbol is once it is loaded; nothing may have gone wrong on the way."""
    with loading(taken(program, symbol)) as loaded:
        assert loaded.problems == []
        return loaded.namespace[symbol]
