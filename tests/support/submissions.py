"""Submissions and candidates made from text, for tests."""

import re
import textwrap
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.classroom.intake.download import Entry
from graders.classroom.intake.take import take
from graders.course.exercise import Exercise
from graders.extraction.extract import Source, extract, study
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.submission.read import read

SOLUTIONS = Path(__file__).parents[2] / "solutions"

# The command with one exercise of the assignment: the draws of all take seconds.
ONE_EXERCISE = """
from graders.course import exercise
whole = exercise.load_assignment
exercise.load_assignment = lambda name: whole(name).only(["concat_heads"])
from graders.cli.main import main
main()
"""


def entries(folder: Path) -> list[Entry]:
    """The submissions of a class in a folder."""
    with take(folder, "attention", 20, folder / "nowhere", None) as intake:
        return intake.entries


def source_of(folder: Path, code: str, exercise: Exercise, *, with_solutions: bool = False) -> Source:
    """The source of an exercise's symbol in a notebook that says `code`, beside its solution if asked for."""
    if with_solutions:
        (folder / "solutions").mkdir(exist_ok=True)
        _copy_solution(folder / "solutions", exercise.name)
    notebook = new_notebook(cells=[new_code_cell(textwrap.dedent(code), id="cell-1")])
    (folder / "rendu.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8")
    source = extract(study(read(folder)), exercise.symbol, exercise.handed_out)
    assert isinstance(source, Source), source
    return source


def _copy_solution(folder: Path, name: str) -> None:
    """The file of a solution, and those of the solutions that it imports: to read all takes a second."""
    text = (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    for other in re.findall(r"^from solutions\.(\w+) import", text, re.MULTILINE):
        _copy_solution(folder, other)


def failing_checks(
    source: Source, exercise: Exercise, draws: Draws, session: BoxSession, *, first: bool = False
) -> list[str]:
    """The checks that do not hold, without looking for smallest cases; with `first`, the first alone."""
    candidate = RemoteCandidate(session, source)
    candidate.contract = exercise.signatures
    candidate.load()
    assert candidate.problem is None, candidate.problem
    found = []
    for check in exercise.checks:
        if not all(_holds(check, candidate, example) for example in draws.for_check(exercise, check)):
            found.append(check.name)
            if first:
                break
    return found


def _holds(check: Check, candidate: RemoteCandidate, example: Example) -> bool:
    try:
        check.judge(candidate, example.draw, *example.answer)
    except (Violation, Raised, ProcessLost, Undecidable):
        return False
    return True
