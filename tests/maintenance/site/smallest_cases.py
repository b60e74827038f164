"""The smallest case of each known mistake, as the site shows it.

    .venv/bin/python -m tests.maintenance.site.smallest_cases [EXERCISE ...]

To look for all of them takes minutes, so they are kept in `smallest/`, a file for each exercise. Without a
name those are added that are missing; cases of an exercise that is named are all looked for again. Each
mistake is tried in this process on the checks of its exercise, that which compares what is computed first,
and its case is made smaller as for a student. `tests/repository/test_mistake_pages.py` says where one is
missing or is no longer true.
"""

import json
import math
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from graders.check_api.compare import Violation
from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.course.reference import mistakes
from graders.judging.case_view import case_of
from graders.judging.draws import Draws
from graders.language import LANGUAGES, speaking
from graders.results.case import Case, Reach, TensorView
from graders.safe_text import safe_text
from reports.case_text import input_lines
from tests.maintenance.cases_shown import SEED, Found, NotShown, find_failure

FOLDER = Path(__file__).parent / "smallest"
DIGITS = 4  # of a number, unless the two that differ most are alike then
MOST = 256  # numbers of a tensor
Kept = dict[str, Any]


def all_exercises() -> Iterator[Exercise]:
    """Each exercise of the course once."""
    seen = set[str]()
    for assignment in assignment_names():
        for exercise in load_assignment(assignment).exercises:
            if exercise.name not in seen:
                seen.add(exercise.name)
                yield exercise


def make_cases(exercise: Exercise, draws: Draws, only: Sequence[str] = ()) -> dict[str, Kept | None]:
    """What is kept of each known mistake of an exercise; None where no check has a case of it.

    Args:
        exercise: the exercise.
        draws: those of a run.
        only: the mistakes that are tried, without the name of the symbol; all where there are none.
    """
    kept: dict[str, Kept | None] = {}
    for name, symbol in mistakes(exercise.name, exercise.symbol).items():
        short = name.partition("__")[2]
        if not only or short in only:
            torch.manual_seed(SEED)  # some mistakes draw random numbers
            kept[short] = None if exercise.rule else _find_case(exercise, draws, symbol)
    return kept


def read_cases(exercise: str) -> dict[str, Kept | None]:
    """What is kept of the known mistakes of an exercise."""
    path = FOLDER / f"{exercise}.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def as_case(kept: Kept) -> Case:
    """The case, without its inputs, which are kept as lines."""
    expected, actual = (kept.get(name) and _as_view(kept[name]) for name in ("expected", "actual"))
    worst = tuple(kept["worst"]) if "worst" in kept else None
    reach = Reach(kept["reach"][0], tuple(kept["reach"][1]), kept["reach"][2]) if "reach" in kept else None
    return Case("", (), expected, actual, worst, reach)


def _find_case(exercise: Exercise, draws: Draws, symbol: Any) -> Kept | None:
    """The case of the first check that compares two tensors, else of the first that fails."""
    others = list[Found]()
    for check in sorted(exercise.value_checks, key=lambda each: not each.core):
        try:
            found = find_failure(exercise, draws, check, symbol)
        except NotShown:
            continue
        if isinstance(found.failure, Violation) and found.failure.actual is not None:
            return _to_keep(found)
        others.append(found)
    return _to_keep(others[0]) if others else None


def _to_keep(found: Found) -> Kept:
    violation = found.failure if isinstance(found.failure, Violation) else None
    case = case_of(found.example.draw, violation)
    kept: Kept = {"check": found.check.name}
    for language in LANGUAGES:
        with speaking(language):
            given, says = input_lines(case_of(found.example.draw)), safe_text(str(found.fail_again()), 600)
            kept[language] = {"given": [line[:400] for line in given], "says": says}
    for name, view in (("expected", case.expected), ("actual", case.actual)):
        if view is not None and 0 < len(view.values) <= MOST and not view.clipped:
            kept[name] = [list(view.shape), view.dtype, _write(view, case)]
    if case.worst is not None:
        kept["worst"] = list(case.worst)
    if case.reach is not None:
        kept["reach"] = [case.reach.window, list(case.reach.seen), case.reach.answer]
    return kept


def _write(view: TensorView, case: Case) -> list[Any]:
    numbers = [each for each in view.values if not isinstance(each, str)]
    alike = len({_rounded(v) for v in numbers}) < len(set(numbers))
    return [value if isinstance(value, str) or alike else _rounded(value) for value in view.values]


def _rounded(value: float) -> float | int:
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if math.isfinite(short) and short == int(short) else short


def _as_view(kept: list[Any]) -> TensorView:
    shape, dtype, values = kept
    return TensorView(tuple(shape), dtype, tuple(values))


def write_cases(exercise: str, cases: dict[str, Kept | None]) -> None:
    """Write the file of an exercise, a line for each mistake."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(kept, ensure_ascii=False, separators=(',', ':'))}"
        for name, kept in sorted(cases.items())
    ]
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{exercise}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def add_missing(exercise: Exercise, draws: Draws) -> None:
    """Add the mistakes that are new to the file of an exercise, and drop those that are gone."""
    kept = read_cases(exercise.name)
    due = [name.partition("__")[2] for name in mistakes(exercise.name, exercise.symbol)]
    missing = [name for name in due if name not in kept]
    if missing or len(kept) > len(due):
        added = make_cases(exercise, draws, missing) if missing else {}
        write_cases(exercise.name, {name: kept[name] for name in due if name in kept} | added)


def main(names: Sequence[str]) -> None:
    """Write the cases of these exercises again; if none is named, of the mistakes that have none yet."""
    warnings.simplefilter("ignore")
    draws = Draws(SEED)
    for exercise in all_exercises():
        if exercise.name in names:
            write_cases(exercise.name, make_cases(exercise, draws))
        elif not names:
            add_missing(exercise, draws)


if __name__ == "__main__":
    main(sys.argv[1:])
