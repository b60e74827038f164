"""Modules beside the notebook: imports, packages, %run and %%writefile."""

import pytest

from graders.results.result import Outcome
from tests.support.notebooks import cells, handed_in, kept, loading, missing, notebook, taken, value

TRAP = "raise SystemExit('this must not run')"
HELPER = (
    f"import math\nstep = 1\ndef g(): return h() + step\ndef h(): return 1\ndef unused(): return 0\n{TRAP}\n"
)


@pytest.mark.parametrize(
    "cell",
    [
        "from helper import g\ndef f(): return g()",
        "from helper import g as k\ndef f(): return k()",
        "import helper\ndef f(): return helper.g()",
        "import helper as h\ndef f(): return h.g()",
        "from helper import *\ndef f(): return g()",
        "def f():\n    import helper\n    return helper.g()",
        "def f():\n    from helper import g\n    return g()",
        "import helper\ndef f(): return getattr(helper, 'g')()",
        "%run helper.py\ndef f(): return g()",
        "%run -i helper\ndef f(): return g()",
        "try:\n    from helper import g\nexcept ImportError:\n    pass\ndef f(): return g()",
    ],
)
def test_an_imported_helper_module_is_kept(cell: str) -> None:
    program = handed_in({"rendu.ipynb": notebook(cell), "helper.py": HELPER})
    with loading(taken(program, "f")) as loaded:
        assert loaded.problems == []
        assert loaded.namespace["f"]() == 2


def test_only_what_is_used_of_a_helper_is_kept() -> None:
    program = handed_in(
        {"rendu.ipynb": notebook("import helper\ndef f(): return helper.g()"), "helper.py": HELPER}
    )
    assert kept(taken(program, "f"))[:3] == ["step = 1", "def g(): return h() + step", "def h(): return 1"]


def test_a_name_from_a_star_import_is_found_in_the_helper() -> None:
    program = handed_in({"rendu.ipynb": notebook("from helper import *"), "helper.py": HELPER})
    source = taken(program, "g")
    assert [definition.file for definition in source.definitions] == ["helper.py", "helper.py"]
    assert source.definitions[0].code.startswith("def g()")


def test_a_chain_of_star_imports_is_followed() -> None:
    files = {
        "a.py": "from b import *",
        "b.py": "from a import *\nfrom c import *",
        "c.py": "def g(): return 7",
    }
    program = handed_in({"rendu.ipynb": notebook("from a import *\ndef f(): return g()"), **files})
    assert value(program, "f")() == 7


def test_the_definition_behind_an_import_is_shown() -> None:
    program = handed_in({"rendu.ipynb": notebook("from helper import g\ng(3)"), "helper.py": HELPER})
    own, used = taken(program, "g").definitions
    assert (own.file, own.cell, own.line) == ("helper.py", None, 3)
    assert used.code == "def h(): return 1"


PACKAGE = {
    "pkg/__init__.py": "from .attn import attend\nfrom . import ffn\n",
    "pkg/attn.py": "from .core.base import one\nfrom pkg import ffn\ndef attend(): return one() + ffn.two()",
    "pkg/ffn.py": "def two(): return 2\n",
    "pkg/core/base.py": "def one(): return 1\n",
}


@pytest.mark.parametrize(
    "cell",
    [
        "from pkg.attn import attend\ndef f(): return attend()",
        "from pkg import attend\ndef f(): return attend()",
        "import pkg\ndef f(): return pkg.attend()",
        "import pkg.attn\ndef f(): return pkg.attn.attend()",
        "import pkg.attn as a\ndef f(): return a.attend()",
        "from pkg import attn\ndef f(): return attn.attend()",
        "import pkg.ffn\nimport pkg.core.base\ndef f(): return pkg.ffn.two() + pkg.core.base.one()",
        "from pkg import *\ndef f(): return attend()",
    ],
)
@pytest.mark.parametrize("folder", ["", "work/"])
def test_packages_are_imported_as_python_does(cell: str, folder: str) -> None:
    files = {folder + name: text for name, text in PACKAGE.items()}
    assert value(handed_in({f"{folder}rendu.ipynb": notebook(cell), **files}), "f")() == 3


def test_a_module_in_a_folder_that_was_put_on_the_path_is_found() -> None:
    program = handed_in(
        {"rendu.ipynb": notebook("import helper\ndef f(): return helper.g()"), "src/helper.py": HELPER}
    )
    assert value(program, "f")() == 2


def test_a_symbol_inside_a_package_is_taken_with_its_relative_imports() -> None:
    assert value(handed_in(dict(PACKAGE)), "attend")() == 3


def test_circular_imports_are_handled() -> None:
    files = {
        "a.py": "import b\ndef even(n): return n == 0 or b.odd(n - 1)",
        "b.py": "import a\ndef odd(n): return n != 0 and a.even(n - 1)",
    }
    program = handed_in({"rendu.ipynb": notebook("from a import even\ndef f(n): return even(n)"), **files})
    with loading(taken(program, "f")) as loaded:
        assert loaded.namespace["f"](10)


def test_a_file_named_like_a_standard_module_is_never_reached() -> None:
    files: dict[str, str | bytes] = {
        "rendu.ipynb": notebook("import math\ndef f(): return math.floor(1.5)"),
        "math.py": "def floor(x): return 'mine'",
    }
    assert value(handed_in(files), "f")() == 1


def test_a_written_module_is_a_sibling_with_the_cells_lines() -> None:
    program = cells(
        "%%writefile helper.py\n\ndef g(): return 1 / 0", "from helper import g\ndef f(): return g()"
    )
    with loading(taken(program, "f")) as loaded, pytest.raises(ZeroDivisionError) as caught:
        loaded.namespace["f"]()
    last = caught.traceback[-1]
    assert (str(last.path).rsplit("/", 1)[-1], last.lineno + 1) == ("rendu.ipynb, cell 1", 3)


def test_a_written_module_overwrites_and_appends() -> None:
    program = cells(
        "%%writefile helper.py\ndef g(): return 1\ndef old(): pass",
        "%%writefile helper.py\ndef g(): return 2",
        "%%writefile -a helper.py\ndef h(): return g()",
        "%%writefile helper2.py\ndef broken(",
        "import helper\ndef f(): return helper.h()",
    )
    assert value(program, "f")() == 2
    assert [remark.cell for remark in program.remarks] == [4]


def test_a_notebook_run_by_another_shares_its_names() -> None:
    main = notebook("size = 1", "%run base.ipynb\nprint(size)", "def f(): return _g() + size")
    program = handed_in({"rendu.ipynb": main, "base.ipynb": notebook("size = 2\ndef _g(): return size")})
    assert value(program, "f")() == 4


def test_notebooks_that_run_each_other_end() -> None:
    files: dict[str, str | bytes] = {
        "a.ipynb": notebook("%run b.ipynb", "def f(): return g()"),
        "b.ipynb": notebook(
            "%run a.ipynb", "if 1:\n    %run nowhere.py\n    %run c.py", "def g(): return h()"
        ),
        "c.py": "def h(): return 3",
    }
    assert value(handed_in(files), "f")() == 3


def test_a_symbol_in_several_files_is_taken_from_the_notebook() -> None:
    program = handed_in({"a.py": "def f(): return 1", "rendu.ipynb": notebook("def f(): return 2")})
    assert value(program, "f")() == 2
    (remark,) = taken(program, "f").remarks
    assert remark.says == (
        "f is defined in rendu.ipynb and in a.py; the one in rendu.ipynb counts. "
        "A notebook comes before a module."
    )


def test_what_is_no_function_and_a_stub_never_count() -> None:
    program = handed_in(
        {"b.ipynb": notebook("def f(): return 2", "def g(): return 2"), "c.ipynb": notebook("f = 3")}
    )
    assert value(program, "f")() == 2
    handed_out = notebook("def f(): pass", "def g(): pass", "def h(): pass")
    assert value(handed_in({"a.py": "def f(): return 1", "sujet.ipynb": handed_out}), "f")() == 1


def test_places_name_the_file_where_there_are_several() -> None:
    program = handed_in({"a.ipynb": notebook("def f(): pass"), "b.py": "x = 1"})
    result = missing(program, "f")
    assert (result.outcome, result.says) == (
        Outcome.NOT_ATTEMPTED,
        "f is still as it was handed out",
    )


def test_a_module_name_with_hundreds_of_parts_is_not_resolved() -> None:
    program = handed_in({"a.py": "import b" + ".b" * 900 + "\ndef f(): return b", "b/b.py": "x = 1"})
    assert kept(taken(program, "f"))[-1] == "def f(): return b"


def test_a_long_chain_of_star_imports_is_cut() -> None:
    chain = {f"m{n}.py": f"from m{n + 1} import *\nx{n} = 1" for n in range(300)}
    program = handed_in(chain | {"a.py": "from m0 import *"})
    (names,) = program.code_files["a.py"].stars.values()
    assert "x50" in names and "x299" not in names
