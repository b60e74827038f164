"""Secrets that attacks look for: random tokens in every place where a grader's machine has something to hide.

Each place has its own token, so that a test can say from where a leaked token came.
"""

import base64
import contextlib
import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import torch

from graders.locations import SOLUTIONS_VARIABLE
from graders.results.result import Result
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.session import BoxSession
from tests.hostile.corpus import reduced
from tests.support.submissions import SOLUTIONS, source_of

PATTERN = re.compile(r"softmark-token-[0-9a-f]{32}|[0-9a-f]{32}-nekot-kramtfos")
# What an attack prints where a forbidden step succeeds. In the attack's own code no word follows it.
HARM = re.compile(r"softmark-harm: [^\n\"']*")
TRACE = "softmark-trace"  # the name with which every file begins that an attack leaves
BYSTANDER = Path(__file__).parent / "bystander.py"
NEIGHBOUR = """
import os, socket, tempfile, threading
SECRET = "{token}"
os.environ["SECRET"] = SECRET
KEPT = []

def hide():
    folder = ""
    try:
        folder = tempfile.mkdtemp(prefix="softmark-neighbour-")
        with open(os.path.join(folder, "notes.txt"), "w") as file:
            file.write(SECRET)
    except OSError:
        pass  # there is no scratch folder at this isolation level
    KEPT.append(threading.Thread(target=threading.Event().wait, name=SECRET, daemon=True))
    KEPT[0].start()
    return folder

FOLDER = hide()

def concat_heads(x):
    return SECRET, FOLDER
"""


@dataclass(frozen=True)
class Planted:
    """The planted tokens by place, a folder in which no attack may write, and environment variables."""

    tokens: dict[str, str] = field(default_factory=dict)
    home: Path = Path()
    environment: dict[str, str] = field(default_factory=dict)

    @contextlib.contextmanager
    def in_environment(self) -> Iterator[None]:
        """Have the variables in this process; afterwards they are as before, since other tests read them."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self.environment.items():
                patch.setenv(name, value)
            yield

    def token(self, place: str) -> str:
        """A new token for a place."""
        self.tokens[place] = f"softmark-token-{secrets.token_hex(16)}"
        return self.tokens[place]

    def found_in(self, *texts: str) -> set[str]:
        """The places whose tokens are in `texts`, as they are or encoded."""
        whole = "\n".join(texts)
        places = {place for place, token in self.tokens.items() if any(c in whole for c in _codes(token))}
        return places or {f"unknown: {m.group()}" for m in [PATTERN.search(whole)] if m}

    def written(self) -> list[str]:
        """The names of the files in the folder."""
        return sorted(path.name for path in self.home.iterdir())


@contextlib.contextmanager
def plant_secrets(folder: Path, level: IsolationLevel) -> Iterator[Planted]:
    """Plant all secrets, those of the environment where `in_environment` is asked for."""
    home = folder / "softmark-home"
    plants = Planted(home=home)
    (home / "build").mkdir(parents=True)
    (home / "build" / "answers.py").write_text(f"ANSWER = '{plants.token('a build folder')}'\n")
    plants.environment[SOLUTIONS_VARIABLE] = str(_solutions(folder, plants))
    plants.environment["SOFTMARK_KEY"] = plants.token("the host's environment")
    kept = [plants.token("the host's memory")]
    with _bystander(plants), _neighbour(folder, plants, level):
        yield plants
    kept.clear()


def shown_numbers(result: Result) -> str:
    """The numbers that the result shows of tensors, read as text: a token may hide in them."""
    views = [
        view
        for exercise in result.exercises
        for finding in exercise.findings
        if finding.case
        for view in (finding.case.actual, finding.case.expected)
        if view
    ]
    return "\n".join("".join(map(_character, view.values)) for view in views)


def _character(value: float | str) -> str:
    # NaN, infinities and numbers that are no character become spaces.
    return chr(int(value)) if isinstance(value, float | int) and 0 <= value < 0x110000 else " "


def _codes(token: str) -> list[str]:
    """The token's secret half in several encodings. Two thirds of it are enough to recognise the token."""
    secret = token[-32:]
    base64_forms = [base64.b64encode(b"." * shift + secret.encode()).decode()[4:-8] for shift in range(3)]
    return [secret[:22], secret[-22:], secret[::-1][:22], secret.encode().hex(), *base64_forms]


def _solutions(folder: Path, plants: Planted) -> Path:
    """A copy of the solutions with a token in the docstring of every file."""
    copy = folder / "softmark-solutions"
    copy.mkdir()
    for path in SOLUTIONS.glob("*.py"):
        token, text = plants.token(f"solutions/{path.name}"), path.read_text(encoding="utf-8")
        assert text.startswith('"""'), path
        (copy / path.name).write_text(f'"""{token}\n{text[3:]}', encoding="utf-8")
    return copy


@contextlib.contextmanager
def _bystander(plants: Planted) -> Iterator[None]:
    places = ("a file", "a deleted file", "a memory file", "shared memory")
    servers = ("a TCP server", "a socket file", "an abstract socket")
    arguments = [plants.token(place) for place in (*places, *servers)]
    arguments.append(plants.token("a command line"))
    environment = {
        "SECRET": plants.token("a program's environment"),
        SOLUTIONS_VARIABLE: plants.environment[SOLUTIONS_VARIABLE],
        "PATH": os.environ.get("PATH", ""),
    }
    with subprocess.Popen(
        [sys.executable, str(BYSTANDER), str(plants.home), *arguments],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield
        process.stdin.close()


@contextlib.contextmanager
def _neighbour(folder: Path, plants: Planted, level: IsolationLevel) -> Iterator[None]:
    """Another submission, running in its own box during the attack."""
    code = NEIGHBOUR.format(token=plants.token("a neighbour"))
    (folder / "neighbour").mkdir()
    exercise = reduced("concat_heads").exercises[0]
    source = source_of(folder / "neighbour", code, exercise)
    with Box(level, Limits(call_s=30.0, load_s=30.0, submission_s=3600.0)) as box, BoxSession(box) as session:
        session.open(source)
        token, scratch = session.ask("call", [None, [torch.ones(1)], {}], 30.0).value
        assert token == plants.tokens["a neighbour"]
        yield
        session.close()
    if level is IsolationLevel.OPEN:
        shutil.rmtree(scratch)
