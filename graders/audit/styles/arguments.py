"""Styles of arguments: what functions and `forward` call them, and in which order they take them."""

import ast
from collections.abc import Collection, Sequence

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
from softmark_worker.call_meanings import meanings_of

# Letters of papers, words of other libraries, French, nonsense.
WORDS = words(
    """
    inputs inp input_tensor h z t u seq entree entrees sequence hidden states features embeddings
    emb src tgt y query q key k value v context ctx memory enc_out encoder_output target msk m
    masque attn_mask src_mask pad_mask attention_bias n N T L S length taille nombre count size w
    window_size fenetre ids tokens toks idx batch a b c foo truc machin donnees corpus labels net
    reseau
    """
)
OPTIONS = ("dropout=None", "training=False", "verbose=False", "device=None", "scale=None", "use_cache=False")
MUST_BE_GIVEN = ("device", "dropout", "verbose")


def rename(code: AnswerCode, choice: Choice) -> bool:
    """Give the parameters other names, none of which means another of them."""
    called = code.called
    if called is None or called.args.kwarg:
        return False
    parameters = [one.arg for one in parameters_of(called)]
    due = _due(code)
    if [name for name in parameters if name in due] != due:
        return False  # in another order, only their names tell them apart
    taken = {*names_in(code.tree, *code.others.values()), *parameters}
    names: dict[str, str] = {}
    for parameter in choice.some(due):
        others = [name for name in (*parameters, *names.values()) if name != parameter]
        fitting = [word for word in WORDS if not _means_one_of(word, others)]
        for name in choice.names(1, fitting, taken):
            names[parameter] = name
            taken.add(name)
    rename_variables(called, names)
    rename_keywords(calls_of([code.tree, *code.others.values()], called.name), names)
    return bool(names)


def _means_one_of(word: str, names: Collection[str]) -> bool:
    return any(meanings_of(word) & meanings_of(name) for name in names)


def permute(code: AnswerCode, choice: Choice) -> bool:
    """Take the arguments in another order, under the contract's names; defaults stay behind."""
    called = code.called
    if called is None or not _is_free(code, called) or called.args.posonlyargs or called.args.kwonlyargs:
        return False
    own = called.args.args[:1] if code.symbol is not called else []
    given = called.args.args[len(own) :]
    required = len(given) - len(called.args.defaults)
    first, others = choice.order(given[:required]), given[required:]
    pairs = choice.order(list(zip(others, called.args.defaults, strict=True)))
    changed = [*first, *(argument for argument, _ in pairs)]
    called.args.args, called.args.defaults = [*own, *changed], [default for _, default in pairs]
    return changed != given and _by_the_contract(code, given)


def keyword_only(code: AnswerCode, choice: Choice) -> bool:
    """Take some or all arguments by keyword alone."""
    called = code.called
    if called is None or not _is_free(code, called) or called.args.posonlyargs or called.args.kwonlyargs:
        return False
    arguments, own = called.args, 1 if code.symbol is not called else 0
    given = arguments.args[own:]
    if arguments.vararg or not given or not _by_the_contract(code, given):
        return False
    kept = choice.one(range(len(given)))
    required = len(given) - len(arguments.defaults)
    defaults: list[ast.expr | None] = [*[None] * required, *arguments.defaults]
    arguments.kwonlyargs, arguments.kw_defaults = given[kept:], defaults[kept:]
    arguments.args = arguments.args[: own + kept]
    arguments.defaults = [default for default in defaults[:kept] if default is not None]
    return True


def positional_only(code: AnswerCode, choice: Choice) -> bool:
    """Take some or all arguments by their place alone."""
    called = code.called
    if called is None or called.args.posonlyargs or any(True for _ in calls_of([code.tree], called.name)):
        return False
    arguments, own = called.args, 1 if code.symbol is not called else 0
    if len(arguments.args) == own:
        return False
    count = choice.one(range(own + 1, len(arguments.args) + 1))
    arguments.posonlyargs, arguments.args = arguments.args[:count], arguments.args[count:]
    return True


def starred(code: AnswerCode, choice: Choice) -> bool:
    """Take all arguments as `*args`, and unpack them."""
    del choice
    called = code.called
    if called is None or not _is_free(code, called) or called.args.posonlyargs or called.args.kwonlyargs:
        return False
    arguments, own = called.args, 1 if code.symbol is not called else 0
    given = [one.arg for one in arguments.args[own:]]
    if {"args", "rest"} & names_in(code.tree) or not given or given != _due(code):
        return False  # without names, arguments in another order could not be found
    required = len(given) - len(arguments.defaults)
    lines = [f"{', '.join(given[:required])}, *rest = args" if required else "rest = list(args)"]
    for at, (name, default) in enumerate(zip(given[required:], arguments.defaults, strict=True)):
        lines.append(f"{name} = rest[{at}] if len(rest) > {at} else {ast.unparse(default)}")
    arguments.args, arguments.defaults = arguments.args[:own], []
    arguments.vararg = ast.arg("args")
    insert_in_body(called, parse("\n".join(lines)))
    return True


def options(code: AnswerCode, choice: Choice) -> bool:
    """Take further arguments that have a default, behind the contract's or between them."""
    called = code.called
    if called is None or called.args.vararg or called.args.kwonlyargs or called.args.kwarg:
        return False
    taken = names_in(code.tree)
    chosen = [one for one in choice.some(OPTIONS) if one.partition("=")[0] not in taken]
    arguments = called.args
    between = choice.one([True, False]) and _is_free(code, called)
    at = len(arguments.args) - len(arguments.defaults) if between else len(arguments.args)
    place = at - (len(arguments.args) - len(arguments.defaults))
    for option in reversed(chosen):
        name, _, default = option.partition("=")
        arguments.args.insert(at, ast.arg(name))
        arguments.defaults.insert(place, ast.parse(default, mode="eval").body)
    given = [one.arg for one in parameters_of(called) if one.arg not in {o.partition("=")[0] for o in chosen}]
    return bool(chosen) and (not between or _by_the_contract(code, given))


def must_be_given(code: AnswerCode, choice: Choice) -> bool:
    """Ask for an option that the contract does not have, without a default."""
    called = code.called
    if called is None or not _is_free(code, called) or called.args.posonlyargs or called.args.vararg:
        return False
    name = choice.one(MUST_BE_GIVEN)
    arguments = called.args
    at = len(arguments.args) - len(arguments.defaults)
    given = [one.arg for one in parameters_of(called)]
    arguments.args.insert(at, ast.arg(name))
    return name not in names_in(code.tree, *code.others.values()) - {name} and _by_the_contract(code, given)


def _is_free(code: AnswerCode, called: Function) -> bool:
    """Whether no code of the answer calls the function itself."""
    nodes = (node for tree in (code.tree, *code.others.values()) for node in ast.walk(tree))
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    names = [getattr(function, "id", getattr(function, "attr", None)) for function in calls]
    return called.name not in names


def _by_the_contract(code: AnswerCode, given: Sequence[ast.arg | str]) -> bool:
    """Whether the arguments have the contract's names, by which they are found in any order."""
    names = [one if isinstance(one, str) else one.arg for one in given]
    return set(names) <= set(_due(code))


def _due(code: AnswerCode) -> list[str]:
    """The names of the call's arguments in the contract."""
    if "forward" in code.exercise.signatures:
        return list(code.exercise.signatures["forward"])
    tree = ast.parse(code.exercise.handed_out)
    functions = [n for n in tree.body if isinstance(n, Function) and n.name == code.exercise.symbol]
    return [one.arg for function in functions for one in function.args.args]


STYLES = (
    Style("arguments.keyword_only", keyword_only),
    Style("arguments.must_be_given", must_be_given),
    Style("arguments.names", rename),
    Style("arguments.options", options),
    Style("arguments.order", permute),
    Style("arguments.positional_only", positional_only),
    Style("arguments.starred", starred),
)
