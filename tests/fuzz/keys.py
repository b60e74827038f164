"""Answer keys that were damaged, edited, or put together of parts of others. Not collected by pytest.

    python -m tests.fuzz.keys --seconds 300 --seed 1

A student's softmark, without solutions, judges right and wrong code with such a key. The result must never
be `broken`: what a key that cannot be read would decide is left to be decided.
"""

import io
import json
import random
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from safetensors.torch import load, save

from graders.answer_key.find_keys import find_keys
from graders.course.exercise import Assignment, load_assignment
from graders.grade import Grader
from graders.handout.make_key import make_key
from graders.judging.draws import Draws
from graders.locations import SOLUTIONS_VARIABLE
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from tests.fuzz.fuzzing import fuzz
from tests.fuzz.odd_values import change_json, damage

EXERCISE = "split_heads"
RIGHT = "def split_heads(x, num_heads):\n    return x.unflatten(2, (num_heads, -1)).transpose(1, 2)\n"
WRONG = "def split_heads(x, num_heads):\n    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)\n"


def main() -> None:
    """Tamper with keys until the time is up."""
    with tampering() as made:
        fuzz(made.judge, __doc__)


@dataclass(frozen=True)
class Tampering:
    """A key, and a box for the code that it judges."""

    data: bytes
    assignment: Assignment
    box: Box
    folder: Path

    def judge(self, number: int) -> str:
        """Judge code with a changed key; how it was changed and what the code got."""
        draws = random.Random(number)
        kind = draws.choice(list(KINDS))
        (self.folder / "attention.key").write_bytes(KINDS[kind](draws, self.data))
        file = self.folder / "answers.py"
        code = draws.choice((RIGHT, WRONG))
        file.write_text(code, encoding="utf-8")
        grader = Grader(self.assignment, Draws(1, key=find_keys(1, [self.folder])), self.box)
        [found] = grader.grade(file, "x").exercises
        staff = [found.staff, *(finding.staff for finding in found.findings)]
        outcomes = {found.outcome, *(finding.outcome for finding in found.findings)}
        assert Outcome.BROKEN not in outcomes, (kind, *(text[-500:] for text in filter(None, staff)))
        assert code == WRONG or found.outcome is not Outcome.FAILED, f"{kind}: right code lost points"
        return f"{kind:20} {found.outcome}"


@contextmanager
def tampering(box: Box | None = None) -> Iterator[Tampering]:
    """Keys of one exercise, in this box or the best one."""
    assignment = load_assignment("attention").only([EXERCISE])
    data = make_key(assignment, 1)
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv(SOLUTIONS_VARIABLE, str(Path(name) / "absent"))
        if box is not None:
            yield Tampering(data, assignment, box, Path(name))
            return
        with best(Limits())[0] as own:
            yield Tampering(data, assignment, own, Path(name))


def _change_members(draws: random.Random, data: bytes, change) -> bytes:
    """The key with some of its members changed: `change` gets the name and the content of each."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as key, zipfile.ZipFile(written, "w") as changed:
        for name in key.namelist():
            content = key.read(name)
            content = change(name, content) if draws.random() < 0.4 else content
            if content is not None:
                changed.writestr(name, content)
    return written.getvalue()


def _edited(draws: random.Random, data: bytes) -> bytes:
    def change(name: str, content: bytes) -> bytes:
        if name.endswith(".json"):
            return change_json(draws, content.decode()).encode("utf-8", "surrogatepass")
        return content

    return _change_members(draws, data, change)


def _other_numbers(draws: random.Random, data: bytes) -> bytes:
    def change(name: str, content: bytes) -> bytes:
        if not name.endswith(".safetensors"):
            return content
        tensors = load(content)
        kind = draws.randrange(4)
        for dtype, values in tensors.items():
            if kind == 0:
                tensors[dtype] = values[: len(values) // 2]
            elif kind == 1:
                tensors[dtype] = torch.zeros_like(values)
            elif kind == 2:
                tensors[dtype] = values.to(
                    draws.choice((torch.float32, torch.int64, torch.bool, torch.float16))
                )
            elif values.is_floating_point():
                tensors[dtype] = values * float("nan")
        return save(tensors)

    return _change_members(draws, data, change)


def _exchanged(draws: random.Random, data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as key:
        members = {name: key.read(name) for name in key.namelist()}
    others = {end: [c for n, c in members.items() if n.endswith(end)] for end in (".json", ".safetensors")}

    def change(name: str, content: bytes) -> bytes:
        return content if name == "key.json" else draws.choice(others[f".{name.rpartition('.')[2]}"])

    return _change_members(draws, data, change)


def _left_out(draws: random.Random, data: bytes) -> bytes:
    return _change_members(
        draws, data, lambda name, content: draws.choice((None, b"", damage(draws, content)))
    )


def _other_exercise(draws: random.Random, data: bytes) -> bytes:
    def change(name: str, content: bytes) -> bytes:
        if name != "key.json":
            return content
        listed = json.loads(content)
        change = draws.randrange(4)
        if change == 0:
            listed["exercises"] = {"concat_heads": next(iter(listed["exercises"].values()))}
        elif change == 1:
            listed["assignment"] = draws.choice(("bert", "absent", ""))
        elif change == 2:
            listed["seed"] = draws.choice((1e400, -1, "1", 2**70))
        else:
            listed["format"] = draws.choice((2, 4, None))
        return json.dumps(listed).encode()

    return _change_members(draws, data, change)


KINDS = {
    "damaged bytes": lambda draws, data: damage(draws, data),
    "edited": _edited,
    "other numbers": _other_numbers,
    "exchanged": _exchanged,
    "left out": _left_out,
    "other exercise": _other_exercise,
}


if __name__ == "__main__":
    main()
