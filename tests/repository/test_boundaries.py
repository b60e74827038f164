"""Who may import whom: one row for each package, from below to above."""

import ast
import functools
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("graders", "softmark_worker", "reports", "assignments", "solutions", "tests")
SHARED = ("graders.language", "graders.locations")  # every package but the silent ones may import these

# Left: a package, or a file. Right: what else of softmark it may import, beside itself and what is SHARED.
# Each row names only packages of rows above it: no import runs upwards.
TABLE: dict[str, tuple[str, ...]] = {
    "softmark_worker": (),
    "graders.locations": (),
    "graders.language": ("graders.locations",),
    "graders.safe_text": (),
    "graders.results": (),
    "graders.help": (),
    "graders.check_api": (
        "softmark_worker.answer_parts",
        "softmark_worker.argument_shapes",
        "softmark_worker.wire",
        "softmark_worker.lent_model",
        "graders.results",
        "graders.safe_text",
    ),
    "graders.checks": ("graders.check_api",),
    "graders.submission": ("graders.results", "graders.safe_text"),
    "graders.extraction": ("graders.submission", "graders.results", "graders.safe_text"),
    "graders.course": ("graders.check_api", "graders.results.mistake_address", "graders.safe_text"),
    "graders.sandbox": (
        "graders.extraction.extract",
        "softmark_worker.wire",
        "softmark_worker.framing",
        "softmark_worker.lent_model",
        "softmark_worker.processor_time",
        "softmark_worker.syscalls",
        "softmark_worker.template",
        "graders.results",
    ),
    "graders.candidate": (
        "graders.check_api",
        "graders.extraction",
        "graders.sandbox",
        "softmark_worker.wire",
        "softmark_worker.adam",
        "softmark_worker.answer_parts",
        "softmark_worker.drawn_figure",
        "softmark_worker.lent_layers",
        "softmark_worker.devices",
        "softmark_worker.single_precision",
        "graders.results",
        "graders.safe_text",
    ),
    "graders.answer_key": ("graders.candidate", "graders.check_api", "graders.course.course_file"),
    "graders.diagnosis": (
        "graders.answer_key.pack",
        "graders.candidate",
        "graders.check_api",
        "graders.course",
        "graders.extraction.extract",
        "graders.results",
    ),
    "graders.judging": (
        "graders.answer_key",
        "graders.candidate",
        "graders.check_api",
        "graders.course",
        "graders.diagnosis",
        "graders.extraction.extract",
        "graders.extraction.forgotten_imports",
        "graders.extraction.half_written",
        "graders.help",
        "graders.sandbox",
        "graders.results",
        "graders.safe_text",
    ),
    "graders.timing": (
        "softmark_worker.argument_shapes",
        "graders.judging",
        "graders.candidate",
        "graders.check_api",
        "graders.course",
        "graders.extraction",
        "graders.sandbox",
        "graders.submission",
        "softmark_worker.wire",
        "graders.results",
        "graders.safe_text",
    ),
    "graders.corpora": ("graders.results.atomic_write",),
    "graders.trained": (
        "graders.judging.score",
        "graders.candidate",
        "graders.check_api",
        "graders.course.exercise",
        "graders.course.loss_policy",
        "graders.extraction.extract",
        "graders.sandbox",
        "graders.submission",
        "graders.corpora",
        "softmark_worker.open_checkpoint",
        "softmark_worker.wire",
        "graders.results",
        "graders.help.topics",
        "graders.safe_text",
    ),
    "graders.grade": (
        "graders.judging",
        "graders.candidate",
        "graders.check_api",
        "graders.course",
        "graders.extraction",
        "graders.results",
        "graders.sandbox",
        "graders.submission",
        "graders.timing",
        "graders.trained",
    ),
    "graders.classroom": (
        "graders.course",
        "graders.submission",
        "graders.results",
        "graders.safe_text",
    ),
    "reports": ("graders.results", "graders.classroom"),
    "graders.batch": (
        "graders.answer_key.code_digest",
        "reports",
        "graders.answer_key.find_keys",
        "graders.grade",
        "graders.judging",
        "graders.timing",
        "graders.trained",
        "graders.classroom",
        "graders.course",
        "graders.sandbox",
        "graders.submission",
        "graders.results",
        "graders.safe_text",
        "softmark_worker.syscalls",
    ),
    "graders.heads": (
        "graders.batch",
        "graders.candidate",
        "graders.check_api",
        "graders.classroom",
        "graders.course",
        "graders.extraction",
        "graders.grade",
        "graders.judging",
        "graders.results",
        "graders.safe_text",
        "graders.sandbox",
        "graders.submission",
        "graders.trained",
    ),
    "graders.handout": (
        "graders.answer_key",
        "graders.batch.process_pool",
        "graders.candidate",
        "graders.check_api",
        "graders.diagnosis",
        "graders.corpora.ngram",
        "graders.grade",
        "graders.judging",
        "graders.course",
        "graders.sandbox",
        "graders.results",
        "graders.trained.held_out",
    ),
    "graders.audit": (
        "graders.answer_key",
        "graders.batch",
        "graders.handout.make_key",
        "graders.grade",
        "graders.judging",
        "graders.timing",
        "graders.diagnosis",
        "graders.candidate",
        "graders.check_api",
        "graders.course",
        "graders.results",
        "softmark_worker.wire",
        "softmark_worker.lent_layers",
        "softmark_worker.argument_roles",
        "softmark_worker.call_meanings",
    ),
    "graders.cluster": (
        "graders.answer_key.find_keys",
        "graders.batch",
        "graders.classroom.intake.download",
        "graders.course",
        "graders.grade",
        "graders.judging.draws",
        "graders.results",
        "graders.safe_text",
        "graders.sandbox",
        "graders.submission",
        "graders.timing.plan",
        "softmark_worker.syscalls",
    ),
    "graders.notebook": (
        "graders.answer_key.find_keys",
        "graders.judging",
        "graders.candidate.remote_candidate",
        "graders.check_api.check",
        "graders.check_api.without_hypothesis",
        "graders.course",
        "graders.extraction",
        "graders.sandbox.limits",
        "graders.sandbox.process",
        "graders.sandbox.questions",
        "graders.submission.decode",
        "graders.submission.read",
        "graders.trained.fresh_process",
        "graders.trained.judge_model",
        "softmark_worker.describe_error",
        "softmark_worker.lent_model",
        "softmark_worker.serve",
        "softmark_worker.stand_ins",
        "softmark_worker.wire",
        "graders.results",
        "graders.safe_text",
        "reports.pages.notebook_cell_output",
    ),
    "graders.pytest_plugin": (
        "graders.answer_key.find_keys",
        "graders.grade",
        "graders.judging",
        "graders.course",
        "graders.extraction",
        "graders.sandbox",
        "graders.submission",
        "graders.results",
        "reports",
    ),
    "graders.cli": ("graders", "reports"),
}
# These say nothing to people and import nothing else of softmark, so they are no rows of the table.
SILENT = ("softmark_worker", "graders.locations", "assignments", "solutions")
# Beside Python the worker has torch, NumPy, safetensors, and itself.
# One file of it reads pretrained models, where these packages are installed.
OF_PRETRAINED = {"tokenizers", "transformers"}
WORKER_MAY = {"numpy", "safetensors", "softmark_worker", "torch"}
MOST_BY_POSITION = 5  # values of one call
# Sizes of a tensor, words of a command, bytes of a struct, numbers of a system call, values of a digest; what
# takes any number of values; and what is looked up a million times, where names take longer than the work.
BY_POSITION = {
    "torch.ones",
    "_git",
    "struct.pack",
    "call",
    "kernel.call",
    "ctypes.c_uint32 * 6",
    "digest_of",
    "_by_place",
    "_compact_finding",
}
BY_AUTHORS = ("graders/checks/", "graders/check_api/")
# Only this file opens solutions/, and by path.
DOOR = "graders/course/reference.py"


@dataclass
class Outline:
    """What a file imports and defines, wherever in it.

    `imports` has the full names of modules. Of classes it has the names of their bases and of their private
    methods, of functions their lines beside the first, and of calls with a long row of positional values what
    is called, and where.
    """

    imports: set[str] = field(default_factory=set)
    bases: dict[str, list[str]] = field(default_factory=dict)
    private: dict[str, set[str]] = field(default_factory=dict)
    lines: list[tuple[str, int]] = field(default_factory=list)
    rows: list[tuple[str, int]] = field(default_factory=list)


@functools.cache
def outline(text: str) -> Outline:
    """The outline of a file with this text: to parse a file takes longer than all that is asked of it."""
    found = Outline()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found.imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            found.imports |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ClassDef):
            found.bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
            methods = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            found.private[node.name] = {m for m in methods if m[0] == "_" and not m.endswith("__")}
        elif isinstance(node, ast.FunctionDef):
            assert node.end_lineno is not None
            found.lines.append((node.name, node.end_lineno - node.lineno))
        elif isinstance(node, ast.Call) and len(node.args) > MOST_BY_POSITION:
            found.rows.append((ast.unparse(node.func), node.lineno))
    return found


def imports(text: str) -> set[str]:
    return outline(text).imports


def lies_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def allowed(package: str) -> tuple[str, ...]:
    """What a package may import of softmark."""
    if package in SILENT:
        return (package,) if package in ("softmark_worker", "solutions") else ()
    if package == "graders":  # graders/__init__.py, which notebooks load
        return ("graders.notebook.magic",)
    return (package, *TABLE[package], *SHARED)


def package_of(module: str) -> str:
    """The row for a module: its package's, or its own."""
    rows = [row for row in (*TABLE, *SILENT) if lies_in(module, row)]
    return rows[0] if rows else module


def violations(name: str, text: str) -> list[str]:
    """Which imports of the file `name`, with this text, the table forbids."""
    package = package_of(name.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    ours = [module for module in imports(text) if module.partition(".")[0] in OURS]
    return [
        f"{name} imports {module}"
        for module in ours
        if not any(lies_in(module, there) for there in allowed(package))
    ]


def files() -> list[str]:
    paths = [path for folder in OURS[:-1] for path in (ROOT / folder).rglob("*.py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def test_every_file_imports_only_what_the_table_allows():
    wrong = [line for name in files() for line in violations(name, (ROOT / name).read_text("utf-8"))]
    assert wrong == []


def test_no_row_allows_an_import_upwards():
    rows = list(TABLE)
    for number, row in enumerate(rows[:-1]):
        for there in TABLE[row]:
            assert package_of(there) in rows[:number], f"{row} -> {there}"


def test_each_package_is_a_row_and_each_row_is_there_and_used():
    packages = {f"graders.{path.parent.name}" for path in (ROOT / "graders").glob("*/__init__.py")}
    modules = {f"graders.{path.stem}" for path in (ROOT / "graders").glob("*.py")} - {"graders.__init__"}
    assert packages | modules | {"reports", "softmark_worker"} == set(TABLE)
    used: dict[str, set[str]] = {row: set() for row in TABLE}
    for name in files():
        package = package_of(name.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        if package in used:
            used[package] |= imports((ROOT / name).read_text("utf-8"))
    for row, modules_allowed in TABLE.items():
        for there in modules_allowed:
            assert any(lies_in(module, there) for module in used[row]), f"{row} -> {there}"


def test_the_tree_is_small_enough_to_be_seen_at_once():
    assert len(TABLE) <= 30
    assert len(list((ROOT / "graders").glob("*.py"))) <= 6
    folders = [path for path in (ROOT / "graders").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert len(folders) <= 26


def test_the_worker_knows_only_python_and_torch():
    for path in (ROOT / "softmark_worker").glob("*.py"):
        tops = {name.partition(".")[0] for name in imports(path.read_text("utf-8"))}
        more = OF_PRETRAINED if path.name == "pretrained_heads.py" else set()
        assert tops <= sys.stdlib_module_names | WORKER_MAY | more, path


def test_only_the_door_names_the_solutions():
    for path in (ROOT / "graders").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.relative_to(ROOT).as_posix() != DOOR:
            assert "import solutions" not in text, path
            assert "from solutions" not in text, path


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("softmark_worker/serve.py", "import graders.results.result"),
        ("graders/checks/split_heads.py", "from graders import candidate"),
        ("graders/checks/split_heads.py", "def f():\n    import graders.judging.draws"),
        ("graders/check_api/check.py", "from graders.diagnosis.fingerprint import fingerprint"),
        ("graders/results/result.py", "from graders.check_api.check import Check"),
        ("graders/extraction/extract.py", "from graders.sandbox.box import Box"),
        ("graders/judging/judge.py", "from graders.trained import measure"),
        ("graders/sandbox/box.py", "from softmark_worker import serve"),
        ("graders/grade.py", "from reports.pages.student_page import render"),
        ("graders/__init__.py", "from graders.grade import Grader"),
        ("reports/pages/student_page.py", "from graders.sandbox.box import Box"),
        ("solutions/split_heads.py", "import graders"),
        ("assignments/split_heads.py", "from solutions.split_heads import split_heads"),
        ("graders/judging/draws.py", "from solutions.split_heads import split_heads"),
    ],
)
def test_the_table_catches_what_it_forbids(file: str, line: str):
    text = (ROOT / file).read_text(encoding="utf-8")
    assert violations(file, text) == []
    assert len(violations(file, f"{text}\n{line}\n")) == 1


def test_no_class_overrides_another_classs_private_method():
    bases: dict[str, list[str]] = {}
    private: dict[str, set[str]] = {}
    for name in files():
        if name.startswith(("graders/", "softmark_worker/", "reports/")):
            found = outline((ROOT / name).read_text("utf-8"))
            bases |= found.bases
            private |= found.private

    def inherited(name: str) -> set[str]:
        return {m for base in bases[name] if base in bases for m in private[base] | inherited(base)}

    assert {name: private[name] & inherited(name) for name in bases if private[name] & inherited(name)} == {}


def test_a_call_gives_many_values_by_their_names():
    wrong = []
    for name in files():
        if name.startswith(("graders/", "softmark_worker/", "reports/")) and not name.startswith(BY_AUTHORS):
            rows = outline((ROOT / name).read_text("utf-8")).rows
            wrong += [f"{name}:{line}: {called}" for called, line in rows if called not in BY_POSITION]
    assert wrong == []


def test_a_long_row_of_values_is_found():
    assert outline("f(1, 2, 3, 4, 5)\nf(1, 2, 3, 4, 5, number=6)\n").rows == []
    assert outline("f(1, 2, 3, 4, 5, 6)\n").rows == [("f", 1)]


def test_no_function_is_too_long_and_no_file_says_nothing_by_its_name():
    for folder in OURS:
        for path in (ROOT / folder).rglob("*.py"):
            if "handed_in" in path.parts:
                continue
            assert path.stem not in {"utils", "helpers", "common", "misc"}, path
            if folder in ("graders", "softmark_worker", "reports"):
                for name, lines in outline(path.read_text(encoding="utf-8")).lines:
                    assert lines < 60, f"{path}: {name}"
