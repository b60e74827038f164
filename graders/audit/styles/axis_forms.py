"""Styles of form: products and moved axes as einsum or einops write them."""

import ast
import re
import string
from collections.abc import Callable

from graders.audit.styles.answer_code import AnswerCode, insert_in_front, parse
from graders.audit.styles.layer_forms import parse_expression
from graders.audit.styles.style import Choice, Style

_EQUATION = re.compile(r"[a-zA-Z. ,]+->[a-zA-Z. ]*")
_TRANSPOSED = re.compile(r"(.+)\.transpose\(-(?:2, -1|1, -2)\)")


def rename_axes(code: AnswerCode, choice: Choice) -> bool:
    """Give the axes of einsum other letters."""
    trees = (code.tree, *code.others.values())
    found = [node for tree in trees for node in ast.walk(tree) if _equation(node)]
    for node in found:
        old = _equation(node)
        letters = sorted({sign for sign in old if sign.isalpha()})
        new = dict(zip(letters, choice.order(string.ascii_letters)[: len(letters)], strict=True))
        text = "".join(new.get(sign, sign) for sign in old)
        spaced = text.replace(",", ", ").replace("->", " -> ")
        vars(node)["value"] = choice.one((text, spaced))
    return bool(found)


def multiply_by_einsum(code: AnswerCode, choice: Choice) -> bool:
    """Write `q @ k.transpose(-2, -1)` as einsum."""

    def as_einsum(node: ast.AST) -> ast.expr | None:
        factors = _factors(node)
        inner = _transposed(factors[1]) if factors else None
        if factors is None or inner is None:
            return None
        equation = choice.one(("...qd,...kd->...qk", "... i d, ... j d -> ... i j", "...te,...se->...ts"))
        return parse_expression(f"torch.einsum({equation!r}, {ast.unparse(factors[0])}, {inner})")

    return _rewrite(code, as_einsum, "import torch")


def multiply_otherwise(code: AnswerCode, choice: Choice) -> bool:
    """Write a product of matrices as `@`, `torch.matmul`, or the method."""

    def as_other(node: ast.AST) -> ast.expr | None:
        factors = _factors(node)
        if factors is None:
            return None
        left, right = map(ast.unparse, factors)
        forms = f"({left}) @ ({right})", f"torch.matmul({left}, {right})", f"({left}).matmul({right})"
        return parse_expression(choice.one([form for form in forms if not _is_text_of(node, form)]))

    return _rewrite(code, as_other, "import torch")


def split_by_einops(code: AnswerCode, choice: Choice) -> bool:
    """Write `x.view(B, S, H, D).transpose(1, 2)` by einops' `rearrange`."""
    b, s, h, d = choice.one((("b", "s", "h", "d"), ("batch", "t", "heads", "c"), ("B", "T", "nh", "hs")))
    leading = {tuple(names[:2]) for names in _unpacked_shapes(code.tree) if len(names) == 3}

    def as_rearrange(node: ast.AST) -> ast.expr | None:
        split = _split_heads(node)
        if split is None or tuple(map(ast.unparse, split.args[:2])) not in leading:
            return None
        assert isinstance(split.func, ast.Attribute)
        heads, width = map(ast.unparse, split.args[2:])
        size = f"{h}={heads}" if heads != "-1" else f"{d}={width}"
        pattern = f"{b} {s} ({h} {d}) -> {b} {h} {s} {d}"
        return parse_expression(f"rearrange({ast.unparse(split.func.value)}, {pattern!r}, {size})")

    return _rewrite(code, as_rearrange, "from einops import rearrange")


def _factors(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The factors of a product of matrices."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return node.left, node.right
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "torch.matmul" and len(node.args) == 2:
        return node.args[0], node.args[1]
    return None


def _is_text_of(node: ast.AST, text: str) -> bool:
    return ast.unparse(node) == ast.unparse(parse_expression(text))


def _transposed(node: ast.expr) -> str | None:
    """The text of `k` in `k.transpose(-2, -1)`."""
    found = _TRANSPOSED.fullmatch(ast.unparse(node))
    return found[1] if found and isinstance(node, ast.Call) else None


def _split_heads(node: ast.AST) -> ast.Call | None:
    """The call of `view` or `reshape` in `x.view(B, S, H, D).transpose(1, 2)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr != "transpose" or [ast.unparse(a) for a in node.args] != ["1", "2"]:
        return None
    inner = node.func.value
    if not isinstance(inner, ast.Call) or not isinstance(inner.func, ast.Attribute) or inner.keywords:
        return None
    return inner if inner.func.attr in ("view", "reshape") and len(inner.args) == 4 else None


def _rewrite(code: AnswerCode, change: Callable[[ast.AST], ast.expr | None], needed: str) -> bool:
    """Change all expressions of which `change` makes another one."""
    changed = False

    class Changer(ast.NodeTransformer):
        def generic_visit(self, node: ast.AST) -> ast.AST:
            nonlocal changed
            node = super().generic_visit(node)
            new = change(node)
            changed = changed or new is not None
            return new if new is not None else node

    Changer().visit(code.tree)
    if changed and needed not in {ast.unparse(s) for s in code.tree.body}:
        insert_in_front(code.tree, parse(needed))
    return changed


def _equation(node: ast.AST) -> str:
    """The equation of einsum that a text is; empty for anything else."""
    text = node.value if isinstance(node, ast.Constant) else None
    return text if isinstance(text, str) and _EQUATION.fullmatch(text) else ""


def _unpacked_shapes(tree: ast.AST) -> list[list[str]]:
    """The names to which shapes are unpacked: `B, S, E = x.shape`."""
    assigned = [
        n for n in ast.walk(tree) if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Tuple)
    ]
    shapes = [n for n in assigned if re.search(r"\.(shape|size\(\))$", ast.unparse(n.value))]
    return [[ast.unparse(name) for name in vars(n.targets[0])["elts"]] for n in shapes]


STYLES = (
    Style("form.einsum_letters", rename_axes),
    Style("form.einsum", multiply_by_einsum),
    Style("form.matmul", multiply_otherwise),
    Style("form.einops", split_by_einops),
)
