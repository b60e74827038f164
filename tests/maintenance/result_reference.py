"""The reference of result.json, class.json and heads.json, made of the dataclasses that are written to them.

`docs/result.md` is for people, `docs/result.schema.json` and its like are for programs
(JSON Schema, draft 2020-12). The meaning of a key is its line in the `Attributes:` section of its class.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from graders.classroom import class_record
from graders.results import heads, result

ROOTS = {"result.json": result.Result, "class.json": class_record.ClassRecord, "heads.json": heads.Heads}
SCHEMAS = {"result.json": result.SCHEMA, "class.json": class_record.SCHEMA, "heads.json": heads.SCHEMA}
INTRO = """\
# result.json, class.json and heads.json

Made by `make docs` from the dataclasses in `graders/results/` and `graders/classroom/class_record.py`.

`softmark grade` writes `OUT/<id>/result.json` for each submission and `OUT/class.json` for the class;
`softmark check FILE --format json` writes a result, too. With `--heads` there is also `OUT/<id>/heads.json`,
on which no point depends ([heads.md](heads.md)). Every key is always there. Later versions may add keys and
keep those that are here. JSON Schemas for programs: [result.schema.json](result.schema.json),
[class.schema.json](class.schema.json), [heads.schema.json](heads.schema.json).

Texts that come from a student have no control characters and a bounded length. They are still untrusted:
escape them.
"""
PLAIN = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    datetime: "string",
    NoneType: "null",
}


def reference() -> str:
    """The page for people: a table for each class, a class before those in its fields."""
    parts = [INTRO.rstrip()]
    for file, root in ROOTS.items():
        parts.append(f"## {file}")
        parts += [_section(kind) for kind in _classes(root)]
    return "\n\n".join(parts) + "\n"


def json_schema(file: str) -> str:
    """The JSON Schema of one of the files."""
    root = ROOTS[file]
    definitions = {kind.__name__: _object(kind) for kind in _classes(root)}
    top = definitions.pop(root.__name__)
    top["properties"]["schema"]["const"] = SCHEMAS[file]
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": file,
        **top,
        "$defs": dict(sorted(definitions.items())),
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def meanings(kind: type) -> dict[str, str]:
    """What the `Attributes:` section of a class says of each field.

    Raises:
        ValueError: a field has no line in the section, or a line no field.
    """
    _, _, section = inspect.cleandoc(kind.__doc__ or "").partition("\nAttributes:\n")
    lines = re.findall(r"^ {4}(\w+): ((?:.+)(?:\n {8}.*)*)", section, re.MULTILINE)
    meaning_of = {name: " ".join(text.split()) for name, text in lines}
    names = [*kind.__members__] if issubclass(kind, Enum) else [field.name for field in fields(kind)]
    if list(meaning_of) != names:
        raise ValueError(f"{kind.__name__} has {names}, and its docstring describes {list(meaning_of)}")
    return meaning_of


def _section(kind: type) -> str:
    if issubclass(kind, Enum):
        return _enum_section(kind)
    hints, meaning_of = get_type_hints(kind), meanings(kind)
    rows = [f"| `{name}` | {_words(hints[name])} | {_cell(meaning_of[name])} |" for name in meaning_of]
    return "\n".join(
        [
            f"### {kind.__name__}",
            "",
            _head(kind),
            "",
            "| key | type | meaning |",
            "| --- | --- | --- |",
            *rows,
        ]
    )


def _enum_section(kind: type[Enum]) -> str:
    rows = [f"| `{kind[name].value}` | {_cell(text)} |" for name, text in meanings(kind).items()]
    head = _head(kind)
    return "\n".join([f"### {kind.__name__}", "", head, "", "| value | meaning |", "| --- | --- |", *rows])


def _head(kind: type) -> str:
    """What a class's docstring says before its attributes."""
    return inspect.cleandoc(kind.__doc__ or "").partition("\n\nAttributes:")[0]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _classes(root: type) -> list[type]:
    """The class and those in its fields, in the order of a depth-first search."""
    classes: list[type] = []

    def visit(kind: type) -> None:
        if kind not in classes:
            classes.append(kind)
            for hint in [] if issubclass(kind, Enum) else get_type_hints(kind).values():
                for inner in _inner(hint):
                    visit(inner)

    visit(root)
    return classes


def _inner(hint: Any) -> Iterator[type]:
    if isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, Enum)):
        yield hint
    for part in get_args(hint):
        yield from _inner(part)


def _words(hint: Any) -> str:
    """A type in the words of the page."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return " or ".join(_words(part) for part in sorted(parts, key=lambda part: part is NoneType))
    if origin is tuple:
        return _words_of_tuple(parts)
    if origin is dict:
        return f"object of {_plural(_words(parts[1]))}"
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in parts)
    return PLAIN[hint] if hint in PLAIN else f"[{hint.__name__}](#{hint.__name__.lower()})"


def _words_of_tuple(parts: tuple[Any, ...]) -> str:
    if parts[-1] is Ellipsis:
        return f"list of {_plural(_words(parts[0]))}"
    return f"[{', '.join(_words(part) for part in parts)}]"


def _plural(words: str) -> str:
    if words.startswith("list of "):
        return words.replace("list of ", "lists of ", 1)
    return (
        words
        if "](#" in words or words.startswith("[")
        else " or ".join(f"{w}s" for w in words.split(" or "))
    )


def _object(kind: type) -> dict[str, Any]:
    """A class as JSON Schema."""
    if issubclass(kind, Enum):
        return {"description": _head(kind), "enum": [member.value for member in kind]}
    hints, meaning_of = get_type_hints(kind), meanings(kind)
    return {
        "description": " ".join(_head(kind).split()),
        "type": "object",
        "properties": {
            name: {"description": meaning_of[name], **_schema(hints[name])} for name in meaning_of
        },
        "required": list(meaning_of),
    }


def _schema(hint: Any) -> dict[str, Any]:
    """A type as JSON Schema."""
    origin, parts = get_origin(hint), get_args(hint)
    by_origin: dict[Any, Callable[[], dict[str, Any]]] = {
        UnionType: lambda: {"anyOf": [_schema(part) for part in parts]},
        Union: lambda: {"anyOf": [_schema(part) for part in parts]},
        tuple: lambda: _array(parts),
        dict: lambda: {"type": "object", "additionalProperties": _schema(parts[1])},
        Literal: lambda: {"enum": list(parts)},
    }
    if origin in by_origin:
        return by_origin[origin]()
    if hint not in PLAIN:
        return {"$ref": f"#/$defs/{hint.__name__}"}
    form = {"format": "date-time"} if hint is datetime else {}
    return {"type": PLAIN[hint], **form}


def _array(parts: tuple[Any, ...]) -> dict[str, Any]:
    if parts[-1] is Ellipsis:
        return {"type": "array", "items": _schema(parts[0])}
    sizes = {"minItems": len(parts), "maxItems": len(parts)}
    return {"type": "array", "prefixItems": [_schema(part) for part in parts], **sizes}
