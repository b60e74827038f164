"""All files of a handout, for each platform, by their names."""

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import metadata, requires, version
from typing import Any

from graders.answer_key.code_digest import BUILT, built_digests
from graders.answer_key.find_keys import SUFFIX
from graders.course import reference
from graders.course.course_file import attempt_policy, late_policy
from graders.course.exercise import Assignment
from graders.handout.course_for_wheel import course_for_wheel
from graders.handout.due_date import describe_due
from graders.handout.notebook_file import as_module, as_notebook
from graders.handout.platform import Platform
from graders.handout.render_texts import render_text
from graders.handout.reproducible_zip import make_zip
from graders.handout.sheet import Sheet, sheet_of
from graders.handout.training_text import NAME as TRAINING_TEXT
from graders.handout.training_text import training_text
from graders.handout.wheel import build_wheel
from graders.language import Language, speaking

Files = dict[str, bytes]
_REPOSITORIES = ("github", "classroom50")


@dataclass(frozen=True)
class Bundle:
    """The handout of an assignment for a platform.

    Attributes:
        softmark: pip's requirement for softmark; None puts softmark's wheel into the handout.
        with_solutions: whether Gradescope's autograder, which students do not see, has the references.
        answer_key: by which students' checks decide what the references would; it lies beside the notebook,
            and beside the files of an autograder.
    """

    assignment: Assignment
    language: Language
    platform: Platform
    softmark: str | None = None
    with_solutions: bool = False
    answer_key: bytes | None = None

    @cached_property
    def sheet(self) -> Sheet:
        """The cells that students get."""
        sheet = sheet_of(self.assignment, self.language, self._prose("start.md").strip())
        if self.platform != "colab":
            return sheet
        return sheet.with_first(self._setting("colab_cell").strip())

    def students(self) -> Files:
        """The files that students get."""
        name = self.assignment.name
        files = {
            f"{name}.ipynb": as_notebook(self.sheet),
            f"{name}.py": as_module(self.sheet),
            "README.md": self._prose("README.md"),
            "requirements.txt": self._setting("requirements.txt", notebooks=True),
        }
        if (text := training_text(self.assignment)) is not None:
            files[TRAINING_TEXT] = text
        if self.platform in _REPOSITORIES:
            files[".gitignore"] = self._setting("gitignore")
            files[".devcontainer/devcontainer.json"] = self._setting("devcontainer.json")
        if self.platform == "github":
            files[".github/workflows/classroom.yml"] = self._setting("classroom.yml")
        return _encode(files) | self._wheels | self._key

    def files(self) -> Files:
        """All files of the platform."""
        parts: dict[Platform, Callable[[], Files]] = {
            "github": self.students,
            "classroom50": self._classroom50,
            "gradescope": self._gradescope,
            "moodle": self._moodle,
            "colab": self._colab,
        }
        return dict(sorted(parts[self.platform]().items()))

    def _classroom50(self) -> Files:
        files = {
            "autograder.py": self._setting("autograder.py"),
            "requirements.txt": self._setting("requirements.txt", notebooks=False),
        }
        return {
            **_under("students", self.students()),
            **_under(f"autograders/{self.assignment.name}", _encode(files) | self._wheels | self._key),
            "README.md": self._prose("classroom50.md").encode(),
        }

    def _gradescope(self) -> Files:
        files = {
            "setup.sh": self._setting("setup.sh"),
            "run_autograder": self._setting("run_autograder"),
            "requirements.txt": self._setting("requirements.txt", notebooks=False),
        }
        solutions = reference.texts() if self.with_solutions else {}
        autograder = _encode(files) | self._wheels | self._key | _under("solutions", _encode(solutions))
        return self._zip | {
            "autograder.zip": make_zip(autograder),
            "README.md": self._prose("gradescope.md").encode(),
        }

    def _moodle(self) -> Files:
        return self._zip | {"README.md": self._prose("moodle.md").encode()}

    def _colab(self) -> Files:
        """The notebook, and a zip of what its first cell installs and what lies beside it on Colab."""
        name, text = self.assignment.name, training_text(self.assignment)
        beside = self._wheels | self._key | _encode({} if text is None else {TRAINING_TEXT: text})
        return {
            f"{name}.ipynb": as_notebook(self.sheet).encode(),
            f"{name}-colab.zip": make_zip(beside),
            "README.md": self._prose("colab.md").encode(),
        }

    @property
    def _zip(self) -> Files:
        name = self.assignment.name
        return {f"{name}.zip": make_zip(_under(name, self.students()))}

    @cached_property
    def _wheels(self) -> Files:
        if self.softmark is not None:
            return {}
        name, data = build_wheel({f"graders/{BUILT}": built_digests(), **course_for_wheel()})
        return {f"wheels/{name}": data}

    @property
    def _key(self) -> Files:
        return {f"{self.assignment.name}{SUFFIX}": self.answer_key} if self.answer_key is not None else {}

    @cached_property
    def _values(self) -> dict[str, Any]:
        trained = [exercise for exercise in self.assignment.exercises if exercise.rule]
        return {
            "assignment": self.assignment,
            "name": self.assignment.name,
            "language": self.language,
            "platform": self.platform,
            "solutions": self.with_solutions,
            "key": self.answer_key is not None,
            "key_megabytes": _megabytes([self.answer_key or b""]),
            "megabytes": _megabytes([self.answer_key or b"", *self._wheels.values()]),
            # The path of the wheel, with the extra that installs the other packages of the course.
            "named": self.softmark,
            "softmark": self.softmark or f"./{next(iter(self._wheels))}[course]",
            "torch": version("torch").partition("+")[0],
            "torch_range": next(r for r in requires("softmark") or () if r.startswith("torch")),
            "python": f"{sys.version_info.major}.{sys.version_info.minor}",
            "least": metadata("softmark")["Requires-Python"].removeprefix(">="),
            "trained": trained[0] if trained else None,
            "late": _late_rule(self.assignment.name),
            "due": _due(self.assignment.name, self.language),
        }

    def _prose(self, name: str) -> str:
        return render_text(f"{self.language}/{name}", self._values)

    def _setting(self, name: str, **values: Any) -> str:
        return render_text(name, self._values | values)


def _late_rule(name: str) -> str:
    """What counts of a repository with late commits; empty where nothing says what is late."""
    if late_policy(name) is None:
        return ""
    return "last_in_time" if attempt_policy(name) == "last_in_time" else "best"


def _due(name: str, language: Language) -> str:
    """When an assignment is due and what lateness costs; empty where nothing says it."""
    policy = late_policy(name)
    with speaking(language):
        return describe_due(policy) if policy else ""


def _megabytes(parts: Iterable[bytes]) -> int:
    return round(sum(map(len, parts)) / 1e6)


def _encode(files: Mapping[str, str]) -> Files:
    return {name: text.encode() for name, text in files.items()}


def _under(folder: str, files: Mapping[str, bytes]) -> Files:
    return {f"{folder}/{name}": data for name, data in files.items()}
