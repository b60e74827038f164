"""What a class of hostile submissions costs, and that the honest ones among them lose nothing.

    .venv/bin/python -m tests.benchmarks.hostile_class [HOSTILE [HONEST]]

Half of the hostile ones are attacks of the corpus, as they are; the other half do harm in every exercise.
They are graded at the default limits by two processes. For each: `own`, the seconds of its processes' own
time; `host`, the CPU seconds of the process that grades; together how long a worker is held on an idle
machine. `wall` is how long it was, here. Then the honest ones are graded again, without the others.
"""

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from graders.batch.grade_all import ClassPlan, grade_all
from graders.classroom.intake.download import Entry
from graders.course.exercise import load_assignment
from graders.judging.draws import Draws
from graders.results.result import Result
from graders.results.store import write_result
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from graders.sandbox.own_time import TimeBudget
from tests.benchmarks.busy import comparable
from tests.benchmarks.line import HANDED_IN
from tests.hostile.corpus import attacks
from tests.support.submissions import entries

HOSTILE, HONEST, JOBS, SEED = 100, 20, 2, 1
FAMILIES = ("exhaust", "forge", "read", "escape")
# What each function does, and each module when it is called.
HARM = {
    "loops": "while True: pass",
    "sleeps": "time.sleep(3600)",
    "is slow": "time.sleep(0.6); return x",
    "is just not late": "time.sleep(2.8); return x",
    "is late in one of three": "time.sleep(random.choice([0, 0, 9])); return x",
    "crashes": "ctypes.string_at(0)",
    "ends": "time.sleep(0.3); os._exit(0)",
    "closes the channel": "os.close(3); time.sleep(9)",
    "prints": "print('x' * 10_000_000)",
    "answers much": "return torch.ones(12 << 20)",
    "works on many threads": "[threading.Thread(target=work).start() for _ in range(50)]; work()",
    "sleeps in a search": "time.sleep(0.05 if x.dtype is torch.float32 else 2.5); return x * 2",
}
TEXT = """
import ctypes, hashlib, os, random, threading, time
import torch
from torch import nn

def work():
    hashlib.pbkdf2_hmac("sha256", b"a", b"b", 1_000_000_000)

def harm(x):
    {harm}

def scaled_dot_product_attention(Q, K, V, mask=None):
    return harm(Q), harm(Q)

def split_heads(x, num_heads):
    return harm(x)

def concat_heads(x):
    return harm(x)

class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.a, self.b, self.c, self.d = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        return harm(x), harm(x)

class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.a, self.b = nn.Linear(embed_dim, ff_dim), nn.Linear(ff_dim, embed_dim)

    def forward(self, x):
        return harm(self.b(self.a(x)))

def causal_mask(seq_len):
    return harm(torch.ones(seq_len, seq_len))

class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, ff_dim, dropout)
        self.first, self.second = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)

    def forward(self, x, mask=None):
        return harm(x)

def count_parameters(model):
    return harm(next(iter(model.parameters())))
"""
SLOWLY = "\ndef slowly():\n    time.sleep({seconds})\n    return 1\n\ndef harm(x, _=slowly()):\n"
LOADS = TEXT.replace("\ndef harm(x):\n", SLOWLY)


@dataclass
class Meter:
    """The time that the submission takes which this process grades now."""

    spendings: list[TimeBudget]
    worked: float = 0.0

    def take(self) -> tuple[float, float]:
        """Own seconds of the submission's processes and CPU seconds of this one, since the last call."""
        own = sum(spending.lost for spending in self.spendings)
        self.spendings.clear()
        before, self.worked = self.worked, time.process_time()
        return own, self.worked - before


METER = Meter([])


def watch_spendings() -> None:
    """From now on `METER` knows what each session's processes take."""
    begin = TimeBudget.__init__

    def noted(self: TimeBudget, *arguments: Any, **more: Any) -> None:
        begin(self, *arguments, **more)
        METER.spendings.append(self)

    TimeBudget.__init__ = noted  # type: ignore[method-assign]


def keep_in(out: Path, entry: Entry, result: Result) -> None:
    """Write a result, and beside it what it took."""
    write_result(out, result)
    (out / entry.id / "took.json").write_text(json.dumps([*METER.take(), result.seconds]), encoding="utf-8")


def harmful() -> Iterator[tuple[str, str]]:
    """Names and texts of submissions that do harm in every exercise."""
    for name, harm in HARM.items():
        yield name, TEXT.format(harm=harm)
    for seconds in (3600, 8, 2.5):
        yield f"loads for {seconds} s", LOADS.format(harm="return x", seconds=seconds)


def hand_in(folder: Path, hostile: int, honest: int) -> tuple[list[Entry], list[Entry]]:
    """The hostile and the honest submissions of a class."""
    texts, corpus = list(harmful()), [a for a in attacks() if a.family in FAMILIES]
    for number in range(hostile):
        path = folder / f"hostile {number:03d}.py"
        if number % 2:
            path.write_text(texts[number // 2 % len(texts)][1], encoding="utf-8")
        else:
            shutil.copy(corpus[number * len(corpus) // hostile].path, path)
    ours = sorted(HANDED_IN.iterdir())
    for number in range(honest):
        source = ours[number % len(ours)]
        target = folder / f"honest {number:03d}{source.suffix}"
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    found = entries(folder)
    return [e for e in found if "hostile" in e.id], [e for e in found if "honest" in e.id]


def main(hostile: int, honest: int) -> None:
    """Grade the class, print what each submission took, compare the honest ones."""
    watch_spendings()
    box, _ = best(Limits())
    level = box.level
    box.close()
    draws, assignment = Draws(SEED), load_assignment("attention")
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder)
        (whole / "class").mkdir()
        bad, good = hand_in(whole / "class", hostile, honest)
        mixed = (
            [e for pair in zip(bad, good, strict=False) for e in pair] + bad[len(good) :] + good[len(bad) :]
        )
        started = time.monotonic()
        for out, todo in ((whole / "with", mixed), (whole / "without", good)):
            keep = partial(keep_in, out)
            plan = ClassPlan(
                assignment=assignment, draws=draws, level=level, limits=Limits(), device="cpu", keep=keep
            )
            for _ in grade_all(todo, plan, JOBS):
                pass
            print(f"{out.name}: {len(todo)} submissions in {time.monotonic() - started:.0f} s on the wall")  # noqa: T201
            started = time.monotonic()
        show(whole / "with", bad, hostile)
        differ = [
            e.id for e in good if comparable(whole / "with", e.id) != comparable(whole / "without", e.id)
        ]
        print(f"honest submissions with another result than without the hostile ones: {differ or 'none'}")  # noqa: T201


def show(out: Path, bad: list[Entry], hostile: int) -> None:
    """Print what the hostile submissions took, the longest first."""
    names = [name for name, _ in harmful()]
    rows = []
    for number, entry in enumerate(bad):
        own, host, wall = json.loads((out / entry.id / "took.json").read_text(encoding="utf-8"))
        rows.append(
            (own + host, own, host, wall, names[number // 2 % len(names)] if number % 2 else entry.id)
        )
    rows.sort(reverse=True)
    for both, own, host, wall, name in rows[:25]:
        print(f"{both:7.1f} s held: own {own:5.1f} host {host:5.1f}, here {wall:6.1f} s on the wall  {name}")  # noqa: T201
    print(f"together {sum(row[0] for row in rows):.0f} s for {hostile}, at most {rows[0][0]:.1f}")  # noqa: T201


if __name__ == "__main__":
    asked = [int(word) for word in sys.argv[1:]]
    main(*(asked + [HOSTILE, HONEST][len(asked) :]))
