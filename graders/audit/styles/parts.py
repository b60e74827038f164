"""Styles of parts: a whole whose own parts are written otherwise, or are other known answers.

The classes of a whole's parts have no contract. So what other families do to the exercise's class is done
to them too, with the calls that make them. A part that is an exercise may be another right answer to that.
"""

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from graders.audit.styles import configuration, layer_forms, names
from graders.audit.styles.answer_code import (
    AnswerCode,
    Function,
    calls_of,
    find_method,
    insert_in_front,
    names_in,
    parameters_of,
)
from graders.audit.styles.style import Choice, Rewrite, Style, words
from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.course.right_answers import right_answers

NORMS = words("norm_layer norm_class norm_cls norm normalisation LN")
ACTIVATIONS = words("act_layer activation act_class nonlinearity act_fn act")
GIVEN = {"nn.GELU": ACTIVATIONS, "torch.nn.GELU": ACTIVATIONS, "nn.LayerNorm": NORMS}


def of_a_part(rewrite: Rewrite) -> Rewrite:
    """The rewrite of an exercise's class, done to the class of a part, and to the calls that make it."""

    def rewrite_part(code: AnswerCode, choice: Choice) -> bool:
        parts = _parts_of(code)
        if not parts:
            return False
        part = choice.one(parts)
        methods = {name: find_method(part, name) for name in ("__init__", "forward")}
        signatures = {name: tuple(p.arg for p in parameters_of(m)) for name, m in methods.items() if m}
        of_part = replace(code.exercise, symbol=part.name, signatures=signatures)
        return rewrite(replace(code, exercise=of_part), choice)

    return rewrite_part


def _parts_of(code: AnswerCode) -> list[ast.ClassDef]:
    """The classes of parts that have a constructor and are only called: none is inherited or handed on."""
    classes = [s for s in code.tree.body if isinstance(s, ast.ClassDef) and s.name != code.exercise.symbol]
    return (
        [] if code.others else [c for c in classes if find_method(c, "__init__") and _is_only_called(c, code)]
    )


def _is_only_called(part: ast.ClassDef, code: AnswerCode) -> bool:
    reads = [n for n in ast.walk(code.tree) if isinstance(n, ast.Name) and n.id == part.name]
    calls = [call.func for call in calls_of([code.tree], part.name)]
    own = {id(node) for node in ast.walk(part)}
    return bool(calls) and len(reads) == len(calls) and not any(id(node) in own for node in reads)


def use_another_answer(code: AnswerCode, choice: Choice) -> bool:
    """Have another right answer in the place of a part that is an exercise itself."""
    if not code.is_right or code.others:
        return False
    fitting = []
    for part in _parts_of(code):
        for exercise in _exercises_of(part.name):
            if _keeps_the_contract(part, exercise):
                fitting += [(part, exercise, name) for name in _fitting_answers(exercise)]
    if not fitting:
        return False
    part, exercise, name = choice.one(fitting)
    return _put_in_place(code, part, _fitting_answers(exercise)[name])


def _put_in_place(code: AnswerCode, part: ast.ClassDef, text: str) -> bool:
    """Put the definitions of an answer where the part stands; False where a name of theirs is taken."""
    imports: list[ast.stmt] = []
    definitions: list[ast.stmt] = []
    for statement in ast.parse(text).body:
        is_import = isinstance(statement, ast.Import | ast.ImportFrom)
        (imports if is_import else definitions).append(statement)
    bound = {name for s in definitions for name in names_in(*_targets(s))} - {part.name}
    others = [s for s in code.tree.body if s is not part]
    known = {ast.unparse(s) for s in others}
    if bound & names_in(*others):
        return False
    at = code.tree.body.index(part)
    code.tree.body[at : at + 1] = definitions
    insert_in_front(code.tree, [s for s in imports if ast.unparse(s) not in known])
    return True


def _targets(statement: ast.stmt) -> Sequence[ast.AST]:
    """What a statement of a file binds, as nodes that have only these names."""
    if isinstance(statement, ast.ClassDef | ast.FunctionDef):
        return [ast.Name(statement.name)]
    return [n for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


@cache
def _exercises_of(symbol: str) -> tuple[Exercise, ...]:
    """The exercises that ask for a class of this name."""
    every = (e for name in assignment_names() for e in load_assignment(name).exercises)
    return tuple(e for e in every if e.symbol == symbol and "forward" in e.signatures)


@cache
def _fitting_answers(exercise: Exercise) -> dict[str, str]:
    """The texts of the right answers to an exercise that have the contract's names and order, by name."""
    texts: dict[str, str] = {}
    with right_answers(exercise.name) as paths:
        for path in paths:
            text = path.read_text(encoding="utf-8")
            found = [s for s in ast.parse(text).body if getattr(s, "name", "") == exercise.symbol]
            if len(found) == 1 and _keeps_the_contract(found[0], exercise):
                texts[path.stem] = text
    return texts


def _keeps_the_contract(symbol: ast.stmt, exercise: Exercise) -> bool:
    """Whether a class takes the contract's arguments under its names, and no others."""
    if not isinstance(symbol, ast.ClassDef):
        return False
    for name in ("__init__", "forward"):
        method = find_method(symbol, name)
        if method is None or _plain_names(method) != list(exercise.signatures.get(name, ())):
            return False
    return True


def _plain_names(method: Function) -> list[str] | None:
    arguments = method.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        return None
    return [one.arg for one in parameters_of(method)]


def take_class(code: AnswerCode, choice: Choice) -> bool:
    """Ask for the class of norms or of the activation, before what has a default."""
    constructor = names.own_constructor(code)
    if constructor is None or [*calls_of([code.tree, *code.others.values()], code.exercise.symbol)]:
        return False
    calls = [n for n in ast.walk(constructor) if isinstance(n, ast.Call) and ast.unparse(n.func) in GIVEN]
    kinds = sorted({ast.unparse(call.func) for call in calls})
    if not kinds:
        return False
    kind = choice.one(kinds)
    found = choice.names(1, GIVEN[kind], names_in(code.tree))
    for call in calls:
        if found and ast.unparse(call.func) == kind:
            call.func = ast.Name(found[0], ast.Load())
    at = len(constructor.args.args) - len(constructor.args.defaults)
    constructor.args.args[at:at] = [ast.arg(name) for name in found]
    return bool(found)


def _styles() -> tuple[Style, ...]:
    rewrites: dict[str, Callable[[AnswerCode, Choice], bool]] = {
        "constructor": names.rename_constructor,
        "order": names.change_order,
        "by_keyword": names.by_keyword_alone,
        "by_place": names.by_place_alone,
        "kwargs": names.take_keywords,
        "dataclass": configuration.take_dataclass,
        "dict": configuration.take_dict,
        "namespace": configuration.take_namespace,
        "container": layer_forms.keep_in_a_container,
        "fused": layer_forms.fuse_projections,
        "base_class": layer_forms.inherit_the_constructor,
    }
    return tuple(Style(f"parts.{name}", of_a_part(rewrite)) for name, rewrite in rewrites.items())


STYLES = (
    *_styles(),
    Style("parts.another_answer", use_another_answer),
    Style("parts.class_given", take_class),
)
