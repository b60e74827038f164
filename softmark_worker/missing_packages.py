"""Lets code run whose imports failed: without decorators of missing packages, known bases replaced.

Imports nothing but the standard library; torch, once a base is replaced.
"""

import ast
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from softmark_worker.silent import Silent

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Packages that log, draw progress or describe: what they give computes nothing of an answer.
OBSERVERS = {"aim", "clearml", "colorama", "comet_ml", "icecream", "loguru", "mlflow", "neptune", "rich"}
OBSERVERS |= {"tensorboard", "tensorboardX", "termcolor", "torchinfo", "torchsummary", "torchviz"}
OBSERVERS |= {"tqdm", "visdom", "wandb"}
MIXINS = {"PyTorchModelHubMixin"}  # bases that do not change what a module computes
_STAND_IN = "__LightningModule__"


class MissingPackages:
    """The names that a module lacks because their packages are not there, each with the package's name."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        self.packages: dict[str, str] = {}

    def note(self, statement: ast.stmt, error: BaseException) -> None:
        """Remember the names that a statement failed to import; those of observers are bound, and silent."""
        if not isinstance(error, ModuleNotFoundError):
            return
        package = str(error.name).partition(".")[0]
        for node in ast.walk(statement):
            for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
                name = alias.asname or alias.name.split(".")[0]
                if package in OBSERVERS:
                    self.namespace[name] = range if alias.name == "trange" else Silent()
                else:
                    self.packages[name] = str(error.name)

    def adapt(self, statement: ast.stmt) -> list[tuple[int, dict[str, str]]]:
        """Leave out of a statement what only a missing package has: what was done, each with its line."""
        if not self.packages:
            return []
        done: list[tuple[int, dict[str, str]]] = []
        for node in ast.walk(statement):
            if isinstance(node, DEFINITIONS):
                node.decorator_list = list(self._without_missing(node.decorator_list, done))
            if isinstance(node, ast.ClassDef):
                node.bases = list(self._with_stand_ins(node.bases, done))
        return done

    def _without_missing(
        self, decorators: list[ast.expr], done: list[tuple[int, dict[str, str]]]
    ) -> Iterator[ast.expr]:
        for decorator in decorators:
            package = self._package_of(decorator)
            if package is None:
                yield decorator
            else:
                name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
                message = {"says": "decorator_left_out", "name": name, "package": package}
                done.append((decorator.lineno, message))

    def _with_stand_ins(
        self, bases: list[ast.expr], done: list[tuple[int, dict[str, str]]]
    ) -> Iterator[ast.expr]:
        for base in bases:
            package, name = self._package_of(base), ast.unparse(base)
            last = name.rpartition(".")[2]
            if package is not None and last in MIXINS:
                done.append((base.lineno, {"says": "base_left_out", "name": name, "package": package}))
            elif package is not None and last == "LightningModule":
                done.append((base.lineno, {"says": "base_replaced", "name": name, "package": package}))
                self.namespace[_STAND_IN] = lightning_module()
                yield ast.copy_location(ast.Name(_STAND_IN, ast.Load()), base)
            else:
                yield base

    def _package_of(self, value: ast.expr) -> str | None:
        """The missing package that an expression needs."""
        names = [node.id for node in ast.walk(value) if isinstance(node, ast.Name)]
        missing = (self.packages[name] for name in names if name in self.packages)
        return next(missing, None) if all(name not in self.namespace for name in names[:1]) else None


def lightning_module() -> type:
    """A stand-in for Lightning's base class: a module that can also store its arguments and log nothing."""
    from torch import nn

    class LightningModule(nn.Module):
        def save_hyperparameters(self, *names: Any, **options: Any) -> None:
            del options
            arguments = sys._getframe(1).f_locals
            chosen = names or tuple(arguments)
            kept = {n: arguments[n] for n in chosen if n in arguments and n not in ("self", "__class__")}
            self.hparams = SimpleNamespace(**kept)

        def log(self, *args: Any, **options: Any) -> None:
            del args, options

        log_dict = log

    return LightningModule
