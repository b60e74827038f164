"""What a command imports at its start, by the text of our modules: nothing that takes long and is not used.

That a run whose results all hold imports no PyTorch is in `tests/batch/test_reuse_class.py`.
"""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
OURS = ("graders", "reports", "softmark_worker")
COMPUTING = {"hypothesis", "numpy", "safetensors", "torch"}
# Pages, notebooks, figures and clusters; each takes a tenth of a second or more.
FOR_FEW = {"IPython", "distributed", "jupytext", "matplotlib", "nbconvert", "nbformat", "nh3", "pyarrow"}
NOT_AT_ONCE = {
    **{
        f"graders.cli.commands.{name.replace('-', '_')}": COMPUTING | FOR_FEW
        for name in COMMANDS
        if name not in ("corpus", "doctor", "worker")  # these use it whatever is asked of them
    },
    "graders.cli.start": COMPUTING | FOR_FEW | {"click", "jinja2", "pygments", "rich"},
    "graders.cli.main": COMPUTING | FOR_FEW | {"jinja2", "pygments", "rich"},
    "graders.batch.reuse_class": COMPUTING | FOR_FEW | {"pygments"},
    "graders.cli.actions.check": FOR_FEW | {"jinja2", "pygments"},
    "graders.cli.actions.grade": FOR_FEW | {"pygments"},
    "graders.notebook.magic": COMPUTING | (FOR_FEW - {"IPython"}) | {"jinja2", "pygments", "rich"},
    "graders.notebook.check_live": (FOR_FEW - {"IPython"}) | {"jinja2", "pygments"},
    "graders.pytest_plugin.hooks": COMPUTING | FOR_FEW | {"jinja2", "pygments", "rich"},
}


def file_of(module: str) -> Path | None:
    """The file of one of our modules."""
    path = ROOT.joinpath(*module.split("."))
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)


def run_at_once(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported, but for definitions."""
    for node in body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.If | ast.Try | ast.With):
            inner = [*node.body, *getattr(node, "orelse", ()), *getattr(node, "finalbody", ())]
            yield from run_at_once(inner)
        yield node


@functools.cache
def named_in(module: str) -> tuple[str, ...]:
    """The modules that one of ours imports at once, and the packages around them."""
    found: list[str] = []
    for node in run_at_once(ast.parse((file_of(module) or Path()).read_text(encoding="utf-8")).body):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            found += (".".join(parts[:end]) for end in range(1, len(parts) + 1))
    return tuple(found)


def imported_at_once(module: str) -> dict[str, str]:
    """All that comes with a module, each with one of the modules that import it."""
    found, waiting = {module: ""}, [module]
    while waiting:
        importer = waiting.pop()
        for name in named_in(importer):
            if name not in found:
                found[name] = importer
                waiting += [name] if name.partition(".")[0] in OURS and file_of(name) else []
    return found


def test_matplotlib_draws_the_curves_of_trained_models_alone():
    files = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "reports").rglob("*.py")}
    imports = re.compile(r"^ *(?:from|import) matplotlib", re.MULTILINE)
    assert {name for name, text in files.items() if imports.search(text)} == {"svg", "trained"}


@pytest.mark.parametrize("module", NOT_AT_ONCE)
def test_what_takes_long_is_not_imported_before_it_is_used(module: str):
    found = imported_at_once(module)
    assert {name: found[name] for name in NOT_AT_ONCE[module] & found.keys()} == {}


def test_what_is_imported_through_others_is_found():
    assert imported_at_once("graders.cli.actions.check")["torch"]
    assert "torch" in imported_at_once("graders.batch.grade_class")
    assert "jinja2" in imported_at_once("reports.pages.student_page")
