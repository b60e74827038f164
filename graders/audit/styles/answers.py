"""Styles of answers: what comes back as a named tuple, as a list, in a variable of its own."""

import ast

from graders.audit.styles.answer_code import (
    AnswerCode,
    Function,
    insert_before,
    insert_in_front,
    names_in,
    parse,
)
from graders.audit.styles.style import Choice, Style, words

FIELDS = words("output weights attention result sortie poids first second x y inputs targets loss logits")
CLASS_NAMES = words("Answer Result Output Reponse Returned")


def as_named_tuple(code: AnswerCode, choice: Choice) -> bool:
    """Return a named tuple where several values come back."""
    called, symbol = code.called, code.symbol
    pairs = _returned_tuples(called) if called else []
    sizes = {len(pair.elts) for pair in pairs}
    taken = names_in(code.tree, *code.others.values())
    names = choice.names(1, CLASS_NAMES, taken)
    if len(sizes) != 1 or not names or symbol is None or "namedtuple" in taken:
        return False
    [size] = sizes
    fields = choice.names(size, FIELDS, ())
    insert_before(code.tree, symbol, parse(f"{names[0]} = namedtuple({names[0]!r}, {' '.join(fields)!r})"))
    insert_in_front(code.tree, parse("from collections import namedtuple"))
    for pair in pairs:
        _replace(called, pair, ast.Call(ast.Name(names[0], ast.Load()), pair.elts, []))
    return len(fields) == size


def as_list(code: AnswerCode, choice: Choice) -> bool:
    """Return a list where several values come back."""
    del choice
    called = code.called
    pairs = _returned_tuples(called) if called else []
    for pair in pairs:
        _replace(called, pair, ast.List(pair.elts, ast.Load()))
    return bool(pairs)


def as_one_name(code: AnswerCode, choice: Choice) -> bool:
    """Bind what comes back to a name before it is returned."""
    called = code.called
    names = choice.names(1, ("result", "answer", "out", "resultat", "ret"), names_in(code.tree))
    if called is None or not names or not isinstance(called.body[-1], ast.Return):
        return False
    value = called.body[-1].value
    if value is None:
        return False
    called.body[-1:] = [*parse(f"{names[0]} = {ast.unparse(value)}"), *parse(f"return {names[0]}")]
    return True


def _returned_tuples(called: Function) -> list[ast.Tuple]:
    """The tuples that a function returns; none where it also returns anything else."""
    returned = [node.value for node in _own_nodes(called) if isinstance(node, ast.Return)]
    tuples = [value for value in returned if isinstance(value, ast.Tuple)]
    starred = any(isinstance(part, ast.Starred) for value in tuples for part in value.elts)
    return tuples if len(tuples) == len(returned) and not starred else []


def _own_nodes(function: Function) -> list[ast.AST]:
    """The nodes of a function's body, without those of functions in it."""
    waiting: list[ast.AST] = list(function.body)
    found: list[ast.AST] = []
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return found


def _replace(function: Function | None, old: ast.expr, new: ast.expr) -> None:
    assert function is not None
    for node in _own_nodes(function):
        if isinstance(node, ast.Return) and node.value is old:
            node.value = new


STYLES = (
    Style("answers.list", as_list),
    Style("answers.named_tuple", as_named_tuple),
    Style("answers.one_name", as_one_name),
)
