"""A digest of all from which an exercise's kept work follows: the seed, code, files, packages and processor.

The code is that of the packages that draw, answer and compare, byte by byte. To find out which of their files
an exercise needs would take 0.1 s, and to read them all takes 0.01; where softmark is installed, they stay.
"""

import hashlib
import json
import platform
import sys
from functools import cache

import torch

from graders import locations
from graders.course.exercise import Exercise
from graders.course.reference import texts_below

FORMAT = 1  # of what is kept
CODE = (
    "answer_key",
    "candidate",
    "check_api",
    "course",
    "diagnosis",
    "extraction",
    "judging",
    "language.py",
    "locations.py",
    "results",
    "safe_text.py",
)
"""What of `graders` decides what is kept; so does all of `softmark_worker`."""


def made_from(exercise: Exercise, seed: int | None) -> str:
    """The digest for an exercise of the current course; with no seed, of what is the same under each."""
    facts = [FORMAT, seed, _code(), _machine(), _texts(exercise.name), exercise.symbol, exercise.changed]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


@cache
def _code() -> str:
    whole = hashlib.sha256()
    folders = [*(locations.GRADERS / name for name in CODE), locations.WORKER]
    for place in folders:
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            data = path.read_bytes()
            whole.update(b"%b %d:%b" % (path.name.encode(), len(data), data))
    return whole.hexdigest()


@cache
def _machine() -> list[str]:
    """The versions of what computes, and how this processor computes with floating-point numbers."""
    hypothesis = sys.modules.get("hypothesis")
    return [
        sys.version,
        torch.__version__,
        str(getattr(hypothesis, "__version__", "")),
        platform.machine(),
        torch.backends.cpu.get_cpu_capability(),
        _float_behaviour(),
    ]


def _float_behaviour() -> str:
    """A digest of some sums, products and functions: processors of one kind may choose other kernels."""
    found = hashlib.sha256()
    for dtype in (torch.float32, torch.float64):
        generator = torch.Generator().manual_seed(1)
        x = torch.randn(37, 53, generator=generator, dtype=dtype)
        products = x @ x.T
        for value in (x, products, products.softmax(-1), torch.tanh(x).sum(0), torch.erf(x), x.var(-1)):
            found.update(value.contiguous().numpy().tobytes())
    return found.hexdigest()


@locations.once_per_course
def _texts(name: str) -> str:
    """A digest of the stub, the checks, and the solutions below them.

    In a course of one's own, checks may import others, so that all count; those that softmark ships do not.
    """
    course = locations.course()
    home = course.home(name)
    files = [course.stub(name), course.checks(name)]
    if home.package != locations.SHIPPED.package:
        files += [*sorted(home.checks.glob("*.py")), *sorted(home.solutions.glob("*.py"))]
    texts = [file.read_text(encoding="utf-8") for file in files if file.is_file()]
    return hashlib.sha256(json.dumps([texts, texts_below(name)], sort_keys=True).encode()).hexdigest()
