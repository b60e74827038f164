"""Styles of sizes and attributes: a size fixed in the body, attributes and parts under other names.

A size that the code fixes loses the checks about it, and no other.
"""

import ast
import builtins
import math
from collections.abc import Collection

import torch
from torch import nn

from graders.audit.styles.answer_code import (
    AnswerCode,
    Function,
    calls_of,
    insert_in_body,
    names_in,
    parameters_of,
    parse,
)
from graders.audit.styles.style import Choice, Style, words
from graders.check_api.usual_sizes import UsualSize

# Names of every role, so that most say something that is not so; and some that say nothing.
ATTRIBUTE_WORDS = words(
    """
    W_q W_k W_v W_o queries keys values out query key value wq wk wv wo proj c_attn c_proj qkv to_q to_k to_v
    linear1 linear2 fc1 fc2 up down dense1 dense2 mlp net ff norm1 norm2 ln_1 ln_2 layernorm norm emb tok_emb
    pos_emb wte wpe lm_head head heads decoder encoder layers blocks cle valeur requete couche sortie entree
    premiere seconde a1 b2 zz foo truc machin layer_a layer_b thing inner outer attn cross_attn self_attn
    """
)
PART_WORDS = words(
    """
    Head SingleHead Attn SelfAttn CrossAttn Scaled MLP FFN Mlp Norm RMS Bloc Couche Tete Encodeur Embed Tokens
    Block_ Layer_ Inner Helper Thing do_attention attend softmax_ mix mixer scores_of split_ join_ mask_it
    """
)
OF_TORCH = frozenset(name for module in (torch, nn, nn.functional, math) for name in dir(module)) | frozenset(
    (*dir(torch.Tensor), *dir(nn.Module), *dir(nn.Linear(1, 1)), *dir(nn.MultiheadAttention))
)


def rename_attributes(code: AnswerCode, choice: Choice) -> bool:
    """Give some attributes that constructors set other names, of other roles too.

    Layers that are exchanged are a mistake under the contract's names alone, which tell them apart; where all
    is NaN, nothing else tells what a layer is for.
    """
    says = ast.get_docstring(code.symbol) or "" if code.symbol else ""
    if any(word in says for word in ("exchanged", "changed places", "NaN")):
        return False
    others = OF_TORCH | _texts(code) | _fields(code)
    own = [name for name in _attributes(code) if name not in others]
    chosen = choice.some(own) if own else []
    taken = names_in(code.tree, *code.others.values()) | _texts(code)
    names = dict(zip(chosen, choice.names(len(chosen), ATTRIBUTE_WORDS, taken), strict=False))
    for node in (node for tree in (code.tree, *code.others.values()) for node in ast.walk(tree)):
        if isinstance(node, ast.Attribute):
            node.attr = names.get(node.attr, node.attr)
    return bool(names)


def rename_parts(code: AnswerCode, choice: Choice) -> bool:
    """Give some classes and functions that the symbol is built of other names."""
    parts = [s.name for s in code.tree.body if isinstance(s, ast.ClassDef | Function)]
    chosen = choice.some([name for name in parts if name != code.exercise.symbol]) if parts[1:] else []
    if code.others or not chosen or _texts(code) & set(chosen):
        return False
    taken = names_in(code.tree) | set(dir(builtins))
    names = dict(zip(chosen, choice.names(len(chosen), PART_WORDS, taken), strict=False))
    for node in ast.walk(code.tree):
        for field in ("id", "name") if not isinstance(node, ast.alias) else ():
            if getattr(node, field, None) in names:
                setattr(node, field, names[getattr(node, field)])
    return bool(names)


def write_part_inline(code: AnswerCode, choice: Choice) -> bool:
    """Write the value of a function of one statement where it is called."""
    simple = [f for f in code.tree.body if isinstance(f, Function) and _is_one_value(f)]
    simple = [f for f in simple if f.name != code.exercise.symbol]
    part = choice.one(simple) if simple else None
    if part is None or code.others or _reads_what_others_bind(part, code.tree):
        return False
    inliner = _Inliner(part)
    for statement in code.tree.body:
        if statement is not part:
            inliner.visit(statement)
    if not inliner.done or part.name in names_in(*(s for s in code.tree.body if s is not part)):
        return False
    code.tree.body.remove(part)
    return True


def ignore_size(code: AnswerCode, choice: Choice) -> bool:
    """Take a size and give it its usual value, whatever is asked for."""
    size, value = _choose_size(code, choice)
    constructor = code.constructor
    if size is None or constructor is None:
        return False
    insert_in_body(constructor, parse(f"{size.argument} = {value}"))
    return True


def leave_size_out(code: AnswerCode, choice: Choice) -> bool:
    """Have no argument for a size, which has its usual value."""
    size, value = _choose_size(code, choice)
    constructor = code.constructor
    if size is None or constructor is None or any(calls_of([code.tree], code.exercise.symbol)):
        return False
    arguments = constructor.args
    place = next((n for n, one in enumerate(arguments.args) if one.arg == size.argument), None)
    if place is None:
        return False
    from_end = len(arguments.args) - place
    if from_end <= len(arguments.defaults):
        del arguments.defaults[-from_end]
    del arguments.args[place]
    insert_in_body(constructor, parse(f"{size.argument} = {value}"))
    return True


def lose_size(code: AnswerCode) -> Collection[str]:
    """The checks about sizes and their defaults."""
    sizes = [size for size in code.exercise.options.sizes if size.is_usual]
    return {name for size in sizes for name in (size.check, size.default_check) if name}


def _choose_size(code: AnswerCode, choice: Choice) -> tuple[UsualSize | None, str]:
    """A size that the constructor takes under the contract's name, with what its usual value is made from."""
    constructor = code.constructor
    names = {one.arg for one in parameters_of(constructor)} if constructor else set()
    usual = [size for size in code.exercise.options.sizes if size.is_usual and not size.fits]
    fitting = [size for size in usual if size.argument in names]
    # A formula is `4 * embed_dim`, `embed_dim` or a number.
    fitting = [size for size in fitting if names_in(ast.parse(size.formula)) <= names]
    size = choice.one(fitting) if fitting else None
    return size, size.formula if size else ""


def _attributes(code: AnswerCode) -> list[str]:
    """The attributes of `self` that the code sets, in order."""
    nodes = (node for tree in (code.tree, *code.others.values()) for node in ast.walk(tree))
    return list(
        dict.fromkeys(
            node.attr
            for node in nodes
            if isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        )
    )


def _fields(code: AnswerCode) -> set[str]:
    """The names of what classes and namespaces of settings hold: attributes of others than `self`."""
    found: set[str] = set()
    for node in (node for tree in (code.tree, *code.others.values()) for node in ast.walk(tree)):
        if isinstance(node, ast.ClassDef):
            assigned = (each for each in node.body if isinstance(each, ast.Assign | ast.AnnAssign))
            targets = (t for a in assigned for t in (a.targets if isinstance(a, ast.Assign) else [a.target]))
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.Call):
            found |= {keyword.arg for keyword in node.keywords if keyword.arg}
    return found


def _texts(code: AnswerCode) -> set[str]:
    """All texts of the code: `register_buffer("mask", ...)` names an attribute."""
    nodes = (node for tree in (code.tree, *code.others.values()) for node in ast.walk(tree))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _is_one_value(function: Function) -> bool:
    """Whether a function only returns a value in which each parameter, always given, occurs once at most."""
    body = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    plain = not (
        function.args.defaults or function.args.kwonlyargs or function.args.vararg or function.args.kwarg
    )
    if not plain or function.decorator_list or len(body) != 1 or not isinstance(body[0], ast.Return):
        return False
    own = (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.NamedExpr)
    if body[0].value is None or any(isinstance(node, own) for node in ast.walk(body[0])):
        return False
    read = [node.id for node in ast.walk(body[0]) if isinstance(node, ast.Name)]
    return all(read.count(one.arg) <= 1 for one in parameters_of(function))


def _reads_what_others_bind(part: Function, tree: ast.Module) -> bool:
    """Whether a name that the function reads, beside its parameters, is a local one elsewhere."""
    read = {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}
    read -= {one.arg for one in parameters_of(part)}
    nodes = [node for s in tree.body if isinstance(s, ast.ClassDef | Function) for node in ast.walk(s)]
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return bool(read & (stored | {node.arg for node in nodes if isinstance(node, ast.arg)}))


class _Inliner(ast.NodeTransformer):
    """Puts a function's value in the place of its calls."""

    def __init__(self, part: Function) -> None:
        self.done = False
        self._part = part
        returned = part.body[-1]
        assert isinstance(returned, ast.Return)
        self._value = returned.value

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The value with the call's arguments, where the function is called by place."""
        self.generic_visit(node)
        named = isinstance(node.func, ast.Name) and node.func.id == self._part.name
        parameters = [one.arg for one in parameters_of(self._part)]
        starred = any(isinstance(value, ast.Starred) for value in node.args)
        if not named or node.keywords or starred or len(node.args) != len(parameters):
            return node
        assert self._value is not None
        self.done = True
        values = dict(zip(parameters, map(ast.unparse, node.args), strict=True))
        text = ast.unparse(_Replaced(values).visit(ast.parse(ast.unparse(self._value), mode="eval")))
        return ast.parse(text, mode="eval").body


class _Replaced(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, values: dict[str, str]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """The expression for a name."""
        text = self._values.get(node.id)
        return node if text is None else ast.parse(text, mode="eval").body


STYLES = (
    Style("sizes.attributes", rename_attributes),
    Style("sizes.parts", rename_parts),
    Style("sizes.inline", write_part_inline),
    Style("sizes.ignored", ignore_size, lose_size),
    Style("sizes.left_out", leave_size_out, lose_size),
)
