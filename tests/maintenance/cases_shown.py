"""What the smallest case of each known mistake shows: is it one to learn from?

    .venv/bin/python -m tests.maintenance.cases_shown [--table FILE.csv] [--again FILE.csv] [NAME...]

Each known mistake of the exercises, or of those named, is tried in this process on each check. Where a check
fails, its smallest case is looked for as for a student. The table has a line for each pair; the shares of all
pairs are printed, and stand in docs/design/judging.md. For all exercises it takes some minutes.
"""

import argparse
import csv
import itertools
import math
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.course.reference import mistakes
from graders.judging.case_view import case_of
from graders.judging.drawing import further_draws, small_draws
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.judging.plainness import PLAIN, relative_difference
from graders.judging.smallest_failure import Failure, find_smallest
from graders.results.case import Case, TensorView
from reports.case_text import MOST_WRITTEN, answer_lines
from reports.figures import heat_maps
from reports.figures.slices import difference, value_at

SEED = 1


@dataclass(frozen=True)
class Shown:
    """A case that is shown for a known mistake, and how well it can be learnt from.

    Attributes:
        exercise: its name.
        mistake: its name.
        check: that fails.
        relative: the relative difference where expected and actual values differ most; None without these.
        most: the largest on any draw of the ladder and of the check, where that shown is below a tenth.
        heads: of the case; None where it names none.
        batch: of the case; None where no tensor has one.
        numbers: in the largest input.
        plain: whether all inputs are integers, halves or bools.
        digits_differ: whether the values that differ most are written differently, everywhere.
        text: the case in a line.
    """

    exercise: str
    mistake: str
    check: str
    relative: float | None
    most: float | None
    heads: int | None
    batch: int | None
    numbers: int
    plain: bool
    digits_differ: bool
    text: str


def cases(names: Sequence[str]) -> Iterator[Shown]:
    """The case that each check shows on which a known mistake fails."""
    draws, seen = Draws(SEED), set[str]()
    for assignment in assignment_names():
        for exercise in load_assignment(assignment).exercises:
            if exercise.rule is None and exercise.name not in seen and (not names or exercise.name in names):
                seen.add(exercise.name)
                yield from cases_of(exercise, draws)


def cases_of(exercise: Exercise, draws: Draws, only: Sequence[str] = ()) -> Iterator[Shown]:
    """The cases of one exercise, of all its mistakes or of those named `only`."""
    torch.manual_seed(SEED)  # some mistakes draw random numbers
    for mistake, symbol in mistakes(exercise.name, exercise.symbol).items():
        if only and mistake.partition("__")[2] not in only:
            continue
        for check in exercise.value_checks:
            with suppress(NotShown):
                case = case_shown(exercise, draws, check, symbol)
                shown = _describe(exercise, mistake, check, case)
                faint = shown.relative is not None and shown.relative < PLAIN
                most = _most_relative(exercise, draws, check, symbol) if faint else None
                yield replace(shown, most=most)


class NotShown(Exception):
    """The check holds, or its failure is an error."""


@dataclass(frozen=True)
class Found:
    """A known mistake's smallest failure of a check.

    Attributes:
        candidate: the mistake.
        check: that fails.
        example: the smallest draw.
        failure: on it.
    """

    candidate: LocalCandidate
    check: Check
    example: Example
    failure: Exception

    def fail_again(self) -> Exception:
        """The same failure, with its message in the current language."""
        again = _try_on(self.candidate, self.check, self.example)
        return again if isinstance(again, Exception) else self.failure


def case_shown(exercise: Exercise, draws: Draws, check: Check, symbol: Any) -> Case:
    """The smallest case of a mistake on which a check fails.

    Raises:
        NotShown: the check holds, or its failure is an error.
    """
    found = find_failure(exercise, draws, check, symbol)
    if not isinstance(found.failure, Violation):
        raise NotShown
    return case_of(found.example.draw, found.failure)


def find_failure(exercise: Exercise, draws: Draws, check: Check, symbol: Any) -> Found:
    """The smallest failure of a check on a mistake.

    Raises:
        NotShown: the check holds.
    """
    candidate = LocalCandidate(symbol, partial(draws.mapping_draws, exercise))
    try_on: Callable[[Check, Example], Exception | str | None] = partial(_try_on, candidate)
    session = SimpleNamespace(spent=lambda exactly: 0.0, printed="")
    tries: Any = SimpleNamespace(exercise=exercise, draws=draws, session=session, try_on=try_on)
    for example in draws.for_check(exercise, check):
        failure = try_on(check, example)
        if isinstance(failure, Exception):
            return Found(candidate, check, *find_smallest(tries, Failure(check, example, failure, "", None)))
    raise NotShown


def _most_relative(exercise: Exercise, draws: Draws, check: Check, symbol: Any) -> float:
    candidate = LocalCandidate(symbol, partial(draws.mapping_draws, exercise))
    ladders = [draws.ladder(exercise, check, make_draws) for make_draws in (small_draws, further_draws)]
    examples = itertools.chain(*ladders, draws.for_check(exercise, check))
    failures = (_try_on(candidate, check, example) for example in examples)
    differences = [relative_difference(each) for each in failures if isinstance(each, Violation)]
    return max(filter(math.isfinite, differences), default=0.0)


def _try_on(candidate: LocalCandidate, check: Check, example: Example) -> Exception | str | None:
    try:
        remark: str | None = check.judge(candidate, example.draw, *example.answer)
        return remark
    except (Violation, RaisedByStudent, Raised, Undecidable) as failure:
        return failure.with_traceback(None)


def _describe(exercise: Exercise, mistake: str, check: Check, case: Case) -> Shown:
    tensors = {given.name: given.tensor for given in case.inputs if given.tensor is not None}
    first = next(iter(tensors.values()), None)
    heads = next((int(g.expression or 0) for g in case.inputs if g.name == "num_heads"), None)
    if first is not None and len(first.shape) == 4:
        heads = first.shape[1]
    batched = first is not None and (len(first.shape) > 2 or first.dtype.startswith("int"))
    expected, actual = (value_at(view, case.worst) for view in (case.expected, case.actual))
    return Shown(
        exercise.name,
        mistake.partition("__")[2],
        check.name,
        _relative(expected, actual),
        None,
        heads,
        first.shape[0] if batched and first is not None and first.shape else None,
        max((len(view.values) for view in tensors.values()), default=0),
        all(map(_is_plain, tensors.values())),
        expected is None or actual is None or _digits_differ(case),
        case.text,
    )


def _relative(expected: float | str | None, actual: float | str | None) -> float | None:
    if expected is None or actual is None:
        return None
    first, second = float(expected), float(actual)
    if not math.isfinite(first) or not math.isfinite(second):
        return 1.0
    largest = max(abs(first), abs(second))
    return abs(first - second) / largest if largest else 0.0


def _is_plain(view: TensorView) -> bool:
    return all(isinstance(value, str) or float(value) * 2 == int(float(value) * 2) for value in view.values)


def _digits_differ(case: Case) -> bool:
    """Whether the two values that differ most are written differently: in lines, and in pictures."""
    ways = [re.findall(r"(?:expected|yours) ([^\s,]+)", difference(case) or "")]
    ways.append(
        [line.partition(": ")[2] for line in answer_lines(case) if re.match("(expected|yours):", line)]
    )
    if case.expected and max(case.expected.shape[-2:], default=1) <= heat_maps.MAX_PRINTED_SIDE:
        pair = heat_maps.pair(case)
        assert pair is not None
        ways.append([str(re.findall(">([^<>]+)</text>", picture.drawing)) for picture in pair.pictures])
    return all(len(set(way)) == len(way) for way in ways)


def summarize(shown: Sequence[Shown]) -> Iterator[str]:
    """The shares of all pairs."""
    compared = [one for one in shown if one.relative is not None]
    possible = [one for one in compared if one.most is None or one.most >= PLAIN]
    inputs = [one for one in shown if one.numbers]
    yield f"{len(shown)} pairs of a mistake and a failed check, {len(compared)} with both tensors"
    yield _share(f"relative difference of {PLAIN} or more", map(_is_seen, compared))
    yield _share("the same, where some draw has one", map(_is_seen, possible))
    yield _share("values written differently", (one.digits_differ for one in compared))
    yield _share("one head and one sequence", ({one.heads, one.batch} <= {1, None} for one in inputs))
    yield _share("inputs of integers and halves", (one.plain for one in inputs))
    yield _share(f"inputs of at most {MOST_WRITTEN} numbers", (one.numbers <= MOST_WRITTEN for one in inputs))


def _is_seen(one: Shown) -> bool:
    return one.relative is not None and one.relative >= PLAIN


def _share(what: str, each: Iterable[bool]) -> str:
    holds = list(each)
    return f"{what}: {sum(holds)} of {len(holds)}, {sum(holds) / max(1, len(holds)):.1%}"


def main() -> None:
    """Print the shares, and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", type=Path)
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    shown = []
    for one in cases(chosen.names):
        shown.append(one)
        print(f"\r{len(shown)} {one.exercise}", end="", file=sys.stderr) if sys.stderr.isatty() else None  # noqa: T201
    if chosen.table:
        with chosen.table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(Shown)])
            writer.writeheader()
            writer.writerows(map(asdict, shown))
    print(*summarize(shown), sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
