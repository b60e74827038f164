"""Styles of form: where a module keeps its layers, and what it inherits from."""

import ast
import copy
from collections.abc import Callable

from graders.audit.styles.answer_code import AnswerCode, Function, insert_before, names_in, parse
from graders.audit.styles.style import Choice, Style, words

KEEPERS = words("layers parts sublayers couches blocs modules_of_mine projections pieces")
FUSED = words("qkv qkv_proj to_qkv c_attn in_proj w_qkv fused projections_ensemble")
PROJECTED = words("q_part k_part v_part first second third p0 p1 p2 p3 left right middle")
PARENTS = words("Base AttentionBase Common BaseModule Parent Skeleton")
LAYERS = ("Linear", "Embedding", "LayerNorm", "Dropout")


def keep_in_a_container(code: AnswerCode, choice: Choice) -> bool:
    """Keep layers in a ModuleList or a ModuleDict instead of attributes."""
    found = _layers_of(code)
    names = choice.names(1, KEEPERS, names_in(code.tree, *code.others.values()))
    if found is None or not names:
        return False
    symbol, constructor, layers = found
    chosen = choice.some(sorted(layers), least=2)
    if len(chosen) < 2:
        return False
    by_name = choice.one((True, False))
    made = [layers[name][1] for name in chosen]
    keys: list[ast.expr] = [ast.Constant(name if by_name else at) for at, name in enumerate(chosen)]
    container = ast.Dict([*keys], made) if by_name else ast.List(made, ast.Load())
    prefix = ast.unparse(_call(made[0]).func).rpartition(".")[0] or "torch.nn"
    kind = parse_expression(f"{prefix}.{'ModuleDict' if by_name else 'ModuleList'}")
    _replace_assignments(constructor, layers, chosen, names[0], ast.Call(kind, [container], []))
    _replace_reads(symbol, dict(zip(chosen, keys, strict=True)), names[0])
    return True


def make_in_one_line(code: AnswerCode, choice: Choice) -> bool:
    """Make several layers by one assignment: `self.q, self.k = nn.Linear(E, E), nn.Linear(E, E)`."""
    found = _layers_of(code)
    if found is None:
        return False
    _, constructor, layers = found
    runs = [run for run in _runs(constructor, layers) if len(run) > 1]
    if not runs:
        return False
    run = choice.one(runs)
    targets: list[ast.expr] = [layers[name][0].targets[0] for name in run]
    made = [layers[name][1] for name in run]
    value: ast.expr = ast.Tuple(made, ast.Load())
    if len({ast.dump(one) for one in made}) == 1 and choice.one((True, False)):
        value = ast.parse(f"({ast.unparse(made[0])} for _ in range({len(made)}))", mode="eval").body
    first = constructor.body.index(layers[run[0]][0])
    constructor.body[first : first + len(run)] = [
        ast.Assign([ast.Tuple(targets, ast.Store())], value, lineno=1)
    ]
    return True


def make_in_a_loop(code: AnswerCode, choice: Choice) -> bool:
    """Make layers that are alike in a loop over their names."""
    found = _layers_of(code)
    if found is None:
        return False
    _, constructor, layers = found
    runs = [run for run in _runs(constructor, layers) if len(run) > 1]
    alike = [run for run in runs if len({ast.dump(layers[name][1]) for name in run}) == 1]
    if not alike or "name" in names_in(constructor):
        return False
    run = choice.one(alike)
    first = constructor.body.index(layers[run[0]][0])
    made = ast.unparse(layers[run[0]][1])
    loop = f"for name in {tuple(run)!r}:\n    setattr(self, name, {made})"
    if choice.one((True, False)):
        loop = f"for name in {tuple(run)!r}:\n    self.add_module(name, {made})"
    constructor.body[first : first + len(run)] = parse(loop)
    return True


def fuse_projections(code: AnswerCode, choice: Choice) -> bool:
    """Project by one layer what several layers of the same sizes project, in any order."""
    found, called = _layers_of(code), code.called
    names = choice.names(1, FUSED, names_in(code.tree, *code.others.values()))
    if found is None or called is None or not names:
        return False
    symbol, constructor, layers = found
    linear = [name for name in layers if _is_plain_linear(layers[name][1])]
    calls = _calls_of_attributes(symbol, linear)
    groups = _groups(linear, lambda name: (ast.dump(layers[name][1]), _asked_of(calls.get(name, []))))
    fit = [group for group in groups if _can_be_one(called, calls, group)]
    variables = choice.names(len(linear), PROJECTED, names_in(called))
    if not fit or len(variables) < len(linear):
        return False
    group = choice.order(choice.one(fit))
    count, argument = len(group), _asked_of(calls[group[0]])
    layer = copy.deepcopy(_call(layers[group[0]][1]))
    layer.args[1] = parse_expression(f"{count} * ({ast.unparse(layer.args[1])})")
    _replace_assignments(constructor, layers, group, names[0], layer)
    at = min(_place_of(called, calls[name][0]) for name in group)
    for name, variable in zip(group, variables, strict=False):
        _put(calls[name][0], ast.Name(variable, ast.Load()))
    parts = f"self.{names[0]}({argument}).{choice.one(('chunk', 'tensor_split'))}({count}, dim=-1)"
    called.body[at:at] = parse(f"{', '.join(variables[:count])} = {parts}")
    return True


def inherit_the_constructor(code: AnswerCode, choice: Choice) -> bool:
    """Part the class: a base class makes the layers, and a class that inherits from it has `forward`."""
    symbol, constructor = code.symbol, code.constructor
    names = choice.names(1, PARENTS, names_in(code.tree, *code.others.values()))
    if not isinstance(symbol, ast.ClassDef) or constructor is None or len(symbol.body) < 2 or not names:
        return False
    others = [member for member in symbol.body if member is not constructor]
    if symbol.decorator_list or symbol.keywords or symbol.name in names_in(constructor):
        return False
    if "super" in names_in(*others):
        return False
    parent = ast.ClassDef(names[0], symbol.bases, [], [constructor], [])
    symbol.body.remove(constructor)
    symbol.bases = [ast.Name(names[0], ast.Load())]
    insert_before(code.tree, symbol, [parent])
    return True


def call_super_otherwise(code: AnswerCode, choice: Choice) -> bool:
    """Call the constructor of the base in another way."""
    symbol, constructor = code.symbol, code.constructor
    if not isinstance(symbol, ast.ClassDef) or constructor is None or len(symbol.bases) != 1:
        return False
    base = ast.unparse(symbol.bases[0])
    if base not in ("nn.Module", "torch.nn.Module", "Module"):
        return False
    calls = [s for s in constructor.body if ast.unparse(s) == "super().__init__()"]
    if len(calls) != 1:
        return False
    other = choice.one((f"super({symbol.name}, self).__init__()", f"{base}.__init__(self)"))
    constructor.body[constructor.body.index(calls[0])] = parse(other)[0]
    return True


def inherit_from_sequential(code: AnswerCode, choice: Choice) -> bool:
    """Be a Sequential where `forward` does nothing but call one."""
    del choice
    symbol, constructor, forward = code.symbol, code.constructor, code.method("forward")
    if not isinstance(symbol, ast.ClassDef) or constructor is None or forward is None:
        return False
    body = [s for s in constructor.body if not _is_docstring(s)]
    last = body[-1]
    if len(body) < 2 or not isinstance(last, ast.Assign) or "super" not in ast.unparse(body[0]):
        return False
    value = last.value
    if not isinstance(value, ast.Call) or not ast.unparse(value.func).endswith("nn.Sequential"):
        return False
    argument = forward.args.args[-1].arg
    plain = [s for s in forward.body if not _is_docstring(s)]
    expected = f"return {ast.unparse(last.targets[0])}({argument})"
    if [ast.unparse(s) for s in plain] != [expected] or "self" in names_in(value, *body[1:-1]):
        return False
    if any(m is not constructor and m is not forward for m in symbol.body if not _is_docstring(m)):
        return False
    constructor.body = [*body[1:-1], *parse("super().__init__()")]
    call = constructor.body[-1]
    assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
    call.value.args = value.args
    symbol.bases, symbol.body = [value.func], [constructor]
    return True


def parse_expression(text: str) -> ast.expr:
    """The expression of a text."""
    return ast.parse(text, mode="eval").body


Layers = dict[str, tuple[ast.Assign, ast.expr]]


def _layers_of(code: AnswerCode) -> tuple[ast.ClassDef, Function, Layers] | None:
    """The attributes that the constructor sets to a layer, once, and that other methods only read.

    Those that are read outside the class are left out: `forward` may stand there.
    """
    symbol, constructor = code.symbol, code.constructor
    if not isinstance(symbol, ast.ClassDef) or constructor is None:
        return None
    layers: Layers = {}
    for statement in constructor.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            name = _own_attribute(statement.targets[0])
            if name and _is_layer(statement.value):
                layers[name] = statement, statement.value
    attributes = [n for n in ast.walk(symbol) if isinstance(n, ast.Attribute)]
    stored = [_own_attribute(n) for n in attributes if not isinstance(n.ctx, ast.Load)]
    texts = {n.value for n in ast.walk(code.tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    everywhere = [n for n in ast.walk(code.tree) if isinstance(n, ast.Attribute)]
    inside = set(map(id, attributes))
    other = {n.attr for n in everywhere if not _own_attribute(n) or id(n) not in inside} | texts
    return symbol, constructor, {n: layers[n] for n in layers if stored.count(n) == 1 and n not in other}


def _own_attribute(node: ast.AST) -> str | None:
    own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return node.attr if own and isinstance(node, ast.Attribute) else None


def _is_layer(value: ast.expr) -> bool:
    made = isinstance(value, ast.Call) and ast.unparse(value.func).split(".")[-1] in LAYERS
    return made and "self" not in names_in(value)


def _call(value: ast.expr) -> ast.Call:
    assert isinstance(value, ast.Call)
    return value


def _is_plain_linear(value: ast.expr) -> bool:
    call = _call(value)
    named = {keyword.arg for keyword in call.keywords}
    plain = ast.unparse(call.func) in ("nn.Linear", "torch.nn.Linear")
    return plain and len(call.args) in (2, 3) and named <= {"bias"}


def _replace_assignments(
    constructor: Function, layers: Layers, chosen: list[str], name: str, value: ast.expr
) -> None:
    """Make one attribute in the place of the last of several."""
    last = max(constructor.body.index(layers[one][0]) for one in chosen)
    target = ast.Attribute(ast.Name("self", ast.Load()), name, ast.Store())
    constructor.body.insert(last + 1, ast.Assign([target], value, lineno=1))
    for one in chosen:
        constructor.body.remove(layers[one][0])


def _replace_reads(symbol: ast.ClassDef, keys: dict[str, ast.expr], name: str) -> None:
    for node in list(ast.walk(symbol)):
        attribute = _own_attribute(node)
        if attribute in keys and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            holder = ast.Attribute(ast.Name("self", ast.Load()), name, ast.Load())
            _put(node, ast.Subscript(holder, copy.deepcopy(keys[attribute or ""]), ast.Load()))


def _put(node: ast.AST, new: ast.AST) -> None:
    """Make a node another one, where it stands."""
    for name in list(vars(node)):
        delattr(node, name)
    node.__class__ = new.__class__
    vars(node).update(vars(new))


def _runs(constructor: Function, layers: Layers) -> list[list[str]]:
    """Layers whose assignments follow one another."""
    by_statement = {id(statement): name for name, (statement, _) in layers.items()}
    runs: list[list[str]] = [[]]
    for statement in constructor.body:
        if id(statement) in by_statement:
            runs[-1].append(by_statement[id(statement)])
        else:
            runs.append([])
    return runs


def _groups(names: list[str], key: Callable[[str], object]) -> list[list[str]]:
    groups: dict[object, list[str]] = {}
    for name in names:
        groups.setdefault(key(name), []).append(name)
    return list(groups.values())


def _calls_of_attributes(symbol: ast.ClassDef, names: list[str]) -> dict[str, list[ast.Call]]:
    """The calls `self.name(x)`; a layer that is also read in another way has none."""
    calls: dict[str, list[ast.Call]] = {}
    reads: dict[str, int] = {}
    for node in ast.walk(symbol):
        attribute = _own_attribute(node)
        if attribute in names and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            reads[attribute] = reads.get(attribute, 0) + 1
        if isinstance(node, ast.Call) and (called := _own_attribute(node.func)) in names:
            calls.setdefault(called or "", []).append(node)
    return {name: found for name, found in calls.items() if reads[name] == len(found)}


def _asked_of(calls: list[ast.Call]) -> str | None:
    """The variable with which a layer is called once."""
    if len(calls) != 1 or calls[0].keywords or len(calls[0].args) != 1:
        return None
    argument = calls[0].args[0]
    return argument.id if isinstance(argument, ast.Name) else None


def _place_of(called: Function, call: ast.Call) -> int:
    """The index of the statement of the body in which a call stands; -1 for none."""
    places = (at for at, s in enumerate(called.body) if any(node is call for node in ast.walk(s)))
    return next(places, -1)


def _can_be_one(called: Function, calls: dict[str, list[ast.Call]], group: list[str]) -> bool:
    """Whether several layers are called with one variable, which stays as it is between the calls."""
    variable = _asked_of(calls.get(group[0], []))
    if len(group) < 2 or variable is None:
        return False
    places = [_place_of(called, calls[name][0]) for name in group]
    between = called.body[min(places) : max(places) + 1]
    blocks = any(isinstance(s, ast.For | ast.While | ast.If | Function) for s in between)
    names = [n for s in between[:-1] for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == variable]
    return min(places) >= 0 and not blocks and all(isinstance(n.ctx, ast.Load) for n in names)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


STYLES = (
    Style("form.container", keep_in_a_container),
    Style("form.one_line_constructor", make_in_one_line),
    Style("form.constructor_in_a_loop", make_in_a_loop),
    Style("form.fused_projections", fuse_projections),
    Style("form.base_class", inherit_the_constructor),
    Style("form.super", call_super_otherwise),
    Style("form.sequential", inherit_from_sequential),
)
