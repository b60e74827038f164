"""Odd replies of the box: values that student code may write onto the channel. Not collected by pytest.

    python -m tests.fuzz.replies --seconds 600 --seed 1

Right code answers in a real box, and some of its replies become other values, errors or questions before
the host sees them: whatever the wire can carry. The result must be the submission's own, never `broken`,
within 30 s, and an honest submission after it gets all its points. One case of three is damaged bytes of
frames alone: values or a refusal. `wire.py` does the latter with coverage, where Atheris is installed.
"""

import contextlib
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from graders.course.exercise import Assignment, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome, from_json, to_json
from graders.sandbox import process
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from graders.sandbox.process import StudentProcess
from reports.pages import student_page
from softmark_worker import wire
from softmark_worker.lent_model import QUESTION
from tests.fuzz.fuzzing import fuzz
from tests.fuzz.odd_values import ODD_FLOATS, ODD_TEXTS, damage

EXERCISES = {
    "attention": (
        "scaled_dot_product_attention",
        "concat_heads",
        "multi_head_attention",
        "transformer_block",
    ),
    "foundations": ("cross_entropy", "layer_norm", "self_attention"),
    "efficient": ("local_mask", "lsh_buckets"),
    "minigpt": ("generate", "get_batch", "causal_head"),
}
RIGHT = Path(__file__).parents[2] / "solutions/right"
NUMBERS = (0, 1, -1, 2, 7, 2**31, 2**63, 2**200, -(2**255))
SHAPES = ((), (0,), (1,), (3, 0, 2), (2, 3), (1,) * 16, (7, 5), (1, 1, 4, 4), (40_000,), (2, 3, 4, 5))
PATIENCE_S = 30.0
FRAMES = 500  # damaged ones of a case


@dataclass(frozen=True)
class Judged:
    """Exercises with their draws, a right answer to each, and the box."""

    box: Box
    draws: Draws
    exercises: tuple[tuple[Assignment, Path], ...]
    folder: Path

    def judge(self, number: int) -> str:
        """Judge one case; what it was and how it ended."""
        draws = random.Random(number)
        if number % 3 == 0:
            return _damaged_frames(draws)
        assignment, right = draws.choice(self.exercises)
        [exercise] = assignment.exercises
        start = time.process_time()
        with odd_replies(draws) as changed:
            result = Grader(assignment, self.draws, self.box).grade(right, "x")
        [found] = result.exercises
        outcomes = {found.outcome, *(finding.outcome for finding in found.findings)}
        staff = [found.staff, *(finding.staff for finding in found.findings)]
        told = f"{exercise.name}, {changed[:3]}"
        assert Outcome.BROKEN not in outcomes, (told, *(text[-2_500:] for text in filter(None, staff)))
        assert from_json(to_json(result)) == result, told
        assert student_page.render(result), told
        assert time.process_time() - start < PATIENCE_S, f"{told}: {time.process_time() - start:.0f} s"
        if draws.random() < 0.1:
            [after] = Grader(assignment, self.draws, self.box).grade(right, "y").exercises
            assert after.points == after.max_points, f"{told}: an honest one after it has {after.points}"
        return f"{exercise.name:30} {found.outcome}"


def main() -> None:
    """Answer oddly until the time is up."""
    with judged(EXERCISES) as prepared:
        fuzz(prepared.judge, __doc__)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"peak {peak} MB")  # noqa: T201


@contextmanager
def judged(exercises: dict[str, tuple[str, ...]], box: Box | None = None) -> Iterator[Judged]:
    """Exercises to be judged, in this box or the best one."""
    limits = Limits(call_s=3.0, load_s=10.0)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        own = box or stack.enter_context(best(limits)[0])
        found = [
            (load_assignment(name).only([exercise]), sorted((RIGHT / exercise).glob("*.py"))[0])
            for name, chosen in exercises.items()
            for exercise in chosen
        ]
        yield Judged(own, Draws(1), tuple(found), folder)


@contextmanager
def odd_replies(draws: random.Random) -> Iterator[list[str]]:
    """Within the context, some replies that the host reads are others; what they became."""
    changed: list[str] = []
    often = draws.choice((1.0, 0.5, 0.1, 0.03))
    whole = StudentProcess._ask

    class Wire:
        """The wire with another `parse`: the host's alone, since the box has its own."""

        def __getattr__(self, name: str) -> Any:
            return getattr(wire, name)

        @staticmethod
        def parse(header: Any, body: Any, bounds: wire.Bounds) -> tuple[dict[str, Any], Any]:
            fields, value = wire.parse(header, body, bounds)
            if draws.random() >= often:
                return fields, value
            kind = draws.randrange(12)
            if kind == 0:
                fields["ok"] = not fields["ok"]
            elif kind == 1 and draws.random() < 0.3:
                fields["ok"] = draws.choice((QUESTION, "part", "", "model", 1))
            elif kind == 2:
                fields["ok"], value = False, {
                    "type": odd_reply(draws, 1), "text": odd_reply(draws, 1), "line": odd_reply(draws, 0),
                    "frames": odd_reply(draws, 2), "memory": odd_reply(draws, 0),
                }  # fmt: skip
            elif kind < 5:
                value = odd_reply(draws, 3)
            else:
                value = changed_within(draws, value)
            changed.append(f"{type(value).__name__} {str(value)[:80]!r}")
            return fields, value

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "wire", Wire())
        assert StudentProcess._ask is whole
        yield changed


def odd_reply(draws: random.Random, depth: int) -> Any:
    """Any value that the wire carries."""
    kind = draws.randrange(12 if depth else 9)
    if kind < 3:
        return odd_tensor(draws)
    if kind == 3:
        return draws.choice((None, True, False))
    if kind == 4:
        return draws.choice(NUMBERS)
    if kind == 5:
        return draws.choice(ODD_FLOATS)
    if kind == 6:
        return draws.choice((*ODD_TEXTS, "x" * 100_000))
    if kind == 7:
        return wire.Handle(draws.choice((0, 1, 2, 10**6, 2**70)))
    if kind == 8:
        return wire.Other(draws.choice(ODD_TEXTS), draws.choice(("", "large", "deep", "sparse", "x")))
    items = [odd_reply(draws, depth - 1) for _ in range(draws.choice((0, 1, 2, 2, 3, 40)))]
    if kind == 9:
        return items
    return tuple(items) if kind == 10 else {draws.choice(ODD_TEXTS): item for item in items}


def odd_tensor(draws: random.Random) -> Tensor:
    """A tensor of any shape and dtype that the wire carries."""
    dtype = draws.choice(list(wire.DTYPES.values()))
    shape = draws.choice(SHAPES)
    value = draws.choice((0.0, 1.0, -1.0, float("nan"), float("inf"), 1e30, 300.0))
    if dtype.is_floating_point:
        return torch.full(shape, value, dtype=torch.float64).to(dtype)
    return torch.full(shape, value if abs(value) <= 100 else 0).to(dtype)


def changed_within(draws: random.Random, value: Any) -> Any:
    """The value with another one somewhere in it."""
    if isinstance(value, list | tuple) and value and draws.random() < 0.8:
        place = draws.randrange(len(value))
        items = [changed_within(draws, item) if at == place else item for at, item in enumerate(value)]
        return items if type(value) is list else tuple(items)
    if isinstance(value, dict) and value and draws.random() < 0.8:
        key = draws.choice(list(value))
        if draws.random() < 0.15:
            return {name: item for name, item in value.items() if name != key}
        return {name: changed_within(draws, item) if name == key else item for name, item in value.items()}
    if isinstance(value, Tensor) and draws.random() < 0.7:
        return _changed_tensor(draws, value)
    return odd_reply(draws, 2)


def _changed_tensor(draws: random.Random, value: Tensor) -> Tensor:
    kind = draws.randrange(7)
    if kind == 0 and value.numel():
        changed = value.clone().flatten()
        changed[draws.randrange(len(changed))] = 1 if value.dtype is torch.bool else draws.choice((0, 1, 100))
        return changed.reshape(value.shape)
    if kind == 1:
        return value.to(draws.choice(list(wire.DTYPES.values())))
    if kind == 2:
        return value.unsqueeze(draws.randrange(value.dim() + 1)) if value.dim() < wire.AXES_LIMIT else value
    if kind == 3:
        return value.flatten()
    if kind == 4 and value.dim():
        return value[:0]
    if kind == 5 and value.is_floating_point():
        return value * draws.choice((float("nan"), float("inf"), 1e30, -1.0, 0.0))
    return value.repeat([2] * value.dim())


def _damaged_frames(draws: random.Random) -> str:
    for _ in range(FRAMES):
        pieces = wire.reply("0123456789abcdef" * 2, draws.random() < 0.5, odd_reply(draws, 3))
        frame = b"".join(pieces)
        header, _ = wire.PREFIX.unpack(frame[: wire.PREFIX.size])
        text, body = frame[wire.PREFIX.size :][:header], frame[wire.PREFIX.size + header :]
        if draws.random() < 0.8:
            text = damage(draws, text)
        if draws.random() < 0.3:
            body = damage(draws, body)
        start = time.process_time()
        with contextlib.suppress(wire.BadFrame):
            wire.parse(text, body, wire.REPLY)
        assert time.process_time() - start < 5, f"{text[:200]!r}"
    return "damaged frames"


if __name__ == "__main__":
    main()
