"""Small results to render, one factory per kind of data."""

import math
from collections.abc import Sequence
from typing import Any

from graders.results.case import Case, Input, TensorView
from graders.results.result import (
    Definition,
    ExerciseResult,
    Finding,
    Mistake,
    Outcome,
    Place,
    Remark,
    Result,
    SubmissionInfo,
)

CODE = '''def concat_heads(x):
    """Join the heads."""
    B, H, S, D = x.shape
    return x.reshape(B, S, H * D)  # the heads are not moved
'''


MISTAKE = Mistake(
    "concat_heads__unmoved",
    "reshape alone mixes the heads: transpose first",
    "reshape seul mélange les têtes : transposez d'abord",
)
COUNTED = "counted where it is: with your own parts in it, the reference's concat_heads fails too"
UNMATCHED = (
    "your instructor decides: the parameters should be "
    + ", ".join(f"W_{n}.{kind} (64, 64)" for n in "qkvo" for kind in ("weight", "bias"))
    + "\nbut they are "
    + ", ".join(f"heads.{n}.projection.{kind} (32, 64)" for n in range(5) for kind in ("weight", "bias"))
)


def tensor(values: Sequence[float | str], *shape: int, dtype: str = "float32") -> TensorView:
    """A tensor with these values, in row-major order."""
    assert len(values) == math.prod(shape)
    return TensorView(shape, dtype, tuple(values))


def case() -> Case:
    """A case whose tensors differ at [0, 1]."""
    return Case(
        text="x (2, 3) float32",
        inputs=(Input("x", "x (2, 3) float32", tensor([1, 2, 3, 4, 5, 6.5], 2, 3)),),
        expected=tensor([0.1, 1.0, 0.2, 0.3, 0.4, 0.5], 2, 3),
        actual=tensor([0.1, 0.67, 0.2, 0.3, 0.4, 0.5], 2, 3),
        worst=(0, 1),
    )


def finding(outcome: Outcome = Outcome.PASSED, **changes: Any) -> Finding:
    """A finding of this outcome with all that belongs to it."""
    values: dict[str, Any] = {
        "check": "undoes_split_heads",
        "outcome": outcome,
        "points": 1 if outcome is Outcome.PASSED else 0,
        "max_points": 1,
        "says": "putting the heads back together undoes taking them apart",
    }
    return Finding(**(values | _MORE.get(outcome, {}) | changes))


def exercise(*findings: Finding, name: str = "concat_heads", **changes: Any) -> ExerciseResult:
    """An exercise with these findings, ended as the last one did."""
    values: dict[str, Any] = {
        "name": name,
        "title": "Joining the heads",
        "outcome": findings[-1].outcome if findings else Outcome.NOT_ATTEMPTED,
        "points": sum(f.points for f in findings),
        "max_points": sum(f.max_points for f in findings) or 2,
        "findings": findings,
        "definitions": (Definition("rendu.ipynb", 9, 3, CODE),) if findings else (),
    }
    return ExerciseResult(**(values | changes))


def result(*exercises: ExerciseResult, id: str = "alice", **changes: Any) -> Result:  # noqa: A002
    """A submission's result; without exercises, one that has every outcome."""
    exercises = exercises or every_outcome()
    values: dict[str, Any] = {
        "assignment": "a made one",
        "title": "Multi-head attention",
        "submission": SubmissionInfo(id, ("rendu.ipynb",), "ab" * 32),
        "graded_at": "2026-11-21T10:00:00Z",
        "versions": {"softmark": "0.1.0", "torch": "2.13.0"},
        "device": "cpu",
        "seed": 1,
        "sandbox": "nested",
        "points": sum(e.points for e in exercises),
        "max_points": sum(e.max_points for e in exercises),
        "undecided_points": sum(e.undecided_points for e in exercises),
        "remarks": (Remark("cell 3 does not run as it stands", "rendu.ipynb", 3, 1),),
        "exercises": exercises,
    }
    return Result(**(values | changes))


def every_outcome() -> tuple[ExerciseResult, ...]:
    """One exercise for each outcome."""
    tried = [
        exercise(
            finding(),
            finding(outcome),
            name=f"exercise_{outcome}",
            title=f"Exercise that ends {outcome.replace('_', ' ')}",
            undecided_points=1 if outcome.undecided else 0,
        )
        for outcome in Outcome
        if outcome not in (Outcome.NOT_ATTEMPTED, Outcome.UNREADABLE)
    ]
    absent = exercise(name="absent", title="Exercise left out", message="there is no concat_heads")
    unread = exercise(
        name="unread",
        title="Exercise in a damaged file",
        message="rendu.ipynb is no JSON",
        outcome=Outcome.UNREADABLE,
    )
    return (*tried, absent, unread)


_PLACE = Place("rendu.ipynb", 9, 6)
_MORE: dict[Outcome, dict[str, Any]] = {
    Outcome.FAILED: {
        "message": "1 of 6 values of the output differ",
        "case": case(),
        "mistake": MISTAKE,
        "output": "debug: torch.Size([2, 3])\n",
    },
    Outcome.RAISED: {
        "message": "RuntimeError: shape '[1, 2, 6]' is invalid for input of size 24",
        "case": Case("x (1, 2, 4, 3) float32"),
        "place": _PLACE,
    },
    Outcome.TIMED_OUT: {"message": "the code was still running after 10 s", "place": _PLACE},
    Outcome.OUT_OF_MEMORY: {"message": "the code asked for more than 2 GB", "case": Case("x (1, 2, 4, 3)")},
    Outcome.SKIPPED: {"message": "decided at hand-in: it needs the reference"},
    Outcome.BROKEN: {
        "message": "softmark itself failed here",
        "staff": 'Traceback (most recent call last):\n  File "checks.py", line 1\nKeyError: <script>',
    },
}
