"""Judge code that fixes a size at that size: one check fails, for the argument.

The constructor has no argument for the size, or takes one and does nothing with it: the same verdict is due.
"""

import ast
import contextlib
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from graders.candidate.find_binding import count_values, trial_of
from graders.candidate.parameter_mapping.mapping import Shape
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.answer_form import tensors_of
from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.check_api.usual_sizes import FULL, ONE_LENGTH, PER_HEAD, SAME, UsualSize, at_usual_sizes
from graders.course.exercise import Exercise
from graders.judging.draws import Draws
from graders.judging.found_sizes import other_value
from graders.judging.own_sizes import find_own_size
from graders.language import tr, translatable
from graders.results.result import Finding, Outcome
from graders.safe_text import safe_text

LONGEST = 1_500  # characters of a message
NO_ARGUMENT = translatable(
    "your constructor has no argument for {argument}: {symbol}({wanted}) is due, but {symbol}({found}) is "
    "defined"
)


def failed_for_sizes_not_taken(
    exercise: Exercise, candidate: RemoteCandidate, draws: Draws, try_check: Callable[[str], Finding]
) -> dict[UsualSize, Finding]:
    """The sizes for which the constructor has no argument, with the findings of the checks about them.

    A size has the usual value, or the one that the code's matrices show.

    The box says which arguments are not taken, and may lie. That gains nothing: only where the checks about
    the sizes fail are others judged at usual values, as code is that truly has no such arguments.

    Args:
        exercise: with any sizes in its draws.
        candidate: loaded; it is constructed once.
        draws: those of the run.
        try_check: gives the finding of a check by its name, on draws with any sizes.
    """
    if not any(size.is_usual for size in exercise.options.sizes):
        return {}
    configs = [draw.config for draw in draws.diagnostic_draws(exercise)]
    # Code that shares the model's width between the heads refuses one that cannot be shared.
    fitting = {size.fits: size.usual(configs[0]) for size in exercise.options.sizes if size.fits}
    with contextlib.suppress(Exception):  # the checks meet it too, and say so
        candidate.construct(**{**configs[0], **fitting})
    not_taken = [size for size in exercise.options.sizes if size.is_usual and is_absent(size, candidate)]
    findings = {size: try_check(size.check) for size in not_taken}
    if not all(f.outcome.failed_or_raised for f in findings.values()):
        return {}
    values = draws.values_at_sizes(exercise)
    return {find_own_size(size, values, candidate, configs): f for size, f in findings.items()}


def failed_for_sizes_ignored(
    exercise: Exercise, candidate: RemoteCandidate, draws: Draws, findings: Mapping[str, Finding]
) -> dict[UsualSize, Finding]:
    """The sizes that the constructor takes and does nothing with, with the findings of the checks about them.

    It makes the same parameters for another value of the argument, where the reference makes others. Or it
    answers at no other value than the usual one.

    Args:
        exercise: with any sizes in its draws.
        candidate: loaded; it is constructed a few times for each size whose check fails.
        draws: those of the run.
        findings: of all checks by name, on draws with any sizes.
    """
    # Where an exercise is cut to some of its checks, that about a size may be absent.
    about = [size for size in exercise.options.sizes if size.is_usual and size.check in findings]
    failed = [size for size in about if findings[size.check].outcome.failed_or_raised]
    taken = [size for size in failed if not is_absent(size, candidate)]
    if not taken:
        return {}
    given = draws.diagnostic_draws(exercise)
    ignored = [
        size
        for size in taken
        if (
            _is_tied(size, candidate, given[0], exercise, draws)
            if size.fits
            else is_ignored(size, candidate, given[0])
        )
    ]
    values = draws.values_at_sizes(exercise) if ignored else {}
    configs = [draw.config for draw in given]
    found = {find_own_size(size, values, candidate, configs): findings[size.check] for size in ignored}
    return {size: finding for size, finding in found.items() if _shows(size, candidate, given[0].config)}


def _shows(size: UsualSize, candidate: RemoteCandidate, config: Mapping[str, Any]) -> bool:
    """Whether a parameter has the size, or several of it in one: else it is missing with its layer."""
    if size.own or size.fits or size.shared or size.positions or size.ids:
        return True
    value = size.usual(config)
    shapes = candidate.construct(**config).shapes().values()
    return any(axis and axis % value == 0 for shape in shapes for axis in shape)


def is_absent(size: UsualSize, candidate: RemoteCandidate) -> bool:
    """Whether the box says that the constructor has no argument for the size."""
    return candidate.taken.get(size.argument) == ""


def is_ignored(size: UsualSize, candidate: RemoteCandidate, draw: Any) -> bool:
    """Whether the module is the same for another value of the size: not where the code refuses one.

    A number of heads shows in no parameter: the answers have to be the same, or none. A width that goes to
    norms alone counts for nothing where all matrices are of another: then no call answers.

    Args:
        size: one without which the configuration of the draw would be another.
        candidate: it is constructed twice.
        draw: a diagnostic draw.
    """
    values = (draw.config[size.argument], other_value(size, draw.config))
    configs = [{**draw.config, size.argument: value} for value in values]
    try:
        first, second = (candidate.construct(**config).shapes() for config in configs)
    except Raised:
        return False
    if dict(first) != dict(second):
        matrices = [_matrices(shapes) for shapes in (first, second)]
        return bool(matrices[0]) and matrices[0] == matrices[1] and not size.is_usual and not size.shared
    if not size.shared:
        return True
    before, after = (_answer(candidate, config, draw) for config in configs)
    if before is None or after is None:
        return before is after
    return all(map(torch.equal, before, after))


def _matrices(shapes: Mapping[str, Shape]) -> dict[str, Shape]:
    return {name: shape for name, shape in shapes.items() if max(shape, default=1) < math.prod(shape)}


def _is_tied(
    size: UsualSize, candidate: RemoteCandidate, draw: Any, exercise: Exercise, draws: Draws
) -> bool:
    """Whether the code answers, and as widely as is due, only where another size fits this one.

    So does code whose heads are together as wide as the model.
    """
    usual = at_usual_sizes(draw, [size])
    before, after = (_answer(candidate, one.config, one) for one in (draw, usual))
    if before is None or after is None:
        return before is None and after is not None
    is_narrow = not _has_width(before, draw.config[size.fits])
    return (
        is_narrow
        and _has_width(after, usual.config[size.fits])
        and _is_whole(candidate, exercise, draws, size)
    )


def _has_width(answer: list[Tensor], width: int) -> bool:
    return any(one.shape[-1:] == (width,) for one in answer)


def _is_whole(candidate: RemoteCandidate, exercise: Exercise, draws: Draws, size: UsualSize) -> bool:
    """Whether it has all matrices at usual sizes: without a last layer it is wrong at any size."""
    due = draws.at_usual_sizes([size]).mapping_draws(exercise.at_usual_sizes([size]))[:1]
    counts = [count_values(candidate.construct(**answer.draw.config).shapes()) for answer in due]
    return counts == [trial_of(answer).values for answer in due]


def _answer(candidate: RemoteCandidate, config: Mapping[str, Any], draw: Any) -> list[Tensor] | None:
    """The tensors of the answer to a draw in another configuration; None where it raises."""
    try:
        module = candidate.with_random_weights(draw.seed, **config).to(draw.dtype)
        return tensors_of(module(*draw.arguments))
    except (Raised, Violation):
        return None


def judge_sizes(
    sizes: dict[UsualSize, Finding], candidate: RemoteCandidate, try_check: Callable[[str], Finding]
) -> dict[str, Finding]:
    """The findings of the checks about sizes that the code fixes: one fails for each size, and no other.

    Args:
        sizes: with the findings of the checks about them, on draws with any sizes.
        candidate: whose constructor does not take them, or does nothing with them.
        try_check: gives the finding of a check by its name, on draws with the sizes' values.
    """
    told: dict[str, Finding] = {}
    for size, free in sizes.items():
        before = told.get(size.check)
        if before is None:
            told[size.check] = fail_fixed(size, candidate, free, try_check(size.check))
        else:
            another = fail_fixed(size, candidate, free, None).message
            told[size.check] = replace(before, message=f"{before.message}\n{another}")
        if size.own and size.default_check:
            told[size.default_check] = _pass_default(size, try_check(size.default_check))
    return told


def _pass_default(size: UsualSize, finding: Finding) -> Finding:
    message = tr(
        "counts in another check: {argument} is always {formula}",
        argument=size.argument,
        formula=size.formula,
    )
    return replace(finding, outcome=Outcome.PASSED, points=finding.max_points, message=message, case=None)


def fail_fixed(size: UsualSize, candidate: RemoteCandidate, free: Finding, usual: Finding | None) -> Finding:
    """The finding of the check about a size that the code fixes, with what else fails it.

    Args:
        size: the one that is fixed.
        candidate: whose constructor does not take it, or does nothing with it.
        free: the check's finding on draws with any sizes.
        usual: the same on draws with the usual size; None where that is told already.
    """
    symbol = candidate.source.symbol
    names = {
        "argument": size.argument,
        "symbol": symbol,
        "wanted": ", ".join(candidate.contract.get("__init__", ())),
        "found": "..." if (found := _signature(candidate)) is None else found,
        "formula": size.formula,
    }
    if size.limit:
        message = _tell_limit(size)
    elif not size.formula:
        message = tr(NO_ARGUMENT, **names)
    elif not is_absent(size, candidate):
        message = _tell_tied(names) if size.fits else _tell_ignored(names)
    else:
        message = _tell_own(names) if size.own else _tell_usual(names)
    if usual is not None and usual.outcome.failed_or_raised and usual.message:
        message = tr("{message}. With that value: {another}", message=message, another=usual.message)
    return replace(free, outcome=Outcome.FAILED, points=0, message=safe_text(message, LONGEST))


def _tell_limit(size: UsualSize) -> str:
    if size.limit == FULL:
        return tr(
            "your code works only where the input has as many positions as {argument} says, and should take "
            "shorter ones too. All other checks were tried with inputs of this length",
            argument=size.argument,
        )
    if size.limit == SAME:
        return tr(
            "your code works only where {argument} has as many positions as {other}, and should take any "
            "number: look at the lengths by which you reshape queries, keys and values. All other checks "
            "were tried with one length for both",
            argument=size.argument,
            other=size.as_long_as,
        )
    if size.limit == ONE_LENGTH:
        return tr(
            "your code answers inputs of {length} positions alone, and should take others too. All other "
            "checks were tried with inputs of this length",
            length=size.formula,
        )
    if size.limit == PER_HEAD:
        return tr(
            "the heads of your code have the same number of columns whatever it is given: {argument} / "
            "{heads} are due. All other checks were tried with {argument} = {formula}",
            argument=size.argument,
            heads=size.sharing,
            formula=size.formula,
        )
    return tr(
        "your code works only where {argument} gives each head an even width, and should take others too. "
        "All other checks were tried with even widths",
        argument=size.argument,
    )


def _tell_usual(names: Mapping[str, str]) -> str:
    return tr(
        "your constructor has no argument for {argument}: {symbol}({wanted}) is due, but {symbol}({found}) "
        "is defined. All other checks were tried with its usual value, {formula}",
        **names,
    )


def _tell_own(names: Mapping[str, str]) -> str:
    return tr(
        "your constructor has no argument for {argument}: {symbol}({wanted}) is due, but {symbol}({found}) "
        "is defined. All other checks were tried with the value that your code has, {formula}",
        **names,
    )


def _tell_ignored(names: Mapping[str, str]) -> str:
    return tr(
        "your constructor takes {argument} and does nothing with it: whatever it is given, your code makes a "
        "module with {formula} in its place. All other checks were tried with this value",
        **names,
    )


def _tell_tied(names: Mapping[str, str]) -> str:
    return tr(
        "your code answers only where {argument} is {formula}, but any {argument} is allowed: look at the "
        "sizes of your layers. All other checks were tried with this value",
        **names,
    )


def _signature(candidate: RemoteCandidate) -> str | None:
    """The names of the constructor's arguments, as the submission has them; None if they cannot be read."""
    for definition in candidate.source.definitions:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            for statement in ast.walk(ast.parse(definition.code)):
                if isinstance(statement, ast.ClassDef) and statement.name == candidate.source.symbol:
                    return _arguments(statement)
    return None


def _arguments(symbol: ast.ClassDef) -> str | None:
    for method in symbol.body:
        if isinstance(method, ast.FunctionDef) and method.name == "__init__":
            arguments = method.args
            names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)][1:]
            return ", ".join([*names, *(argument.arg for argument in arguments.kwonlyargs)])
    return None
