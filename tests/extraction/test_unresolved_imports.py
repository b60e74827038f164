"""Files handed in without their folders: an import that cannot be resolved means the file with the name."""

import pytest

from graders.extraction.resolve_imports import is_installed
from tests.support.notebooks import cells, handed_in, loading, notebook, taken, value

ATTENTION = "import math\nclass Heads:\n    def n(self): return math.floor(7.5)\n"


@pytest.mark.parametrize(
    "line",
    [
        "from attention import Heads",
        "from .attention import Heads",
        "from ..layers.attention import Heads",
        "from model.attention import Heads",
        "from mypackage.layers import Heads",
        "from . import attention\nHeads = attention.Heads",
        "import attention\nHeads = attention.Heads",
        "import model.attention as a\nHeads = a.Heads",
        "def g():\n    from model.attention import Heads\n    return Heads()\nHeads = g().__class__",
    ],
)
@pytest.mark.parametrize("main", ["block.py", "block.ipynb", "some-repo/block.py"])
def test_an_import_means_the_file_that_defines_the_name(line: str, main: str) -> None:
    code = f"{line}\nx = 1\nclass Other: pass\nclass Block:\n    def __init__(self): self.heads = Heads()\n"
    folder = main.rpartition("/")[0]
    program = handed_in(
        {
            main: notebook(code) if main.endswith("ipynb") else code,
            f"{folder}/attention.py".lstrip("/"): ATTENTION,
        }
    )
    assert value(program, "Block")().heads.n() == 7


def test_names_of_one_import_may_lie_in_several_files() -> None:
    program = handed_in(
        {
            "main.py": "from layers import a, b\ndef f(): return a(), b()",
            "one.py": "def a(): return 1",
            "two.py": "from .one import a\ndef b(): return 1 + a()",
        }
    )
    assert value(program, "f")() == (1, 2)


def test_a_definition_beats_an_import_that_cannot_be_resolved_in_a_larger_file() -> None:
    program = handed_in(
        {
            "big.py": "from nowhere import Heads\ndef a(): pass\ndef b(): pass\nclass Block(Heads): pass",
            "small.py": ATTENTION,
        }
    )
    assert value(program, "Heads")().n() == 7
    assert value(program, "Block")().n() == 7


@pytest.mark.parametrize("order", [1, -1])
def test_a_definition_beats_such_an_import_in_its_own_file_too(order: int) -> None:
    sources = ["from nowhere import Heads", ATTENTION][::order]
    program = cells(*sources, "class Block(Heads): pass")
    assert value(program, "Heads")().n() == 7
    assert value(program, "Block")().n() == 7


def test_a_definition_in_a_module_beats_such_an_import_in_the_notebook() -> None:
    program = handed_in(
        {"rendu.ipynb": notebook("from nowhere import Heads\nHeads()"), "small.py": ATTENTION}
    )
    assert taken(program, "Heads").definitions[0].file == "small.py"


def test_an_import_of_a_package_that_is_installed_means_the_package() -> None:
    program = handed_in(
        {
            "main.py": "from torch.nn import Linear\ndef f(): return Linear(1, 1).bias",
            "other.py": "class Linear: pass",
        }
    )
    assert len(value(program, "f")()) == 1


def test_an_import_that_can_be_resolved_counts_before_another_definition() -> None:
    program = handed_in(
        {
            "rendu.ipynb": notebook("from mine import f"),
            "mine.py": "def f(): return 'mine'",
            "old.py": "def f(): return 'old'\ndef g(): pass",
        }
    )
    assert value(program, "f")() == "mine"


def test_a_test_that_imports_the_symbol_is_not_its_file() -> None:
    imports = "from ..attention import Heads, nothing\ndef test_a(): Heads()\ndef test_b(): pass"
    program = handed_in({"repo/tests/test_it.py": imports, "repo/attention.py": ATTENTION})
    assert value(program, "Heads")().n() == 7


def test_relative_imports_of_modules_at_the_root_work_in_a_chain() -> None:
    program = handed_in(
        {
            "a.py": "from .b import g\ndef f(): return g()",
            "b.py": "from . import c\ndef g(): return c.h()",
            "c.py": "def h(): return 5",
        }
    )
    assert value(program, "f")() == 5


def test_a_file_that_was_not_handed_in_is_named() -> None:
    with loading(taken(handed_in({"a.py": "from .b import g\ndef f(): return g()"}), "f")) as loaded:
        [problem] = loaded.problems
    assert problem["error"] == "ModuleNotFoundError: No module named 'handed_in.b'"


def test_a_folder_with_the_name_of_a_package_does_not_replace_it() -> None:
    program = handed_in(
        {
            "torch/a.py": "import torch\nfrom .b import g\ndef f(): return torch.ones(g()).sum().item()",
            "torch/b.py": "def g(): return 3",
        }
    )
    assert value(program, "f")() == 3


@pytest.mark.parametrize(("module", "there"), [("torch.nn", True), ("math", True), ("nowhere.at.all", False)])
def test_installed_packages_are_known_without_importing_them(module: str, there: bool) -> None:
    assert is_installed(module) is there


@pytest.mark.parametrize("init", [{}, {"heads/__init__.py": ""}])
@pytest.mark.parametrize("line", ["from heads import attention", "from heads import attention, other"])
def test_a_package_may_hold_a_module_of_its_own_name(init: dict[str, str], line: str) -> None:
    block = "class Block:\n    def __init__(self): self.heads = attention.Heads()\n"
    program = handed_in(
        {
            "heads/block.py": f"{line}\n{block}",
            "heads/heads.py": "from heads import attention\nclass Model: pass\n",
            "heads/attention.py": ATTENTION,
            "heads/other.py": "from heads.heads import Model\n",
            **init,
        }
    )
    assert value(program, "Block")().heads.n() == 7
