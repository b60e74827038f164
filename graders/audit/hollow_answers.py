"""Answers that have every property of a right one and compute nothing that is asked for.

They are made from the contract: the form, the arguments and the parameters are the reference's, and its
answer says which shape is due. Its values are thrown away or bent. Each is one file, graded as a student's.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from graders.audit.styles.flatten_mistake import flatten_reference
from graders.check_api.properties import first_tensor
from graders.check_api.strategies.module_inputs import Given
from graders.course.exercise import Exercise
from graders.course.reference import reference
from graders.diagnosis.fingerprint import is_behaviour_trial
from graders.language import translatable

NAMES = {  # by KIND of `hollow_code.py`
    "mean": translatable("a mean of what is seen"),
    "own": translatable("each input by itself"),
    "bent": translatable("the right answer, bent"),
}
CODE = Path(__file__).with_name("hollow_code.py")
RIGHT = "right_answer"  # the name of the reference's function or method in the file
ALL, BEFORE, APART = "all", "before", "apart"  # the positions that an output depends on


def hollow_answers(exercise: Exercise, kinds: Iterable[str] = NAMES) -> Iterator[tuple[str, str]]:
    """The name and the text of each hollow answer to an exercise, of these kinds.

    Where the architecture is free, a model whose logits are bent is another model, and none is made.
    """
    is_free = has_free_architecture(exercise)
    mask = exercise.options.mask
    values = {
        "RELATION": _relation(exercise),
        "MASK_AT": mask.place if mask else 0,
        "SENSE": mask.sense.name if mask else "",
    }
    for kind in kinds:
        if not (is_free and kind == "bent"):
            yield NAMES[kind], _write(exercise, {"KIND": kind, **values})


def has_free_architecture(exercise: Exercise) -> bool:
    """Whether a class may be built in any way: no core check has an answer that is due."""
    is_class = isinstance(reference(exercise.name, exercise.symbol), type)
    return is_class and all(check.answer is None for check in exercise.checks if check.core)


def _write(exercise: Exercise, values: Mapping[str, Any]) -> str:
    tree = flatten_reference(exercise.name, exercise.symbol)
    symbol = next(s for s in tree.body if getattr(s, "name", "") == exercise.symbol)
    if isinstance(symbol, ast.ClassDef):
        _hollow_class(symbol)
    else:
        assert isinstance(symbol, ast.FunctionDef)
        tree.body.append(_hollow_function(tree, symbol))
    body = [*_code_with(values), *tree.body]
    imports = [s for s in body if isinstance(s, ast.Import | ast.ImportFrom)]
    module = ast.Module([*imports, *(s for s in body if s not in imports)], [])
    return f"{ast.unparse(ast.fix_missing_locations(module))}\n"


def _code_with(values: Mapping[str, Any]) -> Iterator[ast.stmt]:
    """The statements of `hollow_code.py` with these values."""
    for statement in ast.parse(CODE.read_text(encoding="utf-8")).body:
        name = ast.unparse(statement.targets[0]) if isinstance(statement, ast.Assign) else ""
        yield ast.parse(f"{name} = {values[name]!r}").body[0] if name in values else statement


def _hollow_class(symbol: ast.ClassDef) -> None:
    """Give a class a forward that throws away what its own one answers."""
    own = next((m for m in symbol.body if isinstance(m, ast.FunctionDef) and m.name == "forward"), None)
    if own is None:
        text = "def forward(self, *given):\n    return hollow(self, super().forward, given)"
        symbol.body += ast.parse(text).body
        return
    names = [a.arg for a in (*own.args.posonlyargs, *own.args.args)][1:]
    symbol.body.append(_calling("forward", own.args, f"hollow(self, self.{RIGHT}, [{', '.join(names)}])"))
    own.name = RIGHT


def _hollow_function(tree: ast.Module, symbol: ast.FunctionDef) -> ast.FunctionDef:
    """The function that throws away what the reference's answers, which gets another name."""
    names = [a.arg for a in (*symbol.args.posonlyargs, *symbol.args.args)]
    hollow = _calling(symbol.name, symbol.args, f"hollow(None, {RIGHT}, [{', '.join(names)}])")
    before, symbol.name = symbol.name, RIGHT
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == before:
            node.id = RIGHT
    return hollow


def _calling(name: str, arguments: ast.arguments, expression: str) -> ast.FunctionDef:
    [function] = ast.parse(f"def {name}():\n    return {expression}").body
    assert isinstance(function, ast.FunctionDef)
    function.args = arguments
    return function


def _relation(exercise: Exercise) -> str:
    """Which positions an output of the reference depends on, without a mask."""
    right, draws = reference(exercise.name, exercise.symbol), exercise.diagnostic_draws(1)
    if not isinstance(right, type) or not draws or is_behaviour_trial(draws[0]):
        return ALL
    draw: Given = draws[0].without_mask()
    if not isinstance(draw.arguments[0], Tensor) or draw.arguments[0].dim() < 2:
        return ALL
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        module = right(**draw.config).eval().to(draw.dtype)
    first, last = (_changed_outputs(module, draw, place) for place in (0, -1))
    if not first or not last:
        return ALL
    return ALL if last[0] else BEFORE if first[-1] else APART


def _changed_outputs(module: Any, draw: Given, place: int) -> list[bool]:
    """At which positions the output is another where the input is at one; [] where it has no positions."""
    x, *others = draw.arguments
    other: Tensor = x.clone()
    value = other[:, place]
    other[:, place] = value.square() + 1 if x.is_floating_point() else (value + 1) % draw.config["vocab_size"]
    with torch.no_grad():
        before, after = (first_tensor(module(each, *others)) for each in (x, other))
    has_positions = before.dim() > 2 and before.shape[1] == x.shape[1]
    return [not torch.equal(before[:, n], after[:, n]) for n in range(x.shape[1])] if has_positions else []
