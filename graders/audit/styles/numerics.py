"""Styles of numbers: the same values, computed a little less exactly, or more."""

import ast
from collections.abc import Callable

from graders.audit.styles.answer_code import (
    AnswerCode,
    Function,
    insert_in_body,
    insert_in_front,
    names_in,
    parameters_of,
    parse,
)
from graders.audit.styles.style import Choice, Style

SOFTMAX = ("F.softmax", "torch.softmax", "functional.softmax", "nn.functional.softmax")
ATTENTION = ("score", "attn", "att", "logit", "qk", "weights", "masked", "dots", "energy")
Change = Callable[[ast.expr], ast.expr | None]


class _Replace(ast.NodeTransformer):
    """Replaces the expressions for which `change` gives another, from within to without."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def visit(self, node: ast.AST) -> ast.AST:
        node = self.generic_visit(node)
        other = self._change(node) if isinstance(node, ast.expr) else None
        return node if other is None else ast.copy_location(other, node)


def _replace(code: AnswerCode, change: Change) -> bool:
    """Replace expressions in the whole file, and import PyTorch; False where there is none."""
    before = ast.dump(code.tree)
    _Replace(change).visit(code.tree)
    if ast.dump(code.tree) == before:
        return False
    _import_torch(code)
    return True


def _import_torch(code: AnswerCode) -> None:
    bound = {
        alias.asname or alias.name for s in code.tree.body if isinstance(s, ast.Import) for alias in s.names
    }
    if "torch" not in bound:
        insert_in_front(code.tree, parse("import torch"))


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _softmax(node: ast.expr) -> tuple[str, str] | None:
    """What a softmax is taken of, and its other arguments, without a dtype."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr != "softmax":
        return None
    arguments = node.args if ast.unparse(node.func) in SOFTMAX else [node.func.value, *node.args]
    if not arguments or isinstance(arguments[0], ast.Starred):
        return None
    named = [f"{k.arg}={ast.unparse(k.value)}" for k in node.keywords if k.arg not in ("dtype", "input")]
    return ast.unparse(arguments[0]), ", ".join([*map(ast.unparse, arguments[1:]), *named])


def take_roots_in_float32(code: AnswerCode, choice: Choice) -> bool:
    """Compute the root of a width with tensors of float32, as in `torch.sqrt(torch.tensor(d))`."""
    form = choice.one(
        (
            "torch.sqrt(torch.tensor({}, dtype=torch.float32))",
            "torch.tensor(float({})).sqrt()",
            "torch.sqrt(torch.FloatTensor([{}]))",
        )
    )

    def change(node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div | ast.Mult):
            return None
        root = node.right
        if not isinstance(root, ast.Call) or ast.unparse(root.func) != "math.sqrt":
            return None
        if isinstance(node.left, ast.Constant):  # a number, which may be due as one
            return None
        return ast.BinOp(node.left, node.op, _expression(form.format(ast.unparse(root.args[0]))))

    return _replace(code, change)


def take_softmax_in_float32(code: AnswerCode, choice: Choice) -> bool:
    """Take each softmax in float32, with a cast back or without."""
    form = choice.one(
        (
            "torch.softmax(({0}).float(), {1}).to(({0}).dtype)",
            "torch.softmax({0}, {1}, dtype=torch.float32)",
            "torch.softmax({0}, {1}, dtype=torch.float32).type_as({0})",
        )
    )

    def change(node: ast.expr) -> ast.expr | None:
        taken = _softmax(node)
        return _expression(form.format(*taken)) if taken and taken[1] else None

    return _replace(code, change)


def take_softmax_by_hand(code: AnswerCode, choice: Choice) -> bool:
    """Take each softmax by hand, with an epsilon in the denominator."""
    if _changes_in_place(code.tree):  # what autograd refuses after PyTorch's softmax, it may take after this
        return False
    [name] = choice.names(1, ("softmax_", "stable_softmax", "my_softmax"), names_in(code.tree))
    epsilon = choice.one(("1e-12", "1e-9", "1e-8"))

    def change(node: ast.expr) -> ast.expr | None:
        taken = _softmax(node)
        return _expression(f"{name}({taken[0]}, {taken[1]})") if taken and taken[1] else None

    if not _replace(code, change):
        return False
    made = f"""
def {name}(x, dim):
    e = torch.exp(x - x.max(dim=dim, keepdim=True).values)
    return e / (e.sum(dim=dim, keepdim=True) + {epsilon})
"""
    imports = [n for n, s in enumerate(code.tree.body) if isinstance(s, ast.Import | ast.ImportFrom)]
    at = imports[-1] + 1
    code.tree.body[at:at] = parse(made)
    return True


def add_epsilon_below(code: AnswerCode, choice: Choice) -> bool:
    """Add a tiny number to denominators that are sums or norms, or keep them above one."""
    form = choice.one(("({} + 1e-12)", "({} + 1e-9)", "({} + 1e-8)", "({}).clamp(min=1e-9)"))

    def change(node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
            return None
        below = ast.unparse(node.right)
        if not below.endswith("keepdim=True)") or not any(w in below for w in (".sum(", ".norm(")):
            return None
        return ast.BinOp(node.left, ast.Div(), _expression(form.format(below)))

    return _replace(code, change)


def add_epsilon_in_logarithms(code: AnswerCode, choice: Choice) -> bool:
    """Add 1e-12 to what a logarithm is taken of, where that is a sum of exponentials."""
    del choice

    def change(node: ast.expr) -> ast.expr | None:
        if (
            not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Attribute)
            or node.func.attr != "log"
        ):
            return None
        of_torch = ast.unparse(node.func.value) == "torch"
        taken = node.args[0] if of_torch and node.args else node.func.value
        text = ast.unparse(taken)
        if ".sum(" not in text or "exp" not in text:
            return None
        return _expression(f"torch.log({text} + 1e-12)")

    return _replace(code, change)


def hide_with_a_number(code: AnswerCode, choice: Choice) -> bool:
    """Fill what is hidden with a large negative number instead of minus infinity, in scores alone."""
    if code.exercise.name in (
        "additive_mask",
        "lsh_attention",
        "adjust_logits",
    ):  # there, the number is the subject
        return False
    number = choice.one(("-10000.0", "-1e9", "torch.finfo({}.dtype).min"))

    def change(node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        if node.func.attr not in ("masked_fill", "masked_fill_") or len(node.args) != 2:
            return None
        filled = ast.unparse(node.func.value)
        if "inf" not in ast.unparse(node.args[1]) or not any(w in filled.lower() for w in ATTENTION):
            return None
        return ast.Call(node.func, [node.args[0], _expression(number.format(filled))], [])

    return _replace(code, change)


def _floats_of(function: Function) -> list[str]:
    """The parameters of a function that hold floats: those that are named as such in the course."""
    known = {
        "Q",
        "K",
        "V",
        "q",
        "k",
        "v",
        "x",
        "query",
        "key",
        "value",
        "qk",
        "logits",
        "weights",
        "hidden_states",
    }
    return [one.arg for one in parameters_of(function) if one.arg in known]


def _cast_at_the_end(code: AnswerCode, function: Function, name: str, cast: str) -> bool:
    """Cast all floats in what a function returns: `cast` is a method's call of each tensor `v`."""
    done = False
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            node.value = _expression(f"{name}({ast.unparse(node.value)})")
            done = True
    made = f"""
def {name}(v):
    if isinstance(v, (tuple, list)):
        return type(v)({name}(one) for one in v)
    if isinstance(v, dict):
        return {{key: {name}(one) for key, one in v.items()}}
    return {cast} if torch.is_tensor(v) and v.is_floating_point() else v
"""
    code.tree.body += parse(made)
    return done


# Arguments that hold floats as well, beside those that `_floats_of` finds.
OTHER_FLOATS = {"weight", "bias", "gamma", "beta", "memory", "rotations"}


def compute_in_another_dtype(code: AnswerCode, choice: Choice) -> bool:
    """Compute a function in float64 or float32, whatever it is given, and answer in that dtype."""
    function = code.called
    if function is None or isinstance(code.symbol, ast.ClassDef) or _has_functions(function):
        return False
    if _changes_in_place(code.tree):  # a cast makes a copy, and the caller's tensor stays
        return False
    floats = _floats_of(function)
    names = choice.names(1, ("_cast", "back_to", "as_before"), names_in(code.tree))
    # A tensor that keeps its dtype beside these fits none of them any more.
    others = {one.arg for one in parameters_of(function)} & OTHER_FLOATS
    if not floats or not names or others:
        return False
    cast = choice.one((".double()", ".float()"))
    insert_in_body(function, parse("\n".join(f"{name} = {name}{cast}" for name in floats)))
    _import_torch(code)
    return _cast_at_the_end(code, function, names[0], f"v{cast}")


def switch_autocast_off(code: AnswerCode, choice: Choice) -> bool:
    """Compute in a block in which autocast is switched off."""
    function = code.called
    if function is None:
        return False
    form = choice.one(
        ("torch.autocast('cpu', enabled=False)", "torch.autocast(device_type='cuda', enabled=False)")
    )
    at = 1 if ast.get_docstring(function) is not None else 0
    block = ast.With([ast.withitem(_expression(form))], function.body[at:])
    function.body[at:] = [block]
    _import_torch(code)
    return True


def _changes_in_place(tree: ast.AST) -> bool:
    """Whether something is changed in place: by an operator, in a part, or by a method like `add_`."""
    stored = (ast.AugAssign, ast.Delete)
    parts = (ast.Subscript, ast.Attribute)
    return any(
        isinstance(node, stored)
        or (isinstance(node, parts) and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.Attribute) and node.attr.endswith("_") and not node.attr.endswith("__"))
        for node in ast.walk(tree)
    )


def _has_functions(function: Function) -> bool:
    kinds = (ast.FunctionDef, ast.Lambda)
    return any(isinstance(node, kinds) and node is not function for node in ast.walk(function))


STYLES = (
    Style("numerics.roots", take_roots_in_float32),
    Style("numerics.softmax", take_softmax_in_float32),
    Style("numerics.softmax_by_hand", take_softmax_by_hand),
    Style("numerics.denominators", add_epsilon_below),
    Style("numerics.logarithms", add_epsilon_in_logarithms),
    Style("numerics.hiding", hide_with_a_number),
    Style("numerics.dtype", compute_in_another_dtype),
    Style("numerics.autocast", switch_autocast_off),
)
