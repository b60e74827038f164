"""Styles of configuration: a constructor's values as fields of one object, or of the file."""

import ast
from collections.abc import Callable, Collection, Mapping

from graders.audit.styles.answer_code import (
    AnswerCode,
    Function,
    calls_of,
    insert_before,
    insert_in_body,
    insert_in_front,
    names_in,
    parse,
)
from graders.audit.styles.names import call_by_keywords, defaults_of, own_constructor
from graders.audit.styles.style import Choice, Style, words
from softmark_worker.call_meanings import meanings_of

OBJECTS = words("config cfg args hparams model_config encoder_config c conf settings params opt hp options o")
CLASSES = words("ModelConfig Config GPTConfig Hyperparameters ModelArgs Settings Sizes")
SIZES = (64, 8, 128, 256, 4, 512, 32, 16)  # for what has no default
BESIDE = (
    "init_std: float = 0.02",
    "name: str = 'tiny'",
    "lr: float = 3e-4",
    "seed: int = 0",
    "tied: bool = True",
)


def take_dataclass(code: AnswerCode, choice: Choice) -> bool:
    """Let the constructor take a dataclass of the file, which has further fields."""

    def define(fields: Mapping[str, str], name: str) -> list[str]:
        rows = [f"{field}: object = {value}" for field, value in fields.items()]
        rows += choice.some(BESIDE, 0)
        mark = choice.one(("@dataclass", "@dataclass(frozen=True)"))
        return ["from dataclasses import dataclass", mark, f"class {name}:", *(f"    {row}" for row in rows)]

    return _take_object(code, choice, define, annotated=True)


def take_class_of_constants(code: AnswerCode, choice: Choice) -> bool:
    """Let the constructor take a class of constants, which is the default."""
    if [*calls_of([code.tree, *code.others.values()], code.exercise.symbol)]:
        return False

    def define(fields: Mapping[str, str], name: str) -> list[str]:
        return [
            f"class {name}:",
            *(f"    {field} = {value}" for field, value in fields.items()),
            "    lr = 0.001",
        ]

    return _take_object(code, choice, define, annotated=False)


def take_dict(code: AnswerCode, choice: Choice) -> bool:
    """Let the constructor take a dict."""
    return _take(code, choice, lambda owner, name: f"{owner}[{name!r}]", "dict")


def take_namespace(code: AnswerCode, choice: Choice) -> bool:
    """Let the constructor take an object whose class is not in the file."""
    insert_in_front(code.tree, parse("from types import SimpleNamespace"))
    return _take(code, choice, lambda owner, name: f"{owner}.{name}", "SimpleNamespace")


def take_parsed_arguments(code: AnswerCode, choice: Choice) -> bool:
    """Let the constructor take what argparse reads, as a default."""
    constructor = own_constructor(code)
    if constructor is None or [*calls_of([code.tree, *code.others.values()], code.exercise.symbol)]:
        return False
    if not _says_what_fields_are(code, constructor):
        return False
    owner, fields = _fields(code, choice, constructor)
    rows = ["import argparse", "parser = argparse.ArgumentParser()"]
    rows += [f"parser.add_argument('--{field}', default={value})" for field, value in fields.items()]
    rows += [
        "parser.add_argument('--lr', type=float, default=0.001)",
        "options_of_all = parser.parse_args([])",
    ]
    if names_in(code.tree) & {"parser", "argparse", "options_of_all"}:
        return False
    _read_fields(constructor, owner, lambda owner, name: f"{owner}.{name}")
    constructor.args.defaults = [ast.Name("options_of_all", ast.Load())]
    _define(code, rows)
    return True


def read_global_dict(code: AnswerCode, choice: Choice) -> bool:
    """Let the class read its sizes of one dict of the file."""
    return _read_file(code, choice, lambda owner, name: f"{owner}[{name!r}]", _dict_of)


def read_global_object(code: AnswerCode, choice: Choice) -> bool:
    """Let the class read its sizes of one class of constants of the file."""
    return _read_file(code, choice, lambda owner, name: f"{owner}.{name}", _class_of)


def read_constants(code: AnswerCode, choice: Choice) -> bool:
    """Let the class read its sizes of constants of the file."""
    return _read_file(code, choice, lambda _, name: name.upper(), _constants_of)


def default_from_absent_file(code: AnswerCode, choice: Choice) -> bool:
    """Let defaults come from a file that is not handed in."""
    constructor = own_constructor(code)
    if constructor is None or "cfg" in names_in(code.tree):
        return False
    named, defaults = defaults_of(constructor)
    required = named[: len(named) - len(defaults)]
    first = choice.one(range(len(required))) if required else None
    if first is None:
        return False
    absent = [ast.parse(f"cfg.{name}", mode="eval").body for name in required[first:]]
    constructor.args.defaults = [*absent, *constructor.args.defaults]
    insert_in_front(code.tree, parse("from project_settings import cfg"))
    return True


def _take_object(
    code: AnswerCode, choice: Choice, define: Callable[[Mapping[str, str], str], list[str]], annotated: bool
) -> bool:
    constructor = own_constructor(code)
    if constructor is None or "dataclass" in names_in(code.tree) or not call_by_keywords(code, constructor):
        return False
    if not _says_what_fields_are(code, constructor):
        return False
    owner, fields = _fields(code, choice, constructor)
    [name] = choice.names(1, CLASSES, names_in(code.tree))
    for call in calls_of([code.tree, *code.others.values()], code.exercise.symbol):
        made = ast.Call(ast.Name(name, ast.Load()), [], call.keywords)
        call.args, call.keywords = [made], []
    _read_fields(constructor, owner, lambda owner, field: f"{owner}.{field}")
    if annotated:
        constructor.args.args[1].annotation = ast.Name(name, ast.Load())
    else:
        constructor.args.defaults = [ast.Name(name, ast.Load())]
    _define(code, define(fields, name))
    return True


def _take(code: AnswerCode, choice: Choice, read: Callable[[str, str], str], kind: str) -> bool:
    constructor = own_constructor(code)
    if constructor is None or not call_by_keywords(code, constructor):
        return False
    if not _says_what_fields_are(code, constructor):
        return False
    _, defaults = defaults_of(constructor)
    owner, _ = _fields(code, choice, constructor)
    for call in calls_of([code.tree, *code.others.values()], code.exercise.symbol):
        left_out = defaults.keys() - {keyword.arg for keyword in call.keywords}
        given = [*call.keywords, *(ast.keyword(name, defaults[name]) for name in sorted(left_out))]
        call.args, call.keywords = [ast.Call(ast.Name(kind, ast.Load()), [], given)], []
    _read_fields(constructor, owner, read)
    return True


def _read_file(
    code: AnswerCode,
    choice: Choice,
    read: Callable[[str, str], str],
    define: Callable[[str, Mapping[str, str]], list[str]],
) -> bool:
    constructor = own_constructor(code)
    if constructor is None or constructor.args.defaults:
        return False
    if {one.arg for one in constructor.args.args[1:]} - {*code.exercise.signatures["__init__"]}:
        return False  # a person calls a constant by what it is, and nothing else tells
    if [*calls_of([code.tree, *code.others.values()], code.exercise.symbol)]:
        return False
    _, fields = _fields(code, choice, constructor)
    [owner] = choice.names(1, words("CONFIG CFG HPARAMS SETTINGS"), names_in(code.tree))
    if {name.upper() for name in fields} & names_in(code.tree):
        return False
    _read_fields(constructor, owner, read)
    constructor.args.args = constructor.args.args[:1]
    _define(code, define(owner, fields))
    return True


def _says_what_fields_are(code: AnswerCode, constructor: Function) -> bool:
    """Whether no parameter has a name that means another argument.

    A limit: fields have no place, by which such a parameter of a function is found.
    """
    due = code.exercise.signatures["__init__"]
    own = [one.arg for one in constructor.args.args[1:]]
    by_place = zip(own, (*due, *[""] * len(own)), strict=False)
    return all(
        name in due or not meanings_of(name) or meanings_of(name) & meanings_of(wanted)
        for name, wanted in by_place
    )


def _fields(code: AnswerCode, choice: Choice, constructor: Function) -> tuple[str, dict[str, str]]:
    """The name of an object, and the parameters as its fields, with their values in the file."""
    [owner] = choice.names(1, OBJECTS, names_in(code.tree))
    named, defaults = defaults_of(constructor)
    sizes = dict(zip(named, SIZES, strict=False))
    return owner, {n: ast.unparse(defaults[n]) if n in defaults else str(sizes[n]) for n in named}


def _read_fields(constructor: Function, owner: str, read: Callable[[str, str], str]) -> None:
    """Let the constructor take one object, and read the parameters of it."""
    named, _ = defaults_of(constructor)
    stored = {n.id for n in ast.walk(constructor) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    inner = {one.arg for f in ast.walk(constructor) if isinstance(f, ast.Lambda) for one in f.args.args}
    at_head = [name for name in named if name in stored | inner]
    reads = {name: read(owner, name) for name in named if name not in at_head}

    class Read(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return ast.parse(reads[node.id], mode="eval").body if node.id in reads else node

    constructor.body = [Read().visit(statement) for statement in constructor.body]
    insert_in_body(constructor, parse("\n".join(f"{name} = {read(owner, name)}" for name in at_head)))
    constructor.args.args = [constructor.args.args[0], ast.arg(owner)]
    constructor.args.defaults = []


def _define(code: AnswerCode, rows: list[str]) -> None:
    assert code.symbol is not None
    insert_before(code.tree, code.symbol, parse("\n".join(rows)))


def _dict_of(owner: str, fields: Mapping[str, str]) -> list[str]:
    return [f"{owner} = {{{', '.join(f'{name!r}: {value}' for name, value in fields.items())}, 'lr': 0.001}}"]


def _class_of(owner: str, fields: Mapping[str, str]) -> list[str]:
    return [f"class {owner}:", *(f"    {name} = {value}" for name, value in fields.items()), "    lr = 0.001"]


def _constants_of(owner: str, fields: Mapping[str, str]) -> list[str]:
    del owner
    return [f"{name.upper()} = {value}" for name, value in fields.items()]


def about_parameters(code: AnswerCode) -> Collection[str]:
    """The check that fails where sizes are global variables."""
    names = [check.name for check in code.exercise.value_checks]
    return [*(name for name in names if name.startswith("has_")), *names[:1]][:1]


STYLES = (
    Style("configuration.dataclass", take_dataclass),
    Style("configuration.class_of_constants", take_class_of_constants),
    Style("configuration.dict", take_dict),
    Style("configuration.namespace", take_namespace),
    Style("configuration.parsed_arguments", take_parsed_arguments),
    Style("configuration.global_dict", read_global_dict, about_parameters),
    Style("configuration.global_object", read_global_object, about_parameters),
    Style("configuration.constants", read_constants, about_parameters),
    Style("configuration.absent_default", default_from_absent_file),
)
