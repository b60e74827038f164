"""The sources of the reference and of PyTorch's own implementation, extracted as a submission's are."""

import ast
from functools import cache

from graders import locations
from graders.course.exercise import Exercise
from graders.extraction.extract import Source, extract, study
from graders.locations import CHECKS
from graders.submission.decode import File, decode
from graders.submission.read import Submission

FUSED = ("fused", "Fused")


@cache
def read_reference_source(name: str, symbol: str) -> Source | None:
    """The reference's source, with the other solutions that it imports; None without solutions."""
    folder = locations.solutions()
    if folder is None or not (folder / f"{name}.py").is_file():
        return None
    files: dict[str, File] = {}
    waiting = [name]
    while waiting:
        module = waiting.pop()
        data = (folder / f"{module}.py").read_bytes()
        files[module] = decode(f"solutions/{module}.py", data)[0]
        waiting += [other for other in _imported_solutions(data) if other not in files]
    return _extract(tuple(files.values()), symbol)


@cache
def read_torch_source(exercise: Exercise) -> Source | None:
    """The source of `fused` or `Fused` in the exercise's checks file; None where it defines neither."""
    path = CHECKS / f"{exercise.name}.py"
    files = (decode(path.name, path.read_bytes())[0],)
    return next((source for name in FUSED if (source := _extract(files, name)) is not None), None)


def _extract(files: tuple[File, ...], symbol: str) -> Source | None:
    source = extract(study(Submission("ours", files, "", (), ())), symbol, None)
    return source if isinstance(source, Source) else None


def _imported_solutions(data: bytes) -> list[str]:
    nodes = [node for node in ast.walk(ast.parse(data)) if isinstance(node, ast.ImportFrom) and node.module]
    names = [str(node.module) for node in nodes]
    return [name.removeprefix("solutions.") for name in names if name.startswith("solutions.")]
