"""The reference and PyTorch's own way as sources for the box, taken from their files like a submission's."""

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
def of_reference(name: str, symbol: str) -> Source | None:
    """The reference, with all that it imports of other solutions; None where there is none."""
    folder = locations.solutions()
    if folder is None or not (folder / f"{name}.py").is_file():
        return None
    files: dict[str, File] = {}
    waiting = [name]
    while waiting:
        module = waiting.pop()
        data = (folder / f"{module}.py").read_bytes()
        files[module] = decode(f"solutions/{module}.py", data)[0]
        waiting += [other for other in _solutions_in(data) if other not in files]
    return _source(tuple(files.values()), symbol)


@cache
def of_torch(exercise: Exercise) -> Source | None:
    """What the exercise's checks file calls `fused` or `Fused`; None where it has no such thing."""
    path = CHECKS / f"{exercise.name}.py"
    files = (decode(path.name, path.read_bytes())[0],)
    return next((found for name in FUSED if (found := _source(files, name)) is not None), None)


def _source(files: tuple[File, ...], symbol: str) -> Source | None:
    found = extract(study(Submission("ours", files, "", (), ())), symbol, None)
    return found if isinstance(found, Source) else None


def _solutions_in(data: bytes) -> list[str]:
    nodes = [node for node in ast.walk(ast.parse(data)) if isinstance(node, ast.ImportFrom) and node.module]
    names = [str(node.module) for node in nodes]
    return [name.removeprefix("solutions.") for name in names if name.startswith("solutions.")]
