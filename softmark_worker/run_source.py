"""Runs the statements that were extracted from a submission, inside the box.

Imports nothing but the standard library and three files beside it. A statement that raises is reported
and skipped; the next ones still run, as in a notebook where one cell failed.
"""

import __future__

import ast
import builtins
import functools
import importlib.abc
import importlib.machinery
import linecache
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from softmark_worker import adapt_statements, missing_packages
from softmark_worker.silent import Silent

ERROR_LIMIT = 1_000  # characters of an error's text
NAME_LIMIT = 100  # characters of the name of an error's type
VALUE_LIMIT = 200  # characters of a value in a message
VALUES = 5  # values in a message, with its key
FRAMES = 50  # innermost frames of an error that are reported

Place = tuple[int, int]
Piece = dict[str, Any]
Around = Callable[[Callable[[], Any]], Any]


@dataclass
class Loaded:
    """The names that the main module has, the statements that raised, and what was left out of others.

    A problem has the keys `file`, `cell`, `line`, `type` (the error's), `error` (its type and text),
    `message` (see `message_of`), `binds` (the names that the statement failed to bind) and `through` (the
    files in the error's traceback). A note on what was left out has `file`, `cell`, `line` and `message`.
    """

    namespace: dict[str, Any]
    problems: list[dict[str, Any]]
    notes: list[dict[str, Any]]
    bind: Callable[[dict[str, Any]], None] | None = None
    around: Around = lambda work: work()


def load(
    source: dict[str, Any],
    bind: Callable[[dict[str, Any]], None] | None = None,
    around: Around = lambda work: work(),
) -> Loaded:
    """Run a source from `extraction.extract.to_wire`: the main module now, its siblings when imported.

    After each statement `bind` may bind names of its module to something else. `around` calls what runs one.
    """
    _stand_in()
    *siblings, main = source["modules"]
    loaded = Loaded({}, [], [], bind, around)
    package = main["name"].rpartition(".")[0]
    finder = _Finder({module["name"]: module for module in siblings}, package, loaded)
    for name in finder.names:
        sys.modules.pop(name, None)
    sys.meta_path[:] = [finder, *(other for other in sys.meta_path if not isinstance(other, _Finder))]
    module = types.ModuleType(main["name"])
    module.__package__ = package
    # As in a notebook, `__main__` has the code's own names, and not those of the program that runs here.
    own = module if main["name"] == "__main__" else types.ModuleType("__main__")
    sys.modules["__main__"] = sys.modules["__mp_main__"] = own  # multiprocessing has the second name for it
    if module is not own:
        sys.modules[main["name"]] = module
        module.__file__ = main["pieces"][0]["file"] if main["pieces"] else None
    loaded.namespace = module.__dict__
    _run(main, module.__dict__, loaded)
    return loaded


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules that were handed in beside the main one, as Python imports files."""

    def __init__(self, modules: dict[str, dict[str, Any]], package: str, loaded: Loaded) -> None:
        self.modules = modules
        self.loaded = loaded
        self.names = {prefix for name in (*modules, package) for prefix in _prefixes(name)} - {""}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """A spec for the names of this submission, None for all others."""
        del path, target
        if fullname not in self.names:
            return None
        package = fullname not in self.modules or any(n.startswith(f"{fullname}.") for n in self.modules)
        return importlib.machinery.ModuleSpec(fullname, self, is_package=package)

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the module's pieces."""
        source = self.modules.get(module.__name__, {"pieces": []})
        if source["pieces"]:
            module.__file__ = source["pieces"][0]["file"]
        _run(source, module.__dict__, self.loaded)


def _prefixes(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[: end + 1]) for end in range(len(parts))]


def _run(module: dict[str, Any], namespace: dict[str, Any], loaded: Loaded) -> None:
    flags = 0
    missing = missing_packages.MissingPackages(namespace)
    for piece in module["pieces"]:
        _show_in_tracebacks(piece)
        for statement in adapt_statements.single_imports(
            _kept_statements(piece, module.get("redirects", {}))
        ):
            flags |= _future(statement)
            try:
                loaded.notes += [_note(piece, *done) for done in missing.adapt(statement)]
                if not flags & __future__.annotations.compiler_flag:
                    adapt_statements.quote_annotations(statement)
                work = functools.partial(_execute, statement, piece, flags, namespace)
                loaded.notes += loaded.around(work)
                if loaded.bind is not None:
                    loaded.bind(namespace)
            except BaseException as error:  # also SystemExit: `exit()` in a cell ends only that cell
                missing.note(statement, error)
                loaded.problems.append(_problem(error, piece, statement))


def _execute(
    statement: ast.stmt, piece: Piece, flags: int, namespace: dict[str, Any]
) -> list[dict[str, Any]]:
    """Run a statement; a definition whose defaults cannot be computed here without these. Notes on them."""
    try:
        # Student code is what this process is for.
        exec(_compile(statement, piece["label"], flags), namespace)  # noqa: S102
    except (NameError, AttributeError, KeyError, TypeError):
        left_out = adapt_statements.leave_out_defaults(statement, namespace)
        if not left_out:
            raise
        exec(_compile(statement, piece["label"], flags), namespace)  # noqa: S102
        return [_note(piece, line, {"says": "default_left_out", "name": text}) for line, text in left_out]
    return []


def _note(piece: Piece, line: int, message: dict[str, str]) -> dict[str, Any]:
    return {"file": piece["file"], "cell": piece["cell"], "line": line, "message": message}


def _compile(statement: ast.stmt, label: str, flags: int) -> types.CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code: types.CodeType = compile(
            ast.Module([statement], []), label, "exec", flags=flags, dont_inherit=True
        )
        return code


def _future(statement: ast.stmt) -> int:
    if not isinstance(statement, ast.ImportFrom) or statement.module != "__future__":
        return 0
    features = [getattr(__future__, alias.name, None) for alias in statement.names]
    return sum(feature.compiler_flag for feature in features if feature is not None)


def _show_in_tracebacks(piece: Piece) -> None:
    label, code = piece["label"], piece["code"]
    # No modification time: then linecache never looks for a file of that name.
    linecache.cache[label] = (len(code), None, [f"{line}\n" for line in code.split("\n")], label)


def _kept_statements(piece: Piece, redirects: adapt_statements.Redirects) -> list[ast.stmt]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(piece["code"])
    adapt_statements.redirect_imports(tree, redirects)
    return _prune(tree.body, {(line, column) for line, column in piece["keep"]})


def _prune(statements: list[ast.stmt], keep: set[Place]) -> list[ast.stmt]:
    """The kept statements. If a block's header is not kept, the kept statements inside replace the block."""
    kept: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            kept += [statement] if _place(statement) in keep else []
        elif _place(statement) in keep:
            for owner, field in _blocks(statement):
                setattr(owner, field, _prune(getattr(owner, field), keep))
            _fill(statement)
            kept.append(statement)
        else:
            for owner, field in _blocks(statement):
                kept += _prune(getattr(owner, field), keep)
    return kept


def _place(statement: ast.stmt) -> Place:
    return statement.lineno, statement.col_offset


def _blocks(statement: ast.stmt) -> Iterator[tuple[ast.AST, str]]:
    for owner in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        for field in ("body", "orelse", "finalbody"):
            if isinstance(getattr(owner, field, None), list):
                yield owner, field


def _fill(statement: ast.stmt) -> None:
    needs_body = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    for owner in needs_body:
        if getattr(owner, "body", None) == []:
            owner.body = [ast.copy_location(ast.Pass(), statement)]
    if getattr(statement, "finalbody", None) == [] and not getattr(statement, "handlers", ()):
        statement.finalbody = [ast.copy_location(ast.Pass(), statement)]  # type: ignore[attr-defined]


def _problem(error: BaseException, piece: Piece, statement: ast.stmt) -> dict[str, Any]:
    line, through = statement.lineno, []
    if isinstance(error, SyntaxError) and error.filename == piece["label"]:
        line = error.lineno or line
    trace = error.__traceback__
    while trace is not None:
        through.append(trace.tb_frame.f_code.co_filename)
        if trace.tb_frame.f_code.co_filename == piece["label"]:
            line = trace.tb_lineno
        trace = trace.tb_next
    return {
        "file": piece["file"],
        "cell": piece["cell"],
        "line": line,
        "type": type(error).__name__[:NAME_LIMIT],
        "error": _said(error),
        "message": message_of(error),
        "binds": sorted(set(_bound_names(statement))),
        "through": through[-FRAMES:],
    }


def _said(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:  # the class may be the student's
        text = ""
    name = type(error).__name__
    return f"{name}: {text}"[:ERROR_LIMIT] if text else name


def message_of(error: BaseException) -> dict[str, str] | None:
    """The key and values of an error that the worker itself raised; None for all other errors.

    Such an error has one argument, a dict: `TypeError({"says": "not_a_tensor", "got": "list"})`. The host
    makes a sentence of it.
    """
    try:
        [message] = error.args
        if type(message) is not dict or len(message) > VALUES or "says" not in message:
            return None
        return {str(key)[:VALUE_LIMIT]: str(value)[:VALUE_LIMIT] for key, value in message.items()}
    except BaseException:  # the class may be the student's
        return None


def _bound_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        for child in ast.iter_child_nodes(node):
            yield from _bound_names(child)


def _display(*args: object, **kwargs: object) -> None:
    del args, kwargs


def _input(prompt: object = "") -> str:
    raise RuntimeError({"says": "input_waits", "prompt": repr(str(prompt)[:50])})


def _stand_in() -> None:
    """Define what only notebooks have; `input` raises, since it would wait for ever."""
    silent = Silent()
    names: dict[str, Any] = {"get_ipython": lambda: silent, "display": _display, "input": _input}
    for name, value in names.items():
        setattr(builtins, name, value)
