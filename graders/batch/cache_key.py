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
from typing import TYPE_CHECKING

from graders import locations
from graders.answer_key.code_digest import imported_modules
from graders.batch.part_record import digest_of, digest_of_seed
from graders.course.outline import AssignmentOutline
from graders.language import Language
from graders.locations import CATALOGUES, GRADERS, WORKER
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.submission.decode import Unreadable
from graders.submission.files import SubmissionBytes, files_below, open_file, rank_in_time
from graders.submission.resource_bounds import bound_resources
from graders.trained import held_out

if TYPE_CHECKING:
    from graders.course.exercise import Assignment  # imports PyTorch

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


def of_run(assignment: "Assignment | AssignmentOutline", settings: Settings) -> str:
    """The digest of all that a run's results depend on, except the submissions."""
    return digest_of(facts_of_run(assignment, settings))


def facts_of_run(assignment: "Assignment | AssignmentOutline", settings: Settings) -> dict[str, str]:
    """What a run's results depend on, by name, so that two runs can be told apart by what differs.

    The seed is secret, so a digest stands for it. A name of several words begins with its kind: `package
    torch`, `limit call_s`, `exercise concat_heads`, `file graders/grade.py`.
    """
    facts = {"python": " ".join(sys.version.split()), "assignment": assignment.name}
    for setting in fields(settings):
        facts[setting.name] = str(getattr(settings, setting.name))
    facts["seed"] = digest_of_seed(settings.seed)
    del facts["limits"]
    facts |= {f"limit {name}": str(value) for name, value in asdict(settings.limits).items()}
    facts["exercises"] = ", ".join(exercise.name for exercise in assignment.exercises)
    for exercise in assignment.exercises:
        # Points and titles are arithmetic: results that exist follow them (`classroom/current_points.py`).
        policy = exercise.speed_policy
        about = repr((policy.full, policy.none) if policy else None)
        if exercise.rule is not None:
            about += f" {held_out.digest(exercise.rule, settings.seed)}"
        facts[f"exercise {exercise.name}"] = f"{about} {exercise.changed}" if exercise.changed else about
    for name, version in sorted({_name_and_version(d) for d in distributions()}):
        other = facts.get(f"package {name}")  # a package may be installed twice
        facts[f"package {name}"] = f"{other}, {version}" if other else version
    folders = _labelled_folders()
    for path in _files(assignment):
        facts[f"file {_label(path, folders)}"] = _short_digest(path.read_bytes())
    return facts


def _labelled_folders() -> dict[str, Path]:
    """The folders of our files by what they are called, the same wherever they lie."""
    *own, shipped = locations.course().folders
    if shipped.package != locations.SHIPPED.package:
        own.append(shipped)
    folders = {f"course/{place}": path for each in own for place, path in each.named}
    of_exercises = {"assignments": shipped.assignments, "solutions": shipped.solutions}
    return {**folders, "graders": GRADERS, "softmark_worker": WORKER, **of_exercises}


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


def _label(path: Path, folders: Mapping[str, Path]) -> str:
    """The name of one of our files, the same wherever these folders lie. Text as paths takes a tenth."""
    text = str(path)
    for name, folder in folders.items():
        if text.startswith(f"{folder}{os.sep}"):
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
    left, ranks = BYTES, rank_in_time(files)
    for file in files:
        name = os.fsencode(file.relative_to(path))
        with open_file(file) as data:
            status = os.fstat(data.fileno())
            digest.update(b"%d:%b%d:%d:" % (len(name), name, status.st_size, ranks.get(file, 0)))
            while block := data.read(min(BLOCK, left)):
                digest.update(block)
                left -= len(block)
            if not left:
                digest.update(b"%d:" % status.st_mtime_ns)


def _files(assignment: "Assignment | AssignmentOutline") -> list[Path]:
    """The files of the exercises, of grading and of the worker, and all of our modules that they import."""
    names, course = [exercise.name for exercise in assignment.exercises], locations.course()
    roots = [GRADERS / "grade.py", *WORKER.glob("*.py"), *(course.checks(name) for name in names)]
    roots += [path for name in names for path in course.solution_files(name)]
    modules = _closure([path for path in roots if path.is_file()], course)
    catalogues = sorted(CATALOGUES.rglob("*.mo"))
    stubs = (course.stub(name) for name in names)
    return [*sorted(modules), *catalogues, *(path for path in stubs if path.is_file())]


def _closure(roots: Iterable[Path], course: locations.Course) -> set[Path]:
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
                waiting += _files_of(module, course)
    return set(map(Path, closure))


def _files_of(module: str, course: locations.Course) -> list[str]:
    """The files of a module, if it is one of softmark's or of the course's."""
    package, *parts = module.split(".")
    if not parts:
        return []
    if package == "solutions":
        return [str(path) for path in course.solution_files(parts[0])]
    own = course.own
    folder = GRADERS if package == "graders" else own.checks if package == own.package else None
    found = "" if folder is None else os.path.join(folder, *parts) + ".py"  # noqa: PTH118
    return [found] if os.path.isfile(found) else []  # noqa: PTH113


@lru_cache(maxsize=512)  # enough for all files: a process that grades again parses only edited ones
def _imports(source: bytes) -> tuple[str, ...]:
    return tuple(imported_modules(_parse_imports(source)))


def _parse_imports(source: bytes) -> ast.Module:
    """At least the imports of a file. To parse all of every file took a fifth of a command's CPU time."""
    if not _FURTHER_RIGHT.search(source):
        with contextlib.suppress(SyntaxError):  # prose that begins like an import, or a bracket in a comment
            return ast.parse(b"\n".join(_LINE.findall(source)))
    return ast.parse(source)
