"""Tell code whose constructor loads pretrained weights, which are not there: a person has to look at it."""

import ast
import contextlib
from collections.abc import Iterator, Sequence

from graders.candidate.remote_candidate import RemoteCandidate
from graders.course.exercise import Exercise
from graders.judging import score
from graders.language import tr
from graders.results.result import ExerciseResult, Finding, Outcome

LOADERS = {
    *("from_pretrained", "hf_hub_download", "snapshot_download", "load_state_dict_from_url", "urlretrieve"),
}


def judge_pretrained(
    exercise: Exercise, candidate: RemoteCandidate, findings: Sequence[Finding]
) -> ExerciseResult | None:
    """The result of code that never answers and loads pretrained weights; None of other code."""
    if not findings or not all(f.outcome.stopped for f in findings) or not _loads(candidate):
        return None
    message = tr(
        "your constructor loads pretrained weights, which are not to be had here: your instructor decides"
    )
    return score.unjudged_result(exercise, Outcome.SKIPPED, message, candidate.source.definitions)


def _loads(candidate: RemoteCandidate) -> bool:
    """Whether the constructor itself calls what loads weights: a method that offers it does not count."""
    calls = (node.func for node in _constructor(candidate) if isinstance(node, ast.Call))
    return any(isinstance(f, ast.Attribute | ast.Name) and _name(f) in LOADERS for f in calls)


def _constructor(candidate: RemoteCandidate) -> Iterator[ast.AST]:
    symbol, statements = candidate.source.symbol, [*_statements(candidate)]
    values = [s.value for s in statements if isinstance(s, ast.Assign) and _binds(s, symbol)]
    names = {symbol, *(_name(v) for v in values if isinstance(v, ast.Attribute | ast.Name))}
    for kind in statements:
        for method in kind.body if isinstance(kind, ast.ClassDef) and kind.name in names else ():
            if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                yield from ast.walk(method)


def _binds(statement: ast.Assign, symbol: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == symbol for target in statement.targets)


def _statements(candidate: RemoteCandidate) -> Iterator[ast.stmt]:
    for definition in candidate.source.definitions:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            yield from ast.parse(definition.code).body


def _name(function: ast.Attribute | ast.Name) -> str:
    return function.attr if isinstance(function, ast.Attribute) else function.id
