"""The cost of a check in a notebook, in CPU seconds and in multiples of `import torch`.

    .venv/bin/python -m tests.benchmarks.notebook [ROUNDS [EXERCISE...]]

Cold is the first `%check` of a session, with PyTorch imported; then each exercise is defined anew and checked
again, right and wrong, as its person does. The reference is not there, as in a notebook it is not. "The same
calls" are the checks on their draws alone. The least of the rounds counts.
"""

import contextlib
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable

os.environ["SOFTMARK_SOLUTIONS"] = "/nowhere"

from IPython.core.interactiveshell import InteractiveShell

from graders.locations import SOLUTIONS_VARIABLE

RIGHT = {
    "concat_heads": "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)",
    "multi_head_attention": """
class MultiHeadAttention(torch.nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (torch.nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        b, s, e = x.shape
        q, k, v = (w(x).view(b, s, self.heads, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.transpose(-2, -1) / (e / self.heads) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = scores.softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights
""",
}
WRONG = {"concat_heads": ("x.transpose(1, 2).flatten(2)", "x.reshape(len(x), x.shape[2], -1)")}
WRONG["multi_head_attention"] = ("scores.masked_fill(mask", "scores.masked_fill(~mask")


def cost(work: Callable[[], object], rounds: int = 1) -> tuple[float, float]:
    """The least CPU seconds of this process that `work()` took, and the seconds of the clock."""
    times = []
    for _ in range(rounds):
        cpu, clock = time.process_time(), time.perf_counter()
        work()
        times.append((time.process_time() - cpu, time.perf_counter() - clock))
    return min(times)


def main(rounds: int, exercises: list[str]) -> None:
    """Print a table: what, CPU seconds, seconds, multiples of `import torch`."""
    assert os.environ[SOLUTIONS_VARIABLE] == "/nowhere"
    python = [sys.executable, "-c", "import time, torch; print(time.process_time())"]
    unit = min(float(subprocess.check_output(python)) for _ in range(rounds))
    show("import torch", (unit, 0), unit)
    shell = InteractiveShell.instance()

    def run(cell: str) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            shell.run_cell(cell, store_history=True).raise_error()

    show(
        "%load_ext graders, with PyTorch imported", cost(lambda: run("import torch\n%load_ext graders")), unit
    )
    for name in exercises or RIGHT:
        wrong = RIGHT[name].replace(*WRONG[name])
        run(RIGHT[name])
        show(f"{name}: cold", cost(lambda name=name: run(f"%check {name}")), unit)
        for kind, code in (("right", RIGHT[name]), ("wrong", wrong)):
            run(f"%check {name}")
            again = cost(lambda name=name, code=code: run(f"{code}\n%check {name}"), rounds)
            show(f"{name}: {kind}, warm", again, unit)


def show(label: str, times: tuple[float, float], unit: float) -> None:
    """One line of the table."""
    print(f"{label:46} {times[0]:8.3f} CPU s {times[1]:8.3f} s {times[0] / unit:7.2f}")  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3, sys.argv[2:])
