"""Do once, before any code of a student runs, what every process of a submission would do."""

import contextlib
import gc
import importlib
import os
import tempfile
from collections.abc import Callable, Iterable
from typing import Any

import torch

from softmark_worker import newer_library, no_compiling, without_compiler


def warm_up() -> None:
    """Do once what every process of a submission would do, and leave no thread behind."""
    torch.set_num_threads(1)  # a fork is safe only where no operation ever ran on several threads
    torch.nn.functional.gelu(torch.ones(2, 2, requires_grad=True) @ torch.ones(2, 2)).sum().backward()
    spare_symbolic_shapes()
    no_compiling.run_as_written()
    without_compiler.spare_compiler()
    newer_library.supply()
    gc.enable()
    # A collection in a child would copy the parent's pages. What is garbage now stays with them: to find it
    # takes a tenth of the import.
    gc.freeze()


def import_libraries(names: Iterable[str]) -> None:
    """Import what the code of most submissions will import, before any of them runs.

    Some libraries read settings where they are imported; nobody can have put any into a new folder.
    """
    if not names:
        return
    with contextlib.suppress(OSError), tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ["MPLCONFIGDIR"] = folder
        for name in names:
            with contextlib.suppress(Exception):  # code that needs it will say what is missing
                importlib.import_module(name)
    os.environ.pop("MPLCONFIGDIR", None)
    gc.freeze()


def spare_symbolic_shapes() -> None:
    """Let PyTorch's conditions that hold pass without an import.

    To look whether a condition is true, PyTorch imports its symbolic shapes, and with them SymPy: 0.3 s in
    each process of a submission that hands a key padding mask to one of PyTorch's attentions.
    """
    original = torch._check_with

    def check(error_type: Any, cond: bool | torch.SymBool, message: Callable[[], str]) -> Any:
        return None if cond is True else original(error_type, cond, message)

    torch._check_with = check
