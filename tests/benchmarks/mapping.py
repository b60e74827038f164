"""What it costs to match parameters: CPU seconds of a search for each style and for whole models.

    .venv/bin/python -m tests.benchmarks.mapping [STYLES]

Everything runs in this process, without a box; the draws and the reference's answers are made before. STYLES
is the number of styles that are tried, by default all.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.check import Violation
from graders.course.exercise import Exercise, load_assignment
from graders.course.reference import reference
from graders.judging.draws import Draws
from tests.candidate import attention_styles as styles
from tests.candidate.shuffled_names import shuffled

WHOLE = (("bert", "bert_model"), ("gpt", "gpt_model"))


def measure(draws: Draws, exercise: Exercise, make: Callable[..., Any]) -> tuple[float, str]:
    """The CPU seconds of one search, and how it ended."""
    answers = draws.mapping_draws(exercise)
    candidate = LocalCandidate(make, partial(draws.mapping_draws, exercise))
    module = candidate.construct(**answers[0].draw.config)
    before = time.process_time()
    try:
        candidate.mapper.fit(answers[0], module.shapes(), module.frozen)
    except Violation:
        return time.process_time() - before, "no mapping"
    mapping = candidate.mapper.mapping
    return time.process_time() - before, "proven" if mapping and mapping.proven else "not proven"


def main() -> None:
    """Print a line for each style."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else None
    draws = Draws(1)
    exercises = {e.name: e for a in ("attention", "bert", "gpt") for e in load_assignment(a).exercises}
    attention = exercises["multi_head_attention"]
    for style in (*styles.RIGHT, *styles.LACKING, *styles.WRONG, styles.Short)[:most]:
        seconds, ended = measure(draws, attention, style)
        sys.stdout.write(f"{style.__name__:18} {seconds:6.2f} s  {ended}\n")
    for _, name in WHOLE[:most]:
        whole = reference(name, exercises[name].symbol)
        seconds, ended = measure(draws, exercises[name], partial(_shuffled, whole))
        sys.stdout.write(f"{name:18} {seconds:6.2f} s  {ended}\n")


def _shuffled(whole: Any, **sizes: int) -> Any:
    return shuffled(whole(**sizes), 1)


if __name__ == "__main__":
    main()
