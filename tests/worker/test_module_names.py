"""A student's module that has the name of a file of the worker is the student's, wherever it is imported."""

import sys
import textwrap
from pathlib import Path

import pytest

from graders.locations import WORKER
from graders.notebook.in_process_worker import SIBLINGS
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.session import BoxSession
from tests.notebook.test_live import Notebook
from tests.support.notebooks import handed_in, taken

NAMES = sorted(path.stem for path in Path(WORKER).glob("*.py") if path.stem != "__init__")
CODE = f"""
import {", ".join(NAMES)}

def concat_heads(x):
    from {NAMES[0]} import owner
    owners = [owner, {", ".join(f"{name}.owner" for name in NAMES)}]
    assert owners == ["student"] * {len(NAMES) + 1}, owners
    return x.transpose(1, 2).flatten(2)
"""


def test_in_the_box_it_is_the_students(box: Box):
    files = {f"{name}.py": "owner = 'student'\n" for name in NAMES}
    main = CODE + "\ndef owners():\n    return [" + ", ".join(f"{name}.owner" for name in NAMES) + "]\n"
    source = taken(handed_in({**files, "rendu.py": main}), "owners")
    with BoxSession(box) as session:
        opened = session.open(source)
        assert (opened["kind"], opened["problems"]) == ("function", [])
        answer = session.ask("call", [None, [], {}], 10.0)
        assert answer.value == ["student"] * len(NAMES)
        # The worker goes on with its own files.
        assert session.ask("gradients", [None, [], {}, []], 10.0).value["answer"] == answer.value


def test_in_the_notebook_it_is_the_students(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert set(SIBLINGS) <= set(NAMES)
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text("owner = 'student'\n", encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    notebook = Notebook()
    try:
        notebook.run(textwrap.dedent(CODE))
        result = notebook.check()
        assert (result.outcome, [f.message for f in result.findings if f.message]) == (Outcome.PASSED, [])
    finally:
        for name in NAMES:
            sys.modules.pop(name, None)
