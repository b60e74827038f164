"""Which checks each known mistake fails: asked here, without a box; written down in `tests/check_api/`."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.candidate import Raised
from graders.check_api.check import Violation
from graders.check_api.mask_sense import MaskNotTaken
from graders.course.exercise import Exercise
from graders.course.reference import mistakes
from graders.judging.draws import Draws

WRITTEN = Path(__file__).parents[1] / "check_api/costs_of_mistakes.toml"
ASKED = (2, 4)  # draws of each check, beside its longest: the first ones are too simple for many mistakes
# Every exercise here, and of its mistakes every so many: between them they use all that checks are made of.
EVERY = {
    "bert_attention": 4,
    "causal_head": 2,
    "corrupt_spans": 1,
    "cross_attention": 6,
    "estimate_loss": 2,
    "feed_forward": 1,
    "generate": 1,
    "get_batch": 1,
    "gpt_block": 8,
    "greedy_decode": 1,
    "layer_norm": 1,
    "local_attention": 1,
    "minigpt_model": 8,
    "multi_head_attention": 4,
    "plot_heads": 14,
    "receptive_field": 1,
    "residual": 1,
    "seq2seq_model": 8,
}


def chosen_mistakes(exercise: Exercise) -> Iterator[tuple[str, Any]]:
    """Those mistakes of an exercise that are asked, by the last part of their names."""
    known = {
        n: m
        for n, m in mistakes(exercise.name, exercise.symbol).items()
        if n not in exercise.mistakes_of_cost
    }
    for name in [*known][:: EVERY[exercise.name]]:
        yield name.rpartition("__")[2], known[name]


def failed_checks(exercise: Exercise, symbol: Any, draws: Draws) -> set[str]:
    """The checks that code of ours fails, in this process."""
    candidate = LocalCandidate(symbol, partial(draws.mapping_draws, exercise))
    failed = set()
    for check in exercise.value_checks:
        for example in draws.only(ASKED).for_check(exercise, check):
            try:
                check.judge(candidate, example.draw, *example.answer)
            except MaskNotTaken:
                continue
            except (Violation, Raised, Undecidable):
                failed.add(check.name)
                break
    return failed


def read_costs() -> Mapping[str, Mapping[str, tuple[set[str], set[str]]]]:
    """By exercise and mistake: the checks that it fails under every seed, and those under some."""
    tables = tomllib.loads(WRITTEN.read_text("utf-8"))
    return {exercise: {m: _parse(text) for m, text in table.items()} for exercise, table in tables.items()}


def _parse(text: str) -> tuple[set[str], set[str]]:
    names = text.split()
    always = {name for name in names if not name.startswith("(")}
    return always, {name.strip("()") for name in names}


def write_costs(costs: Mapping[str, Mapping[str, tuple[set[str], set[str]]]]) -> str:
    """The text of the file that `read_costs` reads."""
    lines = [
        "# The checks that a known mistake fails: under every seed, and in parentheses under some.",
        "# `python -m tests.maintenance.costs_of_mistakes` writes it, after a check was changed on purpose.",
    ]
    for exercise, table in costs.items():
        lines += ["", f"[{exercise}]"]
        for mistake, (always, sometimes) in table.items():
            names = [*sorted(always), *(f"({name})" for name in sorted(sometimes - always))]
            lines.append(f'{mistake} = "{" ".join(names)}"')
    return "\n".join([*lines, ""])
