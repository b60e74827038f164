"""The code of a submission meets no name of the worker's files, and the worker none of the submission's."""

import sys
from pathlib import Path

import pytest

from graders.locations import WORKER
from graders.notebook import in_process
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.session import BoxSession
from tests.support.notebooks import cells, handed_in, taken

NAMES = sorted(path.stem for path in Path(WORKER).glob("*.py") if path.stem != "__init__")
LOOK = """
import os, sys, typing

class Sizes:
    heads: "Heads"

class Heads:
    pass

def look():
    import __main__
    import softmark_worker
    ours = os.path.realpath(softmark_worker.__path__[0])
    files = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items()}
    names = [name for name, file in files.items() if os.path.realpath(os.path.dirname(file)) == ours]
    return {
        "modules": sorted({name.split(".")[0] for name in names}),
        "folders": [folder for folder in sys.path if os.path.isfile(os.path.join(folder, "wire.py"))],
        "annotations": typing.get_type_hints(Sizes)["heads"] is Heads,
        "main": sorted(name for name in vars(__main__) if not name.startswith("__")),
        "arguments": sys.argv,
    }
"""


def test_a_module_beside_a_submission_is_its_own_whatever_its_name(box: Box):
    files = {f"{name}.py": "owner = 'student'\n" for name in (*NAMES, "softmark_worker")}
    owners = ", ".join(f"{name}.owner" for name in (*NAMES, "softmark_worker"))
    main = f"import {', '.join((*NAMES, 'softmark_worker'))}\n\ndef owners():\n    return [{owners}]\n"
    with BoxSession(box) as session:
        opened = session.open(taken(handed_in({**files, "rendu.py": main}), "owners"))
        assert (opened["kind"], opened["problems"]) == ("function", [])
        answer = session.ask("call", [None, [], {}], 10.0)
        assert answer.value == ["student"] * (len(NAMES) + 1)
        # The worker goes on with its own files.
        assert session.ask("gradients", [None, [], {}, []], 10.0).value["answer"] == answer.value


def test_a_module_that_was_not_handed_in_is_missing_whatever_its_name(box: Box):
    for name in ("adam", "wire"):
        with BoxSession(box) as session:
            [problem] = session.open(taken(cells(f"import {name}\ndef f(): return {name}"), "f"))["problems"]
        assert problem["error"] == f"ModuleNotFoundError: No module named '{name}'"


def see_what_code_sees(box: Box) -> None:
    with BoxSession(box) as session:
        assert session.open(taken(cells(LOOK), "look"))["problems"] == []
        assert session.ask("call", [None, [], {}], 10.0).value == {
            "modules": ["softmark_worker"],
            "folders": [],
            "annotations": True,
            "main": ["Heads", "Sizes", "look", "os", "sys", "typing"],
            "arguments": [""],
        }


def test_code_in_the_box_sees_one_name_of_ours_and_its_own(box: Box):
    see_what_code_sees(box)


@pytest.mark.programs
def test_so_does_code_in_a_program_of_its_own():
    with Box(IsolationLevel.PROCESS) as box:
        see_what_code_sees(box)


def test_so_does_a_notebook():
    assert in_process.serve.__name__ == "softmark_worker.serve"
    assert not set(NAMES).intersection(sys.modules)
