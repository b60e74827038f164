"""Styles of form: functions as lambdas, closures, partials and methods, and how a class gets its methods."""

import ast
import copy
from collections.abc import Sequence

from graders.audit.styles.answer_code import (
    AnswerCode,
    Function,
    calls_of,
    insert_in_front,
    names_in,
    parse,
)
from graders.audit.styles.style import Choice, Style, words

MAKERS = words("make build create_function outer factory fabrique")
HIDDEN = words("_impl _compute inner_function base_version _f _core")
FLAGS = words("scale_it flag verbose_mode variant mode_of_use")
ANSWERS = words("out result res y_out sortie resultat answer final")
ALIASES = words("compute run apply_layer propager passe attend")


def write_as_lambda(code: AnswerCode, choice: Choice) -> bool:
    """Write a function that is one return statement as a lambda with a name."""
    functions = [f for f in _functions(code.tree) if _returned(f) is not None and not f.decorator_list]
    if not functions:
        return False
    function = choice.one(functions)
    arguments = copy.deepcopy(function.args)
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    value = _returned(function)
    assert value is not None
    made = ast.Assign([ast.Name(function.name, ast.Store())], ast.Lambda(arguments, value), lineno=1)
    code.tree.body[code.tree.body.index(function)] = made
    return True


def make_by_a_closure(code: AnswerCode, choice: Choice) -> bool:
    """Let a function return the one that is asked for."""
    functions = [f for f in _functions(code.tree) if not f.decorator_list]
    names = choice.names(1, MAKERS, names_in(code.tree, *code.others.values()))
    if not functions or not names:
        return False
    function = choice.one(functions)
    [maker] = parse(f"def {names[0]}():\n    return {function.name}")
    assert isinstance(maker, Function)
    maker.body.insert(0, function)
    at = code.tree.body.index(function)
    code.tree.body[at : at + 1] = [maker, *parse(f"{function.name} = {names[0]}()")]
    return True


def fix_an_argument(code: AnswerCode, choice: Choice) -> bool:
    """Make the function by `functools.partial`, which fixes a further argument."""
    plain = [f for f in _functions(code.tree) if not f.decorator_list and not f.args.vararg]
    # A partial that is an attribute of a class is not bound to the instance.
    functions = [
        f for f in plain if _uses(code.tree, f.name) == sum(1 for _ in calls_of([code.tree], f.name))
    ]
    taken = names_in(code.tree, *code.others.values()) | {"partial"}
    names, flags = choice.names(1, HIDDEN, taken), choice.names(1, FLAGS, taken)
    if not functions or not names or not flags:
        return False
    function = choice.one(functions)
    if any(calls_of([function], function.name)):
        return False
    made = parse(f"{function.name} = partial({names[0]}, {flags[0]}=True)")
    function.name = names[0]
    function.args.kwonlyargs.append(ast.arg(flags[0]))
    function.args.kw_defaults.append(ast.Constant(False))
    at = code.tree.body.index(function)
    code.tree.body[at + 1 : at + 1] = made
    insert_in_front(code.tree, parse("from functools import partial"))
    return True


def move_into_the_class(code: AnswerCode, choice: Choice) -> bool:
    """Make a function of the file a static method of the class that alone calls it."""
    symbol = code.symbol
    if not isinstance(symbol, ast.ClassDef):
        return False
    functions = [f for f in _functions(code.tree) if _is_used_in_methods_alone(code, symbol, f)]
    if not functions:
        return False
    function = choice.one(functions)
    code.tree.body.remove(function)
    for node in ast.walk(symbol):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name:
            node.func = ast.Attribute(ast.Name("self", ast.Load()), function.name, ast.Load())
    if choice.one((True, False)):
        function.decorator_list = [ast.Name("staticmethod", ast.Load())]
    else:
        function.args.args.insert(0, ast.arg("self"))
    symbol.body.append(function)
    return True


def define_inside(code: AnswerCode, choice: Choice) -> bool:
    """Define a function of the file inside the function or method that alone calls it."""
    called = code.called
    functions = [f for f in _functions(code.tree) if called and _is_used_in_alone(code, f, called)]
    if called is None or not functions:
        return False
    function = choice.one(functions)
    if function.name in {argument.arg for argument in called.args.args}:
        return False
    code.tree.body.remove(function)
    at = 1 if isinstance(called.body[0], ast.Expr) and isinstance(called.body[0].value, ast.Constant) else 0
    called.body.insert(at, function)
    return True


def name_forward_later(code: AnswerCode, choice: Choice) -> bool:
    """Write `forward` under another name, and say below that it is `forward`."""
    symbol, forward = code.symbol, code.method("forward")
    names = choice.names(1, ALIASES, names_in(code.tree, *code.others.values()))
    if not isinstance(symbol, ast.ClassDef) or forward is None or not names:
        return False
    forward.name = names[0]
    at = symbol.body.index(forward) + 1
    symbol.body[at:at] = parse(f"forward = {names[0]}")
    return True


def add_forward_to_the_class(code: AnswerCode, choice: Choice) -> bool:
    """Define `forward` below the class, and give it to the class afterwards."""
    symbol, forward = code.symbol, code.method("forward")
    names = choice.names(1, ALIASES, names_in(code.tree, *code.others.values()))
    if not isinstance(symbol, ast.ClassDef) or forward is None or not names or _calls_super(forward):
        return False
    if forward.decorator_list or "__class__" in names_in(forward):
        return False
    symbol.body.remove(forward)
    symbol.body = symbol.body or [ast.Pass()]
    forward.name = names[0]
    at = code.tree.body.index(symbol)
    code.tree.body[at + 1 : at + 1] = [forward, *parse(f"{symbol.name}.forward = {names[0]}")]
    return True


def name_the_answer(code: AnswerCode, choice: Choice) -> bool:
    """Give the answer a name before it is returned."""
    called = code.called
    names = choice.names(1, ANSWERS, names_in(code.tree))
    last = called.body[-1] if called else None
    value = last.value if isinstance(last, ast.Return) else None
    if called is None or not names or value is None:
        return False
    named = ast.Assign([ast.Name(names[0], ast.Store())], value, lineno=1)
    called.body[-1:] = [named, ast.Return(ast.Name(names[0], ast.Load()))]
    return True


def _functions(tree: ast.Module) -> list[Function]:
    return [statement for statement in tree.body if isinstance(statement, Function)]


def _returned(function: Function) -> ast.expr | None:
    """What a function returns whose body is this alone, but for its docstring."""
    body: Sequence[ast.stmt] = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def _uses(tree: ast.AST | None, name: str) -> int:
    """How often a plain name is read."""
    return sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(tree)) if tree else 0


def _is_used_in_methods_alone(code: AnswerCode, symbol: ast.ClassDef, function: Function) -> bool:
    methods = [m for m in symbol.body if isinstance(m, Function)]
    own = [m for m in methods if m.args.args and m.args.args[0].arg == "self"]
    calls = sum(1 for _ in calls_of(own, function.name))
    return bool(calls) and calls == _uses(code.tree, function.name) and not function.decorator_list


def _calls_super(function: Function) -> bool:
    return _uses(function, "super") > 0


def _is_used_in_alone(code: AnswerCode, function: Function, called: Function) -> bool:
    inside = _uses(called, function.name)
    alone = inside > 0 and inside == _uses(code.tree, function.name)
    return alone and function is not called and not function.decorator_list


STYLES = (
    Style("form.lambda", write_as_lambda),
    Style("form.closure", make_by_a_closure),
    Style("form.partial", fix_an_argument),
    Style("form.method", move_into_the_class),
    Style("form.inner_function", define_inside),
    Style("form.forward_by_name", name_forward_later),
    Style("form.forward_added", add_forward_to_the_class),
    Style("form.named_answer", name_the_answer),
)
