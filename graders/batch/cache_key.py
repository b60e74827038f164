"""The cache key of a result: a digest of all that the result depends on.

It covers what was handed in, the exercise's files, softmark's own code that grading uses, the settings, and
the installed packages, since a submission may import any of them.
"""

import ast
import contextlib
import hashlib
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from importlib.metadata import Distribution, distributions
from pathlib import Path

from graders import locations
from graders.answer_key.code_digest import imported_modules
from graders.batch.part_record import digest_of, digest_of_seed
from graders.course.exercise import Assignment
from graders.language import Language
from graders.locations import ASSIGNMENTS, CATALOGUES, CHECKS, GRADERS, WORKER
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.submission.decode import Unreadable
from graders.submission.files import SubmissionBytes, files_below, open_file
from graders.submission.resource_bounds import bound_resources
from graders.trained import held_out

BYTES = 100_000_000  # read of one submission; of the rest, only sizes and modification times count
BLOCK = 1 << 20
# What begins like an import, to the end of its brackets, without texts; and what may hide one further right.
_LINE = re.compile(rb"""^[ \t]*((?:from|import)\b[^\n(#;"']*(?:\([^)"']*\))?)""", re.MULTILINE)
_FURTHER_RIGHT = re.compile(rb"[:;][ \t\f]*(?:from|import)\b|\r|\f")
_NAME_OR_VERSION = re.compile(r"^(Name|Version):(.*)$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings that all submissions of a run share, beside the assignment."""

    seed: int
    device: str
    dtype: str
    limits: Limits
    level: IsolationLevel
    timing: int = 0
    timing_full: bool = False
    language: Language = "en"


def of_run(assignment: Assignment, settings: Settings) -> str:
    """The digest of all that a run's results depend on, except the submissions."""
    return digest_of(facts_of_run(assignment, settings))


def facts_of_run(assignment: Assignment, settings: Settings) -> dict[str, str]:
    """What a run's results depend on, by name, so that two runs can be told apart by what differs.

    The seed is secret, so a digest stands for it. A name of several words begins with its kind: `package
    torch`, `limit call_s`, `exercise concat_heads`, `file graders/grade.py`.
    """
    facts = {"python": " ".join(sys.version.split()), "assignment": f"{assignment.name}, {assignment.title}"}
    for setting in fields(settings):
        facts[setting.name] = str(getattr(settings, setting.name))
    facts["seed"] = digest_of_seed(settings.seed)
    del facts["limits"]
    facts |= {f"limit {name}": str(value) for name, value in asdict(settings.limits).items()}
    facts["exercises"] = ", ".join(exercise.name for exercise in assignment.exercises)
    for exercise in assignment.exercises:
        about = repr((exercise.title, exercise.points, exercise.speed_policy))
        if exercise.rule is not None:
            about += f" {held_out.digest(exercise.rule, settings.seed)}"
        facts[f"exercise {exercise.name}"] = about
    for name, version in sorted({_name_and_version(d) for d in distributions()}):
        other = facts.get(f"package {name}")  # a package may be installed twice
        facts[f"package {name}"] = f"{other}, {version}" if other else version
    folders = {"graders": GRADERS, "softmark_worker": WORKER, "assignments": ASSIGNMENTS}
    solutions = locations.solutions()
    folders |= {"solutions": solutions} if solutions else {}
    for path in _files(assignment):
        facts[f"file {_label(path, folders)}"] = _short_digest(path.read_bytes())
    return facts


def _name_and_version(package: Distribution) -> tuple[str, str]:
    # The whole description would be parsed with it: for all packages that took a tenth of a second.
    head = (package.read_text("METADATA") or "").partition("\n\n")[0]
    found = {name: value.strip() for name, value in reversed(_NAME_OR_VERSION.findall(head))}
    if len(found) < 2:  # another format
        metadata = package.metadata  # is read anew at each access
        return metadata["Name"], metadata["Version"]
    return found["Name"], found["Version"]


def _short_digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _label(path: Path, folders: Mapping[str, Path | None]) -> str:
    """The name of one of our files, the same wherever these folders lie. Text as paths takes a tenth."""
    text = str(path)
    for name, folder in folders.items():
        if folder is not None and text.startswith(f"{folder}{os.sep}"):
            return name + text[len(str(folder)) :].replace(os.sep, "/")
    return path.name


def of_submission(run: str, name: str, path: Path) -> str:
    """The key of a submission's result; empty if it cannot be read: then it is graded each time.

    Args:
        run: the digest of the run.
        name: the submission's id.
        path: its file or folder.
    """
    digest = hashlib.sha256(repr((run, name, path.name, path.is_dir())).encode("utf-8", "surrogateescape"))
    try:
        with bound_resources():
            _add(digest, path)
    except (Unreadable, OSError, ValueError):
        return ""
    return digest.hexdigest()


def _add(digest: "hashlib._Hash", path: Path) -> None:
    if path.is_symlink():
        raise OSError("a link is not followed")
    gathered = SubmissionBytes()
    files = files_below(path, gathered) if path.is_dir() else [path]
    digest.update(b"%d %d:" % (len(files), len(gathered.remarks)))
    left = BYTES
    for file in files:
        name = os.fsencode(file.relative_to(path))
        with open_file(file) as data:
            status = os.fstat(data.fileno())
            digest.update(b"%d:%b%d:" % (len(name), name, status.st_size))
            while block := data.read(min(BLOCK, left)):
                digest.update(block)
                left -= len(block)
            if not left:
                digest.update(b"%d:" % status.st_mtime_ns)


def _files(assignment: Assignment) -> list[Path]:
    """The files of the exercises, of grading and of the worker, and all of our modules that they import."""
    names = [exercise.name for exercise in assignment.exercises]
    solutions = locations.solutions()
    roots = [GRADERS / "grade.py", *WORKER.glob("*.py")]
    roots += [CHECKS / f"{name}.py" for name in names]
    packages = {"graders": GRADERS}
    if solutions is not None:
        roots += [path for name in names if (path := solutions / f"{name}.py").is_file()]
        packages["solutions"] = solutions
    modules = _closure(roots, packages)
    catalogues = sorted(CATALOGUES.rglob("*.mo"))
    return [*sorted(modules), *catalogues, *(ASSIGNMENTS / f"{name}.py" for name in names)]


def _closure(roots: Iterable[Path], packages: dict[str, Path]) -> set[Path]:
    """The files, and all modules of these packages that they import. Text as paths takes half the time."""
    closure: set[str] = set()
    known: set[str] = set()
    waiting = list(map(str, roots))
    while waiting:
        path = waiting.pop()
        if path not in closure:
            closure.add(path)
            with open(path, "rb") as file:  # noqa: PTH123
                imported = set(_imports(file.read())) - known
            known |= imported
            for module in imported:
                package, *parts = module.split(".")
                if parts and package in packages:
                    found = os.path.join(packages[package], *parts) + ".py"  # noqa: PTH118
                    waiting += [found] if os.path.isfile(found) else []  # noqa: PTH113
    return set(map(Path, closure))


@lru_cache(maxsize=512)  # enough for all files: a process that grades again parses only edited ones
def _imports(source: bytes) -> tuple[str, ...]:
    return tuple(imported_modules(_parse_imports(source)))


def _parse_imports(source: bytes) -> ast.Module:
    """At least the imports of a file. To parse all of every file took a fifth of a command's CPU time."""
    if not _FURTHER_RIGHT.search(source):
        with contextlib.suppress(SyntaxError):  # prose that begins like an import, or a bracket in a comment
            return ast.parse(b"\n".join(_LINE.findall(source)))
    return ast.parse(source)
