"""Try forbidden things inside a box, and report those that were not refused."""

import contextlib
import secrets
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graders import locations
from graders.language import tr, translatable
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.isolation.command import environment
from graders.sandbox.isolation.gpu import find_gpu
from graders.sandbox.limits import GB
from graders.sandbox.process import StudentProcess
from graders.sandbox.process_lost import ProcessLost

FORBIDDEN = Path(__file__).with_name("forbidden.py")
SECONDS = 10.0
_READ_ONLY = ("/", "/usr", "/usr/lib", "/etc", "/dev", "/proc", "/env", "/worker")
_SCRATCH = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108
CUDA_SECONDS = 60.0


@dataclass(frozen=True)
class Attempt:
    """A forbidden thing: the function of `forbidden.py`, its argument, what a success means."""

    name: str
    fact: Any
    says: str


def holes(box: Box) -> list[str]:
    """What student code could do in this box and must not; empty where the isolation holds. For staff.

    Raises:
        BoxBroken, OSError, ProcessLost: the box does not work at all.
    """
    problems = []
    with _traps(box) as attempts, box.fork() as child:
        _load(child)
        if _try(child, Attempt("work", box.device, ""), CUDA_SECONDS) is not True:
            return [tr("Python or PyTorch does not work in it")]
        for attempt in attempts:
            result = _try(child, attempt, SECONDS)
            if result:
                problems.append(f"{tr(attempt.says)} ({str(result)[:200]})")
        if not _flood(child, box.limits.output_bytes):
            problems.append(tr("it may print without end"))
    return problems


@contextlib.contextmanager
def _traps(box: Box) -> Iterator[list[Attempt]]:
    """The attempts, with files and servers of the host that are made for them."""
    limits = box.limits
    with tempfile.TemporaryDirectory(prefix="softmark-") as folder, _servers() as address:
        secret = Path(folder) / "secret"
        secret.write_text("secret", encoding="ascii")
        solutions = [path for folder in locations.course().solution_folders for path in folder.glob("*.py")]
        files = [secret, Path(__file__), *sorted(solutions)]
        own = (
            *environment(find_gpu() if box.device == "cuda" else None),
            "PWD",
            "OLDPWD",
            "SHLVL",
            "LC_CTYPE",
        )
        places = [*_READ_ONLY, folder, str(Path.home()), *(() if box.level.scratch else _SCRATCH)]
        yield [
            Attempt(
                "read_files", [str(path) for path in files], translatable("it may read files of this machine")
            ),
            Attempt("read_environment", list(own), translatable("it sees this program's environment")),
            Attempt("connect", [address], translatable("it may connect to other programs")),
            Attempt("fork", None, translatable("it may start processes")),
            Attempt("execute", None, translatable("it may start programs that outlive it")),
            Attempt("signal_others", None, translatable("it may end other processes")),
            Attempt("write_files", places, translatable("it may write outside of its scratch folder")),
            Attempt(
                "take_memory", limits.memory_bytes + GB, translatable("it may take more memory than allowed")
            ),
            Attempt(
                "share_memory",
                max(4 * GB, limits.memory_bytes + limits.shared_bytes + GB),
                translatable("it may share more memory than allowed"),
            ),
            Attempt(
                "start_threads", limits.processes + 8, translatable("it may start more threads than allowed")
            ),
        ]


@contextlib.contextmanager
def _servers() -> Iterator[tuple[int, str]]:
    """Listen on a port and an abstract socket of the host; give their number and name."""
    name = f"softmark-{secrets.token_hex(8)}"
    with socket.socket(socket.AF_INET) as internet, socket.socket(socket.AF_UNIX) as local:
        internet.bind(("127.0.0.1", 0))
        internet.listen()
        local.bind(f"\0{name}")
        local.listen()
        yield internet.getsockname()[1], name


def _load(child: StudentProcess) -> None:
    code = FORBIDDEN.read_text(encoding="utf-8")
    lines = enumerate(code.split("\n"), 1)
    keep = [[number, 0] for number, line in lines if line.startswith(("import", "from", "def"))]
    piece = {"label": "forbidden.py", "file": "forbidden.py", "cell": None, "code": code, "keep": keep}
    source = {"symbol": "attempt", "modules": [{"name": "__main__", "pieces": [piece]}]}
    child.ask("load", [source, "attempt"], SECONDS)


def _try(child: StudentProcess, attempt: Attempt, seconds: float) -> Any:
    answer = child.ask("call", [None, [attempt.name, attempt.fact], {}], seconds)
    return answer.value if answer.ok else None


def _flood(child: StudentProcess, size: int) -> bool:
    try:
        _try(child, Attempt("flood", 4 * size, ""), SECONDS)
    except ProcessLost as lost:
        return lost.outcome is Outcome.FAILED
    return False
