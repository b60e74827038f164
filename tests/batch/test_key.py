"""The key of a result: the same for the same, and another for all that could change the result."""

import ast
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.answer_key.code_digest import imported_modules
from graders.batch import cache_key
from graders.course.exercise import Assignment
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from tests.support.course_copies import copy_course, run_in_copy

SETTINGS = cache_key.Settings(
    seed=1, device="cpu", dtype="None", limits=Limits(), level=IsolationLevel.NESTED
)
NAMES = st.sampled_from(["rendu.ipynb", "a.py", "sub/a.py", "model.pt", "notes.txt", "b"])
HANDED_IN = st.dictionaries(NAMES, st.binary(max_size=8), max_size=4)

# What is edited in a checkout, and whether results of the assignment `attention` follow from it.
EDITED = {
    "graders/checks/concat_heads.py": True,
    "graders/checks/bert_layer.py": False,
    "solutions/concat_heads.py": True,
    "solutions/bert_layer.py": False,
    "assignments/split_heads.py": True,
    "assignments/gpt_model.py": False,
    "graders/check_api/compare.py": True,
    "graders/check_api/strategies/module_inputs.py": True,
    "softmark_worker/serve.py": True,
    "graders/sandbox/isolation/seccomp.py": True,
    "graders/batch/grade_all.py": False,
    "graders/cli/actions/grade.py": False,
    "reports/pages/student_page.py": False,
}
SCRIPT = """
import sys
from pathlib import Path
from graders.batch import cache_key as key
from graders.course.exercise import load_assignment
from graders.sandbox.limits import Limits
from graders.sandbox.isolation.level import IsolationLevel
key.distributions = tuple  # reading what is installed takes a second, each time
attention = load_assignment("attention")
nested = IsolationLevel.NESTED
settings = key.Settings(seed=1, device="cpu", dtype="None", limits=Limits(), level=nested)
def now():
    return key.of_run(attention, settings)
first = now()
for name in sys.argv[1:]:
    path = Path(name)
    text = path.read_bytes()
    path.write_bytes(text + b"\\n# edited\\n")
    print(name, now() != first)
    path.write_bytes(text)
assert now() == first
"""


def handed_in(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@given(HANDED_IN, HANDED_IN)
def test_two_keys_are_the_same_exactly_where_the_same_was_handed_in(first, second):
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        places = [
            handed_in(Path(folder) / "alice", files) for folder, files in ((one, first), (other, second))
        ]
        for place in places:
            place.mkdir(exist_ok=True)
        keys = [cache_key.of_submission("run", "alice", place) for place in places]
        assert all(keys)
        assert (keys[0] == keys[1]) == (first == second)


@pytest.mark.programs
def test_an_edit_counts_where_results_follow_from_it(tmp_path: Path):
    copy_course(tmp_path)
    done = run_in_copy(tmp_path, SCRIPT, *EDITED)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name} {counts}" for name, counts in EDITED.items()]


@pytest.mark.parametrize(
    "settings",
    [
        replace(SETTINGS, seed=2),
        replace(SETTINGS, device="cuda"),
        replace(SETTINGS, dtype="torch.float32"),
        replace(SETTINGS, limits=Limits(call_s=7)),
        replace(SETTINGS, level=IsolationLevel.BOXED),
    ],
    ids=["seed", "device", "dtype", "limit", "level"],
)
def test_every_setting_counts(assignment: Assignment, settings: cache_key.Settings, monkeypatch):
    monkeypatch.setattr(cache_key, "distributions", tuple)  # reading what is installed takes a second
    assert cache_key.of_run(assignment, settings) != cache_key.of_run(assignment, SETTINGS)


def test_a_package_that_was_installed_meanwhile_counts(assignment: Assignment, monkeypatch):
    before = cache_key.of_run(assignment, SETTINGS)
    known = list(cache_key.distributions())
    monkeypatch.setattr(cache_key, "distributions", lambda: known[1:])
    assert cache_key.of_run(assignment, SETTINGS) != before


@pytest.mark.parametrize(
    "source",
    [
        "import a.b, c",
        "def f():\n    from a import (\n        b,  # as ever\n        c,\n    )\n",
        "from a import (  # one (of them)\n    b,\n)\nimport c",
        "from a import (  # it's one\n    b,\n)\n",
        "from a import b, \\\n    c",
        "if x: import a",
        "import a; import b",
        'import a; x = """\nimport b\n"""\nimport c',
        "x = 1\rimport a\r",
        "x = 1; \\\nimport a",
        '"""\nimport from prose (\n"""\nimport a',
        '"""\nfrom a import b (\n"""\nimport c  # )',
    ],
)
def test_no_import_of_our_files_is_missed(source: str):
    imported = {*imported_modules(ast.parse(source))}
    assert imported
    assert imported <= {*cache_key._imports(source.encode())}


def test_the_same_bytes_of_another_student_have_another_key(tmp_path: Path):
    path = handed_in(tmp_path, {"rendu.py": b"x = 1\n"}) / "rendu.py"
    assert cache_key.of_submission("run", "alice", path) != cache_key.of_submission("run", "bob", path)


def test_what_would_never_end_or_leads_elsewhere_has_no_key(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    for name in ("pipe.py", "link.py", "absent.py"):
        assert cache_key.of_submission("run", "alice", tmp_path / name) == ""
    before = cache_key.of_submission("run", "alice", tmp_path)
    assert before
    (tmp_path / "link.py").unlink()
    assert cache_key.of_submission("run", "alice", tmp_path) == before


def test_a_file_of_many_gigabytes_takes_no_time(tmp_path: Path):
    path = tmp_path / "model.pt"
    with path.open("wb") as file:
        file.truncate(50_000_000_000)
    began = time.process_time()
    first = cache_key.of_submission("run", "alice", tmp_path)
    assert time.process_time() - began < 5
    os.utime(path, (1, 1))
    assert first
    assert cache_key.of_submission("run", "alice", tmp_path) not in ("", first)
