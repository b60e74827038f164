"""Undo the changes that a check and the checked code make to the notebook's process."""

import builtins
import contextlib
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import numpy
import torch
from IPython.utils.capture import capture_output

Value = Any
Setting = tuple[Callable[[], Value], Callable[[Value], object]]
NOTHING = object()


def _folder() -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109 - as `os.chdir` takes it
    except OSError:  # the folder was deleted
        return None


def _set_folder(folder: str | None) -> None:
    if folder is not None:
        os.chdir(folder)


def _deterministic() -> tuple[bool, bool]:
    return (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
    )


def _cudnn() -> tuple[bool, bool]:
    return torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark


def _set_cudnn(value: tuple[bool, bool]) -> None:
    torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = value


def _figures() -> tuple[list[int], int | None]:
    plots = sys.modules.get("matplotlib.pyplot")
    numbers = plots.get_fignums() if plots else []
    return numbers, plots.gcf().number if plots and numbers else None


def _set_figures(value: tuple[list[int], int | None]) -> None:
    """Close the figures that the code opened, or the notebook would show them."""
    plots, (numbers, current) = sys.modules["matplotlib.pyplot"], value
    for number in set(plots.get_fignums()) - set(numbers):
        plots.close(number)
    if plots.fignum_exists(current):
        plots.figure(current)


def _device() -> torch.device:
    # A tenth of the time of `get_default_device`, and an answer also where the code has set `None`.
    return torch.empty(0).device


def _set_device(device: torch.device) -> None:
    # None for the CPU: an explicit default device slows down every call.
    torch.set_default_device(None if device == torch.device("cpu") else device)
    try:
        torch.get_default_device()
    except AttributeError:  # PyTorch 2.6 has no answer after `None`, and the student's code may ask, too
        torch.set_default_device(device)


# How to read and write each setting. During a check, those in `CLEAN` have the values given there.
SETTINGS: dict[str, Setting] = {
    "dtype": (torch.get_default_dtype, torch.set_default_dtype),
    "device": (_device, _set_device),
    "gradients": (torch.is_grad_enabled, lambda on: torch._C._set_grad_enabled(on)),
    "threads": (torch.get_num_threads, torch.set_num_threads),
    "precision": (torch.get_float32_matmul_precision, torch.set_float32_matmul_precision),
    "anomalies": (torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
    "deterministic": (_deterministic, lambda on: torch.use_deterministic_algorithms(on[0], warn_only=on[1])),
    "cudnn": (_cudnn, _set_cudnn),
    "numpy": (numpy.geterr, lambda how: numpy.seterr(**how)),
    "recursion": (sys.getrecursionlimit, sys.setrecursionlimit),
    "figures": (_figures, _set_figures),
    "folder": (_folder, _set_folder),
    "path": (lambda: list(sys.path), lambda path: sys.path.__setitem__(slice(None), path)),
}
CLEAN: dict[str, Value] = {
    "dtype": torch.float32,
    "gradients": True,
    "threads": 1,  # draws are small: more threads would be slower
    "precision": "highest",
    "anomalies": False,
}


@contextlib.contextmanager
def restore_state(namespace: MutableMapping[str, Any]) -> Iterator[None]:
    """After the block, random generators, settings and names are as before it, whatever happened inside.

    Inside, settings are those of a new interpreter, as in the box.
    """
    names, settings, generators = dict(namespace), _read(), _generator_states()
    try:
        with _clean_contexts():
            _apply(CLEAN)
            torch.default_generator.manual_seed(0)
            random.seed(0)
            numpy.random.seed(0)
            yield
    finally:
        _apply(settings)
        _restore_generators(generators)
        _restore_names(namespace, names)


def isolating_calls() -> Callable[[], contextlib.AbstractContextManager[None]]:
    """A context for calls: after each, process-wide settings are as they are now; the checks use them, too.

    They are read once, and not before each call, which costs a tenth of a check. Only whether gradients are
    on may differ from call to call by what softmark does.
    """
    settings = _read()

    @contextlib.contextmanager
    def isolate_call() -> Iterator[None]:
        now, person_input = settings | {"gradients": torch.is_grad_enabled()}, builtins.input
        builtins.input = _refuse_input
        try:
            with warnings.catch_warnings():
                yield
        finally:
            builtins.input = person_input
            _apply(now)

    return isolate_call


def _refuse_input(prompt: object = "") -> str:
    raise RuntimeError({"says": "input_waits", "prompt": repr(str(prompt)[:50])})


@contextlib.contextmanager
def _clean_contexts() -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(torch.autocast("cpu", enabled=False))
        if _device() != torch.device("cpu"):  # slows down every call: only where needed
            stack.enter_context(torch.device("cpu"))
        stack.enter_context(_default_style())
        stack.enter_context(capture_output(stdout=False, stderr=False))  # hides what the code displays
        yield


@contextlib.contextmanager
def _default_style() -> Iterator[None]:
    """Matplotlib's default style: our pictures must not depend on the person's style."""
    matplotlib = sys.modules.get("matplotlib")
    if matplotlib is None:
        yield
        return
    defaults = matplotlib.rcParamsDefault.items()
    style = {k: v for k, v in defaults if "backend" not in k and k != "interactive"}
    with matplotlib.rc_context(style):
        yield


def _read() -> dict[str, Value]:
    return {name: read() for name, (read, _) in SETTINGS.items()}


def _apply(values: dict[str, Value]) -> None:
    for name, value in values.items():
        read, write = SETTINGS[name]
        if read() != value:
            write(value)


def _generator_states() -> list[tuple[Callable[[Any], object], Any]]:
    """The states of all random generators, each with the function that sets it."""
    states: list[tuple[Callable[[Any], object], Any]] = [
        (random.setstate, random.getstate()),
        (numpy.random.set_state, numpy.random.get_state()),
        (torch.set_rng_state, torch.get_rng_state()),
    ]
    if torch.cuda.is_initialized():
        states.append((torch.cuda.set_rng_state_all, torch.cuda.get_rng_state_all()))
    if torch.backends.mps.is_available():
        states.append((torch.mps.set_rng_state, torch.mps.get_rng_state()))
    # Where CUDA has not started, PyTorch keeps the last seed until it does.
    pending = vars(torch.cuda._lazy_seed_tracker)
    return [*states, (pending.update, dict(pending))]


def _restore_generators(states: list[tuple[Callable[[Any], object], Any]]) -> None:
    for write, state in states:
        write(state)


def _restore_names(namespace: MutableMapping[str, Any], names: dict[str, Any]) -> None:
    for name in namespace.keys() - names.keys():
        del namespace[name]
    for name, value in names.items():
        if namespace.get(name, NOTHING) is not value:
            namespace[name] = value
