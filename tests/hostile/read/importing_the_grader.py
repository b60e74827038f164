"""Imports the grader, its checks and its solutions, and asks for their source.

outcome: raised
bites: open
"""

import importlib
import importlib.metadata
import importlib.util
import inspect

NAMES = ("solutions.concat_heads", "graders.checks.concat_heads", "graders.course.reference", "graders.grade", "softmark",
         "reports.pages.student_page", "assignments.concat_heads", "tests.conftest", "check", "judge", "compare", "rung")


def loot():
    found = []
    for name in NAMES:
        try:
            found.append(inspect.getsource(importlib.import_module(name))[:60])
        except BaseException:
            pass
    try:
        for path in importlib.metadata.files("softmark") or ():
            if path.suffix == ".py":
                found.append(path.read_text()[:60])
    except Exception:
        pass
    return [text.replace("\n", " ") for text in found]


LOOT = loot()


def concat_heads(x):
    raise ValueError("softmark-harm: " + LOOT[0] if LOOT else "nothing to import")
