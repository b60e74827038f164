"""Styles of names: a constructor's parameters under other names, in another order, of other kinds."""

import ast

from graders.audit.styles.answer_code import (
    AnswerCode,
    Function,
    calls_of,
    insert_in_body,
    names_in,
    parameters_of,
    parse,
    rename_keywords,
    rename_variables,
)
from graders.audit.styles.style import Choice, Style, words
from softmark_worker.argument_roles import role_of

# Letters of papers, words of other libraries, French, nonsense: some mean another argument of the contract.
CONSTRUCTOR_WORDS = words(
    """
    d_model n_embd hidden_size dim model_dim d emb_size embedding_dim size width n E C D H h k d_k head_size
    n_heads n_head nb_heads nheads num_attention_heads heads d_ff dff d_hidden inner_dim mlp_dim intermediate
    hidden units taille largeur nb_tetes nombre_de_tetes cache p rate drop p_drop dropout_rate a b foo truc
    """
)
EXTRA = (
    ("bias", True),
    ("device", None),
    ("verbose", False),
    ("layer_idx", 0),
    ("name", "tiny"),
    ("eps", 1e-5),
)


def rename_constructor(code: AnswerCode, choice: Choice) -> bool:
    """Give the constructor's parameters other names."""
    constructor = code.constructor
    if constructor is None or "hparams" in names_in(constructor):  # where Lightning keeps them by name
        return False
    chosen = choice.some([one.arg for one in parameters_of(constructor)])
    taken = names_in(code.tree, *code.others.values())
    names = dict(zip(chosen, choice.names(len(chosen), CONSTRUCTOR_WORDS, taken), strict=False))
    rename_variables(constructor, names)
    trees = [code.tree, *code.others.values()]
    rename_keywords(calls_of(trees, code.exercise.symbol), names)
    return bool(names)


def change_order(code: AnswerCode, choice: Choice) -> bool:
    """Put the constructor's parameters into another order; those without a default stay in front."""
    constructor = own_constructor(code)
    if constructor is None or not call_by_keywords(code, constructor):
        return False
    arguments = constructor.args
    first, *named = arguments.args
    required = len(named) - len(arguments.defaults)
    optional = [*zip(named[required:], arguments.defaults, strict=True)]
    optional = choice.order(optional)
    ordered = [*choice.order(named[:required]), *(name for name, _ in optional)]
    arguments.args, arguments.defaults = [first, *ordered], [value for _, value in optional]
    return ordered != named


def by_keyword_alone(code: AnswerCode, choice: Choice) -> bool:
    """Let the constructor take its parameters, or the last of them, by keyword alone."""
    constructor = own_constructor(code)
    if constructor is None or not call_by_keywords(code, constructor):
        return False
    arguments = constructor.args
    count = choice.one(range(1, len(arguments.args)))
    defaults: list[ast.expr | None] = [None] * (len(arguments.args) - len(arguments.defaults))
    defaults += arguments.defaults
    arguments.kwonlyargs, arguments.kw_defaults = arguments.args[count:], defaults[count:]
    arguments.args, arguments.defaults = (
        arguments.args[:count],
        [v for v in defaults[:count] if v is not None],
    )
    return True


def by_place_alone(code: AnswerCode, choice: Choice) -> bool:
    """Let the constructor take its first parameters by place alone."""
    constructor = own_constructor(code)
    trees = [code.tree, *code.others.values()]
    if constructor is None or any(call.keywords for call in calls_of(trees, code.exercise.symbol)):
        return False
    arguments = constructor.args
    count = choice.one(range(2, len(arguments.args) + 1))
    arguments.posonlyargs, arguments.args = arguments.args[:count], arguments.args[count:]
    return True


def add_arguments(code: AnswerCode, choice: Choice) -> bool:
    """Let the constructor take further parameters with defaults, which nothing reads."""
    constructor = own_constructor(code)
    if constructor is None:
        return False
    taken = names_in(constructor)
    for name, value in choice.some([one for one in EXTRA if one[0] not in taken]):
        constructor.args.args.append(ast.arg(name))
        constructor.args.defaults.append(ast.Constant(value))
    return True


def take_keywords(code: AnswerCode, choice: Choice) -> bool:
    """Let the constructor read its values of `**kwargs`."""
    constructor = own_constructor(code)
    if constructor is None or "kwargs" in names_in(constructor) or not call_by_keywords(code, constructor):
        return False
    named, defaults = defaults_of(constructor)
    kept = 0 if defaults else choice.one(range(len(named)))
    if not set(_meanings(named[kept:])) <= set(_meanings(_due(code))):
        return False  # keys have no order: only their names tell them apart
    read = []
    for name in named[kept:]:
        key = (
            f"kwargs.get({name!r}, {ast.unparse(defaults[name])})"
            if name in defaults
            else f"kwargs[{name!r}]"
        )
        read.append(f"{name} = {key}")
    arguments = constructor.args
    arguments.args, arguments.defaults = arguments.args[: kept + 1], []
    arguments.kwarg = ast.arg("kwargs")
    insert_in_body(constructor, parse("\n".join(read)))
    return True


def take_places(code: AnswerCode, choice: Choice) -> bool:
    """Let the constructor unpack `*args`."""
    del choice
    constructor = own_constructor(code)
    trees = [code.tree, *code.others.values()]
    called_by_name = any(call.keywords for call in calls_of(trees, code.exercise.symbol))
    if constructor is None or "args" in names_in(constructor) or constructor.args.defaults or called_by_name:
        return False
    named, _ = defaults_of(constructor)
    if _meanings(named) != _meanings(_due(code)):
        return False  # what is unpacked has no names: only its order tells
    constructor.args.args, constructor.args.vararg = constructor.args.args[:1], ast.arg("args")
    insert_in_body(constructor, parse(f"({', '.join(named)},) = args"))
    return True


def _due(code: AnswerCode) -> list[str]:
    """The names of the constructor's arguments in the contract."""
    return list(code.exercise.signatures.get("__init__", ()))


def _meanings(names: list[str]) -> list[str]:
    return [role_of(name) or name for name in names]


def own_constructor(code: AnswerCode) -> Function | None:
    """The constructor, if it takes plain parameters and no other class inherits it."""
    constructor, symbol = code.constructor, code.exercise.symbol
    classes = [node for node in code.tree.body if isinstance(node, ast.ClassDef)]
    inherits = any(ast.unparse(base) == symbol for node in classes for base in node.bases)
    if constructor is None or inherits or len(constructor.args.args) < 2:
        return None
    other = constructor.args.vararg or constructor.args.kwarg
    plain = not (constructor.args.posonlyargs or constructor.args.kwonlyargs or other)
    literal = all(isinstance(value, ast.Constant) for value in constructor.args.defaults)
    return constructor if plain and literal and not _takes_an_object(constructor) else None


def _takes_an_object(constructor: Function) -> bool:
    """Whether a parameter is a configuration already, or a module: something is read of it."""
    named = {one.arg for one in constructor.args.args[1:]}
    read = (n.value for n in ast.walk(constructor) if isinstance(n, ast.Attribute | ast.Subscript))
    if "hparams" in names_in(constructor):  # Lightning keeps them under their names
        return True
    of_parameters = any(isinstance(value, ast.Name) and value.id in named for value in read)
    return of_parameters or any(one.annotation is not None for one in constructor.args.args[1:])


def defaults_of(constructor: Function) -> tuple[list[str], dict[str, ast.expr]]:
    """The names of the parameters, and the defaults by these names."""
    named = [one.arg for one in constructor.args.args[1:]]
    defaults = constructor.args.defaults
    return named, dict(zip(named[len(named) - len(defaults) :], defaults, strict=True))


def call_by_keywords(code: AnswerCode, constructor: Function) -> bool:
    """Give all arguments of the constructor's calls by keyword; whether that can be done."""
    calls = [*calls_of([code.tree, *code.others.values()], code.exercise.symbol)]
    named, _ = defaults_of(constructor)
    if any(isinstance(value, ast.Starred) for call in calls for value in call.args):
        return False
    if any(keyword.arg is None for call in calls for keyword in call.keywords):
        return False
    for call in calls:
        given = [ast.keyword(name, value) for name, value in zip(named, call.args, strict=False)]
        call.args, call.keywords = [], [*given, *call.keywords]
    return True


STYLES = (
    Style("names.constructor", rename_constructor),
    Style("names.order", change_order),
    Style("names.by_keyword", by_keyword_alone),
    Style("names.by_place", by_place_alone),
    Style("names.further_arguments", add_arguments),
    Style("names.kwargs", take_keywords),
    Style("names.args", take_places),
)
