"""Who may import whom, as one table. Left: a file or folder. Right: what of ours it may import."""

import ast
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("graders", "reports", "assignments", "solutions", "tests")

TABLE = {
    "graders/worker": {"graders.worker"},
    "assignments": set(),
    "solutions": {"solutions"},
    "graders/checks": {
        "graders.check_api.statistics",
        "graders.check_api.check",
        "graders.check_api.recording_models",
        "graders.check_api.strategies.module_inputs",
        "graders.check_api.strategies.prompts",
        "graders.check_api.properties",
        "graders.check_api.behaviour",
        "graders.check_api.strategies.tensors",
        "graders.check_api.timed_call",
        "graders.check_api.strategies.token_ids",
        "graders.check_api.language_model_behaviour",
        "graders.check_api.criterion",
        "graders.check_api.reference_answer",
    },
    "graders/course/loss_policy.py": set(),
    "graders/trained/sample_sizes.py": set(),
    "graders/check_api/criterion.py": {"graders.language", "graders.results.result"},
    "graders/trained/loss.py": {"graders.trained.next_token"},
    "graders/trained/held_out.py": {"graders.corpora", "graders.course.loss_policy"},
    "graders/check_api/timed_call.py": set(),
    "graders/course/speed_policy.py": set(),
    "graders/timing/cpu_clock.py": {
        "graders.sandbox.process",
        "graders.sandbox.box",
        "graders.sandbox.isolation.level",
    },
    "graders/timing/analysis.py": {"graders.results.result", "graders.timing"},
    "graders/candidate/parameter_mapping/layouts.py": set(),
    "graders/candidate/parameter_mapping/mapping.py": {"graders.renaming"},
    "graders/candidate/parameter_mapping/search.py": {"graders.renaming"},
    "graders/language.py": set(),
    "graders/check_api/strategies/module_inputs.py": {"graders.check_api.strategies.tensors"},
    "graders/results/json_schema.py": set(),
    "graders/results/result.py": {"graders.results.json_schema"},
    "graders/results/compact.py": {"graders.results.result"},
    "graders/safe_text.py": set(),
    "graders/results/atomic_write.py": set(),
    "graders/intake": {
        "graders.intake",
        "graders.classroom.class_record",
        "graders.safe_text",
        "graders.reading",
        "graders.results.store",
        "graders.classroom.csv_table",
        "graders.classroom.find_student",
    },
    "graders/classroom/class_record.py": {"graders.results.json_schema"},
    "graders/course/course_file.py": {"graders.course.late_policy"},
    "graders/course/outline.py": {"graders.course.course_file"},
    "graders/pytest_plugin/hooks.py": {
        "graders.course.outline",
        "graders.plugin",
        "graders.sandbox.isolation.level",
    },
    "graders/pytest_plugin/items.py": {
        "graders.extraction.extract",
        "graders.course.outline",
        "graders.plugin",
        "graders.submission.resource_bounds",
        "graders.results.result",
        "graders.submission.read",
    },
    "graders/pytest_plugin/grading.py": {
        "graders.judging.draws",
        "graders.course.exercise",
        "graders.grade",
        "graders.judging.judge",
        "graders.sandbox.limits",
        "graders.results.result",
        "graders.sandbox.box",
        "graders.judging.score",
        "graders.wall",
    },
    "graders/pytest_plugin/failure_text.py": {
        "graders.pytest_plugin.grading",
        "graders.results.result",
        "reports",
    },
    "graders/pytest_plugin/summary.py": {"graders.course.outline", "graders.pytest_plugin.items", "reports"},
    "graders/classroom/run_marks.py": {
        "graders.course.course_file",
        "graders.classroom.class_record",
        "graders.course.late_policy",
        "graders.classroom.marks",
        "graders.classroom.overrides",
        "graders.results.result",
        "graders.results.atomic_write",
    },
    "graders/classroom/overrides.py": {
        "graders.classroom.marks",
        "graders.safe_text",
        "graders.classroom.csv_table",
        "graders.classroom.find_student",
    },
    "graders/course/late_policy.py": set(),
    "graders/classroom/marks.py": {
        "graders.classroom.class_record",
        "graders.course.late_policy",
        "graders.results.result",
        "graders.results.store",
    },
    "graders/classroom/csv_table.py": set(),
    "graders/classroom/find_student.py": {"graders.classroom.class_record"},
    "graders/batch/folder_lock.py": {"graders.results.atomic_write"},
    "graders/batch/process_pool.py": {"graders.worker.syscalls"},
    "graders/sandbox/limits.py": set(),
    "graders/sandbox/denied.py": {"graders.sandbox.limits"},
    "graders/sandbox/process_lost.py": {
        "graders.sandbox.limits",
        "graders.results.result",
        "graders.sandbox.isolation.cgroups",
    },
    "graders/sandbox/isolation/level.py": set(),
    "graders/sandbox/isolation/seccomp.py": set(),
    "graders/sandbox/isolation/gpu.py": set(),
    "graders/sandbox/isolation/visible_paths.py": {"graders.course.reference", "graders.worker"},
    "graders/sandbox/isolation/bubblewrap.py": {"graders.wall"},
    "graders/sandbox/isolation/command.py": {"graders.sandbox.limits", "graders.wall"},
    "graders/sandbox/isolation/cgroups.py": {"graders.sandbox.limits"},
    "graders/sandbox/isolation/settings.py": {"graders.sandbox.limits", "graders.wall"},
    "graders/sandbox/isolation/forbidden.py": set(),
    "graders/check_api/describe.py": {"graders.safe_text", "graders.worker.wire"},
    "graders/check_api/compare.py": {"graders.check_api.describe"},
    "graders/check_api/statistics.py": set(),
    "graders/check_api/strategies/prompts.py": {
        "graders.check_api.recording_models",
        "graders.check_api.strategies.module_inputs",
        "graders.check_api.strategies.tensors",
    },
    "graders/check_api/recording_models.py": {"graders.worker.recording_models"},
    "graders/check_api/behaviour.py": {"graders.check_api.check"},
    "graders/check_api/check.py": {
        "graders.check_api.compare",
        "graders.check_api.describe",
        "graders.language",
        "graders.check_api.recording_models",
    },
    "graders/check_api/strategies/tensors.py": set(),
    "graders/check_api/strategies/token_ids.py": {
        "graders.check_api.check",
        "graders.check_api.strategies.module_inputs",
        "graders.check_api.properties",
        "graders.check_api.strategies.tensors",
    },
    "graders/check_api/language_model_behaviour.py": {
        "graders.check_api.check",
        "graders.check_api.strategies.module_inputs",
        "graders.diagnosis.fingerprint",
        "graders.check_api.properties",
        "graders.check_api.behaviour",
        "graders.check_api.strategies.tensors",
        "graders.check_api.strategies.token_ids",
    },
    "graders/reading": {"graders.safe_text", "graders.reading", "graders.results.result"},
    "graders/submission/read.py": {"graders.reading", "graders.results.result"},
    "graders/slicing": {
        "graders.safe_text",
        "graders.reading",
        "graders.results.result",
        "graders.slicing",
        "graders.submission.read",
    },
    "graders/extraction/extract.py": {"graders.safe_text", "graders.results.result", "graders.slicing"},
    "graders/cli/main.py": {
        "graders.cli.click_translations",
        "graders.cli.translated_command",
        "graders.cli.language_option",
    },
    "graders/help/topics.py": set(),
    "graders/sandbox/worker_messages.py": set(),
    "graders/handout/docstrings.py": set(),
    "graders/handout/reproducible_zip.py": set(),
    "graders/handout/render_texts.py": set(),
    "graders/handout/refused.py": set(),
    "graders/handout/leak_check.py": {"graders.course.reference"},
    "graders/handout/sheet.py": {"graders.course.exercise", "graders.handout"},
    "graders/handout/wheel.py": {"graders.handout"},
    "graders/handout/notebook_file.py": {"graders.handout"},
    "graders/handout/fill_in_reference.py": {
        "graders.course.exercise",
        "graders.handout",
        "graders.course.reference",
    },
    "graders/handout/platform_files.py": {
        "graders.course.exercise",
        "graders.handout",
        "graders.course.reference",
    },
    "graders/handout/make.py": {"graders.handout", "graders.sandbox.box"},
    "graders/__init__.py": {"graders.notebook.magic"},
    "graders/notebook/in_process_worker.py": set(),
    "graders/notebook/restore_state.py": set(),
    "graders/notebook/source_places.py": {"graders.safe_text", "graders.results.result"},
    "graders/notebook/find_exercise.py": {"graders.course.course_file", "graders.course.outline"},
    "graders/notebook/magic.py": {
        "graders.course.outline",
        "graders.live",
        "reports.pages.notebook_cell_output",
    },
    "graders/commands": {"graders", "reports"},
    "graders": {"graders"},
    "graders/results/audit_result.py": set(),
    "reports": {
        "graders.results.audit_result",
        "graders.classroom.class_record",
        "graders.classroom.marks",
        "graders.results.result",
        "graders.results.compact",
        "graders.classroom.csv_table",
        "graders.results.atomic_write",
        "reports",
    },
    "reports/ci": {"graders.results.result", "reports"},
    "reports/ci/escape.py": {"reports.words"},
    "reports/ci/lines.py": set(),
}
# Whoever says something to people says it in their language; these three do not.
LANGUAGE, SILENT = "graders.language", ("graders/worker", "assignments", "solutions")
# The worker runs by path, its siblings are top-level modules; beside Python it has torch, NumPy, safetensors.
WORKER_MAY = {"numpy", "safetensors", "torch"} | {
    path.stem for path in (ROOT / "graders/worker").glob("*.py")
}
# Outside of the table: only the reference's door opens solutions/, and by path.
DOOR = "graders/course/reference.py"


def imports(path: Path) -> set[str]:
    """The full names of all modules that a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in found if name}


def rule(name: str) -> set[str]:
    """The narrowest line of the table for a file."""
    fitting = [entry for entry in TABLE if name == entry or name.startswith(f"{entry}/")]
    entry = max(fitting, key=len)
    return TABLE[entry] if entry in SILENT else TABLE[entry] | {LANGUAGE, "graders.locations"}


def violations(root: Path) -> list[str]:
    """What in the tree under `root` breaks the table."""
    found = []
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if name.partition("/")[0] not in OURS[:-1]:
            continue
        allowed = rule(name)
        for module in imports(path):
            ours = module.partition(".")[0] in OURS
            if ours and not any(
                module == a or module.startswith(f"{a}.") or a.startswith(f"{module}.") for a in allowed
            ):
                found.append(f"{name} imports {module}")
    return found


def test_everybody_imports_only_whom_the_table_allows():
    assert violations(ROOT) == []


def test_the_worker_knows_only_python_and_torch():
    standard = __import__("sys").stdlib_module_names
    for path in (ROOT / "graders/worker").glob("*.py"):
        tops = {name.partition(".")[0] for name in imports(path)}
        assert tops <= standard | WORKER_MAY, path


def test_only_the_door_names_the_solutions():
    for path in (ROOT / "graders").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.relative_to(ROOT).as_posix() != DOOR:
            assert "import solutions" not in text, path
            assert "from solutions" not in text, path


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("graders/worker/serve.py", "import graders.results.result"),
        ("graders/checks/split_heads.py", "from graders import candidate"),
        ("graders/checks/split_heads.py", "def f():\n    import graders.judging.draws"),
        ("graders/results/result.py", "from graders.check_api.check import Check"),
        ("graders/grade.py", "from reports.pages.student_page import render"),
        ("reports/pages/student_page.py", "from graders.sandbox.box import Box"),
        ("solutions/split_heads.py", "import graders"),
        ("assignments/split_heads.py", "from solutions.split_heads import split_heads"),
        ("graders/judging/draws.py", "from solutions.split_heads import split_heads"),
    ],
)
def test_the_table_catches_what_it_forbids(file: str, line: str, tmp_path: Path):
    for folder in OURS[:-1]:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert violations(tmp_path) == []
    with (tmp_path / file).open("a", encoding="utf-8") as text:
        text.write(f"\n{line}\n")
    assert violations(tmp_path) != []


def test_every_line_of_the_table_is_about_something_there():
    for entry in TABLE:
        assert (ROOT / entry).exists(), entry


def test_no_file_is_too_long_and_none_says_nothing_by_its_name():
    for folder in OURS:
        for path in (ROOT / folder).rglob("*.py"):
            if "handed_in" in path.parts:
                continue
            assert path.stem not in {"utils", "helpers", "common", "misc"}, path
            if folder in ("graders", "reports"):
                text = path.read_text(encoding="utf-8")
                assert text.count("\n") <= 300, path
                for node in ast.walk(ast.parse(text)):
                    if isinstance(node, ast.FunctionDef):
                        assert node.end_lineno - node.lineno < 60, f"{path}: {node.name}"
