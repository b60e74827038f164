"""Compare verdicts with an answer key and with solutions: `python -m tests.answer_key.same_verdicts NAME`.

All known mistakes are tried in this process, right answers and deviations in the box. Outcomes, points, names
of mistakes and hints must be the same. With names of exercises, these alone are compared. With a folder of
submissions, each of these is graded as a whole instead, with right parts in place of its wrong ones.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch

from graders.answer_key.answer_key import AnswerKey
from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.course.exercise import Assignment, Exercise, load_assignment
from graders.course.reference import mistakes, reference
from graders.course.right_answers import deviations, right_answers
from graders.grade import Grader
from graders.handout.kept_parts import pack_or_read
from graders.handout.make_key import make_key
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.results.result import ExerciseResult
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits

SEED = 1
Compared = tuple[str, Any, Any]  # what was tried, its verdict with solutions, and with the key


def compare_mistakes(exercise: Exercise, live: Draws, keyed: Draws) -> Iterator[Compared]:
    """The verdicts on the reference and on each known mistake."""
    makers: dict[str, Callable[[], Any]] = {"": partial(reference, exercise.name, exercise.symbol)}
    for name in mistakes(exercise.name, exercise.symbol):
        makers[name] = partial(_mistake, exercise, name)
    for name, make in makers.items():
        due = _verdict(exercise, live, make)
        yield name, due, _verdict(exercise, keyed, make)


def compare_files(assignment: Assignment, live: Draws, keyed: Draws, box: Box) -> Iterator[Compared]:
    """The verdicts on the right answers and deviations of an assignment of one exercise."""
    name = assignment.exercises[0].name
    with right_answers(name) as right:
        for path in [*right, *deviations(name)]:
            due = _graded(Grader(assignment, live, box), path)
            kind = "deviations" if path.parent.parent.name == "deviations" else "right"
            yield f"{kind}/{path.stem}", due, _graded(Grader(assignment, keyed, box), path)


def _mistake(exercise: Exercise, name: str) -> Any:
    return mistakes(exercise.name, exercise.symbol)[name]


def _verdict(exercise: Exercise, draws: Draws, make: Callable[[], Any]) -> Any:
    torch.manual_seed(SEED)  # some mistakes draw random numbers
    candidate = LocalCandidate(make(), partial(draws.mapping_draws, exercise))
    outcomes = {check.name: _outcome(exercise, draws, check, candidate) for check in exercise.checks}
    known = draws.known_mistakes(exercise) if set(outcomes.values()) != {"passed"} else None
    again = LocalCandidate(make(), partial(draws.mapping_draws, exercise))
    return outcomes, known.identify(again) if known else ()


def _outcome(exercise: Exercise, draws: Draws, check: Check, candidate: LocalCandidate) -> str:
    if not draws.decidable(exercise, check):
        return "undecided"
    outcome = "passed"
    for example in draws.for_check(exercise, check):
        outcome = _outcome_on(check, candidate, example)
        if outcome in ("Violation", "Raised"):
            break
    return outcome


def _outcome_on(check: Check, candidate: LocalCandidate, example: Example) -> str:
    try:
        check.judge(candidate, example.draw, *example.answer)
    except (Violation, Raised, Undecidable) as failure:
        return type(failure).__name__
    return "passed"


def compare_class(
    assignment: Assignment, live: Draws, keyed: Draws, box: Box, folder: Path
) -> Iterator[Compared]:
    """The verdicts on all exercises of each submission in a folder."""
    for path in sorted(folder.iterdir()):
        due = _results(Grader(assignment, live, box), path)
        found = _results(Grader(assignment, keyed, box), path)
        for name in due:
            yield f"{path.stem} {name}", due[name], found[name]


def _results(grader: Grader, path: Path) -> dict[str, Any]:
    return {result.name: _plain(result) for result in grader.grade(path, path.stem).exercises}


def _graded(grader: Grader, path: Path) -> Any:
    [result] = grader.grade(path, path.stem).exercises
    return _plain(result)


def _plain(result: ExerciseResult) -> Any:
    findings = [(f.check, f.outcome, f.points, f.mistakes) for f in result.findings]
    return result.outcome, result.points, result.undecided_points, findings


def main(name: str, chosen: list[str]) -> None:
    """Print what differs, and how many verdicts are the same."""
    folders = [Path(text) for text in chosen if Path(text).is_dir()]
    exercises = [text for text in chosen if not Path(text).is_dir()]
    assignment = load_assignment(name).only(exercises)
    began = time.process_time()
    data = make_key(assignment, SEED, pack=pack_or_read)
    _say(f"{name}: {len(data):,} bytes, {time.process_time() - began:.0f} s of CPU")
    live, keyed = Draws(SEED), Draws(SEED, key=AnswerKey(data))
    box, _ = best(Limits(call_s=30, later_call_s=30, load_s=60, submission_s=900))
    with box:
        for folder in folders:
            _print(name, [*compare_class(assignment, live, keyed, box, folder)], f"results of {folder}")
        for exercise in assignment.exercises if not folders else ():
            if exercise.rule is None:
                _print(exercise.name, [*compare_mistakes(exercise, live, keyed)], "mistakes")
                one = assignment.only([exercise.name])
                compared = [*compare_files(one, live, keyed, box)]
                _print(exercise.name, compared, "right answers and deviations")


def _print(name: str, compared: list[Compared], what: str) -> None:
    same = [due == found for _, due, found in compared]
    _say(f"{name}: {sum(same)} of {len(same)} {what} the same")
    for tried, due, found in compared:
        if due != found:
            _say(f"  {tried}\n    {due}\n    {found}")


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
